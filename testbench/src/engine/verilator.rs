// SPDX-License-Identifier: MIT OR Apache-2.0
//! Exported Verilog, compiled by Verilator and loaded as a shared library.

use super::wrapper::{self, APPLY, EDGE, NEXT};
use super::{cache, Engine, EngineError, Layout, Recorder};
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

type Step = unsafe extern "C" fn(*mut c_void, *const u32, *mut u32, u32);

type New = unsafe extern "C" fn() -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);

/// One block as compiled Verilog.
pub struct VerilatorEngine {
    model: *mut c_void,
    step: Step,
    free: Free,
    layout: Layout,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    /// The inputs the model has, if it has any yet.
    applied: Option<Vec<u32>>,
    recorder: Option<Recorder>,
    new: New,
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
        let verilog = match effort {
            Effort::Full => VerilatorEngine::kept_text(config, module)?,
            _ => VerilatorEngine::text(config, module)?,
        };
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

    /// The same, kept from an earlier run of this very program: a third of a second less for a run of a few.
    fn kept_text(config: &ConfigInfo, module: &Module) -> Result<String, EngineError> {
        let replaced = std::env::var_os("LATCHKEY_VERILOG").is_some_and(|path| !path.is_empty());
        let Some(path) = cache::kept(&[config.name, module.name]).filter(|_| !replaced) else {
            return VerilatorEngine::text(config, module);
        };
        if let Ok(text) = std::fs::read_to_string(&path) {
            return Ok(text);
        }
        let text = VerilatorEngine::text(config, module)?;
        cache::keep(&path, &text)?;
        Ok(text)
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
        let (text, top) = if layout.clock().is_some() {
            (
                verilog.to_string() + &wrapper::around(&layout, top),
                wrapper::AROUND,
            )
        } else {
            (verilog.to_string(), top)
        };
        let verilog = text.as_str();
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
        // SAFETY: the library was built from `wrapper`, which defines these three functions with these types.
        unsafe {
            let library = Library::new(&path).map_err(load)?;
            let new = *library.get::<New>(b"latchkey_new").map_err(load)?;
            let step = *library.get::<Step>(b"latchkey_step").map_err(load)?;
            let free = *library.get::<Free>(b"latchkey_free").map_err(load)?;
            let parts = (new, step, free);
            Ok(VerilatorEngine::start(layout, parts, Arc::new(library)))
        }
    }

    /// Another instance of the same design, as after power-up; nothing is exported or compiled again.
    #[must_use]
    pub fn another(&self) -> VerilatorEngine {
        let parts = (self.new, self.step, self.free);
        // SAFETY: the functions are those of `library`.
        unsafe { VerilatorEngine::start(self.layout.clone(), parts, self.library.clone()) }
    }

    /// # Safety
    /// The functions must be those that `library` has for this layout.
    unsafe fn start(
        layout: Layout,
        (new, step, free): (New, Step, Free),
        library: Arc<Library>,
    ) -> VerilatorEngine {
        let inputs = vec![0; layout.input_words()];
        let outputs = vec![0; layout.output_words()];
        VerilatorEngine {
            model: new(),
            step,
            free,
            layout,
            applied: None,
            inputs,
            outputs,
            recorder: None,
            new,
            library,
        }
    }

    #[inline]
    fn call(&mut self, what: u32) {
        // SAFETY: both slices have the lengths the wrapper was made for.
        unsafe {
            (self.step)(
                self.model,
                self.inputs.as_ptr(),
                self.outputs.as_mut_ptr(),
                what,
            );
        }
    }

    fn keep(&mut self) {
        match &mut self.applied {
            Some(applied) => applied.copy_from_slice(&self.inputs),
            none => *none = Some(self.inputs.clone()),
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
        self.call(APPLY);
        self.keep();
    }

    fn cycle(&mut self) {
        // Without a clock a cycle is no more than the inputs.
        if self.applied.as_ref() == Some(&self.inputs) && self.layout.clock().is_some() {
            self.call(EDGE);
        } else {
            self.call(APPLY | EDGE);
            self.keep();
        }
        if let Some(recorder) = &mut self.recorder {
            recorder
                .cycle(&self.layout, &self.inputs, &self.outputs)
                .expect("the VCD file can be written");
        }
    }

    fn ahead(&self) -> bool {
        // a recording shows the outputs that an edge leaves with the inputs it met
        self.layout.clock().is_some() && self.recorder.is_none()
    }

    fn edge(&mut self) {
        self.call(EDGE | NEXT);
        self.keep();
    }

    fn record(&mut self, path: &Path) -> Result<(), EngineError> {
        self.recorder = Some(Recorder::create(path, &self.layout)?);
        Ok(())
    }
}
