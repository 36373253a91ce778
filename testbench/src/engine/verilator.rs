// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exported Verilog, compiled by Verilator and loaded as a shared library.

use super::{cache, wrapper, Engine, EngineError, Layout, Recorder};
use latchkey_hdl::ports::Port;
use latchkey_hdl::{ConfigInfo, Module};
use libloading::Library;
use std::ffi::c_void;
use std::path::Path;
use std::sync::Arc;

/// How hard the C++ compiler tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// Builds as fast as can be: for a single test.
    Least,
    /// Builds fast: for short runs.
    Quick,
    /// Runs fast: for long ones.
    Full,
}

type Step = unsafe extern "C" fn(*mut c_void, *const u32, *mut u32);

/// One block as compiled Verilog.
pub struct VerilatorEngine {
    model: *mut c_void,
    step: Step,
    low: Step,
    free: unsafe extern "C" fn(*mut c_void),
    layout: Layout,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    recorder: Option<Recorder>,
    new: unsafe extern "C" fn() -> *mut c_void,
    /// Holds the code the pointers above lead to; declared last, so that it is closed last.
    library: Arc<Library>,
}

// SAFETY: the model is owned by this value alone and has a context of its own.
unsafe impl Send for VerilatorEngine {}

impl VerilatorEngine {
    /// Exports a module of a configuration and compiles it, or takes it from the cache.
    pub fn new(
        config: &ConfigInfo,
        module: &Module,
        effort: Effort,
    ) -> Result<VerilatorEngine, EngineError> {
        let verilog = VerilatorEngine::text(config, module)?;
        let ports = (module.make)().ports();
        VerilatorEngine::from_verilog(
            &verilog,
            &format!("latchkey_{}", module.name),
            ports,
            effort,
        )
    }

    /// The Verilog of a module; `LATCHKEY_VERILOG` names a file that stands in for the core of the configuration in its header.
    pub fn text(config: &ConfigInfo, module: &Module) -> Result<String, EngineError> {
        let set = std::env::var_os("LATCHKEY_VERILOG")
            .filter(|path| !path.is_empty() && module.name == "core");
        if let Some(path) = set.map(std::path::PathBuf::from) {
            let text = std::fs::read_to_string(&path).map_err(EngineError::io(&path))?;
            if text.contains(&format!("// Latchkey, configuration {} (", config.name)) {
                return Ok(text);
            }
        }
        Ok(config.generate(module)?)
    }

    /// The same text as it comes up in an ASIC: every register and RAM holds anything; each instance of a process differs.
    pub fn scrambled(
        verilog: &str,
        top: &str,
        ports: Vec<Port>,
        effort: Effort,
    ) -> Result<VerilatorEngine, EngineError> {
        VerilatorEngine::build(&cache::uninitialised(verilog), top, ports, effort, true)
    }

    /// Compiles Verilog text whose module `top` has these ports.
    pub fn from_verilog(
        verilog: &str,
        top: &str,
        ports: Vec<Port>,
        effort: Effort,
    ) -> Result<VerilatorEngine, EngineError> {
        VerilatorEngine::build(verilog, top, ports, effort, false)
    }

    fn build(
        verilog: &str,
        top: &str,
        ports: Vec<Port>,
        effort: Effort,
        anything: bool,
    ) -> Result<VerilatorEngine, EngineError> {
        let layout = Layout::new(ports);
        // A class name of its own for every design: several libraries live in one process.
        let class = format!("V{}", &cache::digest(&[verilog])[..12]);
        let wrapper = wrapper::source(&layout, &class, anything);
        let optimise = match effort {
            Effort::Least => "-O0",
            Effort::Quick => "-O1",
            Effort::Full => "-O3",
        };
        let path = cache::library(&cache::Job {
            module: top,
            class: &class,
            verilog,
            wrapper: &wrapper,
            optimise,
            anything,
        })?;
        let load = |source| EngineError::Load {
            path: path.clone(),
            source,
        };
        // SAFETY: the library was built from `wrapper`, which defines these four functions with these types.
        unsafe {
            let library = Library::new(&path).map_err(load)?;
            let new = *library
                .get::<unsafe extern "C" fn() -> *mut c_void>(b"latchkey_new")
                .map_err(load)?;
            let step = *library.get::<Step>(b"latchkey_cycle").map_err(load)?;
            let low = *library.get::<Step>(b"latchkey_settle").map_err(load)?;
            let free = *library
                .get::<unsafe extern "C" fn(*mut c_void)>(b"latchkey_free")
                .map_err(load)?;
            let (inputs, outputs) = (
                vec![0; layout.input_words()],
                vec![0; layout.output_words()],
            );
            Ok(VerilatorEngine {
                model: new(),
                step,
                low,
                free,
                layout,
                inputs,
                outputs,
                recorder: None,
                new,
                library: Arc::new(library),
            })
        }
    }

    /// Another instance of the same design, as after power-up; nothing is exported or compiled again.
    #[must_use]
    pub fn another(&self) -> VerilatorEngine {
        let (layout, library) = (self.layout.clone(), self.library.clone());
        let (inputs, outputs) = (
            vec![0; layout.input_words()],
            vec![0; layout.output_words()],
        );
        let (new, step, low, free) = (self.new, self.step, self.low, self.free);
        // SAFETY: `new` is `latchkey_new` of `library`, which the new value holds too.
        let model = unsafe { new() };
        VerilatorEngine {
            model,
            step,
            low,
            free,
            layout,
            inputs,
            outputs,
            recorder: None,
            new,
            library,
        }
    }
}

impl Drop for VerilatorEngine {
    fn drop(&mut self) {
        // SAFETY: `model` came from `latchkey_new` and is freed once.
        unsafe { (self.free)(self.model) }
    }
}

impl Engine for VerilatorEngine {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn in_mut(&mut self) -> &mut [u32] {
        &mut self.inputs
    }

    fn out(&self) -> &[u32] {
        &self.outputs
    }

    fn settle(&mut self) {
        // SAFETY: both slices have the lengths the wrapper was made for.
        unsafe { (self.low)(self.model, self.inputs.as_ptr(), self.outputs.as_mut_ptr()) }
    }

    fn cycle(&mut self) {
        // SAFETY: as above.
        unsafe { (self.step)(self.model, self.inputs.as_ptr(), self.outputs.as_mut_ptr()) }
        if let Some(recorder) = &mut self.recorder {
            recorder
                .cycle(&self.layout, &self.inputs, &self.outputs)
                .expect("the VCD file can be written");
        }
    }

    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.recorder = Some(Recorder::create(path, &self.layout)?);
        Ok(())
    }
}
