// SPDX-License-Identifier: MIT OR Apache-2.0
//! Directed tests of the registration port in the `tiny` configuration: commands, refusals, lists, parked drains.

use latchkey_hdl::configs::tiny::rtl::prelude::{EPW, K, MPTA, MPTN, SLOTS};
use latchkey_hdl::configs::tiny::rtl::{entry::AT, reg_port::RegPort};
use rust_hdl::prelude::*;
use std::collections::{HashMap, VecDeque};

#[derive(Clone, Copy, Default, Debug)]
struct Cmd {
    op: u64,
    tag: u64,
    key: u64,
    pd: u64,
    iova: u64,
    length: u64,
    access: u64,
    page: u64,
    base: u64,
    pages: u64,
    mode: u64,
    inline: u64,
}

#[derive(Clone, Copy, Debug)]
struct Rsp {
    tag: u64,
    code: u64,
    lkey: u64,
    rkey: u64,
    state: u64,
    iova: u64,
    length: u64,
    access: u64,
}

#[derive(Clone, Copy, Default)]
struct Lease {
    index: u64,
    epoch: u64,
    held: bool,
    walking: bool,
}

struct Bench {
    dut: Box<RegPort>,
    mem: HashMap<(u64, u64), u64>,
    answers: VecDeque<(u64, bool)>,
    beats: Vec<u64>,
    list: VecDeque<(u64, bool)>,
    cmds: VecDeque<Cmd>,
    rsps: Vec<Rsp>,
    leases: Vec<Lease>,
    ops: VecDeque<u32>,
    kinds: Vec<(u64, u64, bool, bool)>,
    events: Vec<(u64, u64)>,
    sweeps: usize,
    orphans: Vec<(u64, u64)>,
    seed: u64,
    slot: usize,
    barrier_now: bool,
    published_without_barrier: bool,
    quiet_rsp: bool,
    shown: bool,
}

impl Bench {
    fn new(seed: u64) -> Self {
        let mut dut = Box::new(RegPort::default());
        dut.connect_all();
        let mut b = Bench {
            dut,
            mem: HashMap::new(),
            answers: VecDeque::new(),
            beats: vec![],
            list: VecDeque::new(),
            cmds: VecDeque::new(),
            rsps: vec![],
            leases: vec![Lease::default(); SLOTS],
            ops: VecDeque::new(),
            kinds: vec![],
            events: vec![],
            sweeps: 0,
            orphans: vec![],
            seed,
            slot: 0,
            barrier_now: false,
            published_without_barrier: false,
            quiet_rsp: false,
            shown: false,
        };
        b.dut.reset.next = true;
        b.step();
        b.step();
        b.dut.reset.next = false;
        b
    }

    fn coin(&mut self) -> bool {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.seed >> 60) % 3 != 0
    }

    fn step(&mut self) {
        let (ready, talk, page) = (self.coin(), self.coin(), self.coin());
        let d = self.dut.as_mut();
        d.clock.next = Clock { clk: false };
        let c = self.cmds.front().copied();
        d.reg_valid.next = c.is_some();
        let c = c.unwrap_or_default();
        d.reg_op.next = c.op.to_bits();
        d.reg_tag.next = c.tag.to_bits();
        d.reg_key.next = c.key.to_bits();
        d.reg_pd.next = c.pd.to_bits();
        d.reg_iova.next = c.iova.to_bits();
        d.reg_length.next = c.length.to_bits();
        d.reg_access.next = c.access.to_bits();
        d.reg_page.next = c.page.to_bits();
        d.reg_base.next = c.base.to_bits();
        d.reg_pages.next = c.pages.to_bits();
        d.reg_mode.next = c.mode.to_bits();
        d.reg_inline.next = c.inline.to_bits();
        // once shown, a page stays until its transfer
        self.shown |= page && !self.list.is_empty();
        let p = if self.shown {
            self.list.front().copied()
        } else {
            None
        };
        d.page_valid.next = p.is_some();
        d.page_data.next = p.unwrap_or_default().0.to_bits();
        d.page_last.next = p.unwrap_or_default().1;
        d.rsp_ready.next = !self.quiet_rsp;
        d.icm_ready.next = ready;
        d.event_ready.next = true;
        d.op_ready.next = ready;
        let done = self.ops.front() == Some(&0);
        if done {
            self.ops.pop_front();
        }
        d.op_done.next = done;
        self.ops.iter_mut().for_each(|n| *n = n.saturating_sub(1));
        let l = self.leases[self.slot];
        d.scan_index.next = l.index.to_bits();
        d.scan_epoch.next = l.epoch.to_bits();
        d.scan_held.next = l.held;
        d.scan_walking.next = l.walking;
        let r = if talk { self.answers.pop_front() } else { None };
        d.ricm_valid.next = r.is_some();
        d.ricm_data.next = r.unwrap_or_default().0.to_bits();
        d.ricm_last.next = r.unwrap_or_default().1;
        d.sweep_done.next = ready && d.sweep_valid.val();
        assert!(simulate(d, 200), "does not settle");
        // transfers of this cycle
        if d.sweep_valid.val() && ready {
            self.sweeps += 1;
        }
        self.slot = d.scan_slot.val().index();
        self.barrier_now = d.barrier_active.val();
        if d.orphan_valid.val() {
            self.orphans
                .push((d.orphan_index.val().to_u64(), d.orphan_epoch.val().to_u64()));
        }
        if d.event_valid.val() {
            self.events
                .push((d.event_kind.val().to_u64(), d.event_info.val().to_u64()));
        }
        if d.op_valid.val() && ready {
            self.ops.push_back(5);
            let arg = if d.op_kind.val().to_u64() == 2 {
                d.op_set.val().to_u64()
            } else {
                d.op_index.val().to_u64()
            };
            self.kinds.push((
                d.op_kind.val().to_u64(),
                arg,
                d.op_hold.val(),
                d.barrier_active.val(),
            ));
        }
        if d.icm_valid.val() && ready {
            let (space, addr, len) = (
                d.icm_space.val().to_u64(),
                d.icm_addr.val().to_u64(),
                d.icm_len.val().to_u64(),
            );
            if d.icm_write.val() {
                self.beats.push(d.icm_data.val().to_u64());
                assert_eq!(d.icm_last.val(), self.beats.len() as u64 == len + 1);
                if d.icm_last.val() {
                    if space == 0 && !d.barrier_active.val() && self.beats[0] != 0 {
                        self.published_without_barrier = true;
                    }
                    for (i, w) in self.beats.drain(..).enumerate() {
                        self.mem.insert((space, addr + i as u64), w);
                    }
                    self.answers.push_back((0, true));
                }
            } else {
                for i in 0..=len {
                    self.answers
                        .push_back((*self.mem.get(&(space, addr + i)).unwrap_or(&0), i == len));
                }
            }
        }
        if d.reg_valid.val() && d.reg_ready.val() {
            self.cmds.pop_front();
        }
        if d.page_valid.val() && d.page_ready.val() {
            self.list.pop_front();
            self.shown = false;
        }
        if d.rsp_valid.val() && d.rsp_ready.val() {
            self.rsps.push(Rsp {
                tag: d.rsp_tag.val().to_u64(),
                code: d.rsp_code.val().to_u64(),
                lkey: d.rsp_lkey.val().to_u64(),
                rkey: d.rsp_rkey.val().to_u64(),
                state: d.rsp_state.val().to_u64(),
                iova: d.rsp_iova.val().to_u64(),
                length: d.rsp_length.val().to_u64(),
                access: d.rsp_access.val().to_u64(),
            });
        }
        d.clock.next = Clock { clk: true };
        assert!(simulate(d, 200), "does not settle");
    }

    fn run(&mut self, c: Cmd) -> Rsp {
        self.cmds.push_back(c);
        self.wait()
    }

    fn wait(&mut self) -> Rsp {
        for _ in 0..4000 {
            self.step();
            if let Some(r) = self.rsps.pop() {
                return r;
            }
        }
        panic!("no answer");
    }

    fn steps(&mut self, n: usize) {
        (0..n).for_each(|_| self.step());
    }

    /// Field `i` of the stored entry of `index`, `w` bits.
    fn field(&self, index: u64, i: usize, w: usize) -> u64 {
        (0..w).fold(0, |v, b| {
            let at = AT[i] + b;
            let word = self
                .mem
                .get(&(0, (index << MPTA) + at as u64 / 32))
                .copied()
                .unwrap_or(0);
            v | ((word >> (at % 32)) & 1) << b
        })
    }

    fn window(&mut self, pd: u64, base: u64, count: u64) {
        assert_eq!(
            self.run(Cmd {
                op: 4,
                tag: 77,
                pd,
                base,
                pages: count,
                ..Default::default()
            })
            .code,
            0
        );
        assert_eq!(
            (self.mem[&(2, pd * 2)], self.mem[&(2, pd * 2 + 1)]),
            (base, base + count)
        );
    }
}

const PRESENT: u64 = 3;
fn pte(frame: u64) -> u64 {
    frame << 2 | PRESENT
}
/// A contiguous region: no list, no window.
fn plain(tag: u64) -> Cmd {
    Cmd {
        op: 0,
        tag,
        pd: 1,
        iova: 0x1234,
        length: 100,
        access: 7,
        page: 4,
        base: 0xABC_DEF,
        ..Default::default()
    }
}
/// Three pages of 4 KiB from 0x1800 on.
fn paged(tag: u64) -> Cmd {
    Cmd {
        op: 0,
        tag,
        pd: 2,
        iova: 0x1800,
        length: 0x1801,
        access: 1,
        base: 0x20,
        pages: 3,
        inline: pte(5),
        ..Default::default()
    }
}
fn index(key: u64) -> u64 {
    (key >> 8) & ((1 << K) - 1)
}

#[test]
fn registers_a_contiguous_region_and_answers_its_keys() {
    let mut b = Bench::new(1);
    let r = b.run(plain(9));
    assert_eq!((r.tag, r.code, r.lkey, r.rkey), (9, 0, 1 << 8, 1 << 8 | 1));
    assert_eq!(
        (
            b.field(1, 2, 2),
            b.field(1, 4, 9),
            b.field(1, 5, 3),
            b.field(1, 6, 2)
        ),
        (3, 7, 4, 1)
    );
    // a contiguous region holds what is to be added to an address
    assert_eq!(
        (b.field(1, 7, 24), b.field(1, 8, 24), b.field(1, 9, 24)),
        (0x1234, 100, 0xABC_DEF - 0x1234)
    );
    assert_eq!(b.kinds, [(0, 1, false, true)]);
    assert!(!b.published_without_barrier && !b.barrier_now);
    assert_eq!(MPTN, 7);
    let q = b.run(Cmd {
        op: 2,
        tag: 3,
        key: r.rkey,
        ..Default::default()
    });
    assert_eq!(
        (q.code, q.state, q.iova, q.length, q.access, q.lkey, q.rkey),
        (0, 3, 0x1234, 100, 7, 0, 0)
    );
    assert_eq!(
        b.run(Cmd {
            op: 2,
            key: r.rkey + 1,
            ..Default::default()
        })
        .code,
        3
    );
    assert_eq!(
        b.run(Cmd {
            op: 2,
            key: 0x200,
            ..Default::default()
        })
        .code,
        2
    );
    assert_eq!(
        b.run(Cmd {
            op: 2,
            key: 0x001,
            ..Default::default()
        })
        .code,
        2
    );
    assert_eq!(
        b.run(Cmd {
            op: 9,
            ..Default::default()
        })
        .code,
        9
    );
}

#[test]
fn writes_the_page_list_inside_the_window_only() {
    let mut b = Bench::new(2);
    b.list.extend([(pte(6), false), (pte(7), true)]);
    assert_eq!(b.run(paged(1)).code, 4, "no window");
    assert!(b.list.is_empty());
    b.window(2, 0x20, 3);
    b.list.extend([(pte(6), false), (pte(7), true)]);
    let r = b.run(paged(1));
    assert_eq!((r.code, r.lkey), (0, 1 << 8));
    assert_eq!(
        [0x20, 0x21, 0x22].map(|a| b.mem[&(1, a)]),
        [pte(5), pte(6), pte(7)]
    );
    for (base, pages, code) in [(0x1F, 3, 4), (0x21, 3, 4), (0x20, 2, 1), (0x20, 4, 1)] {
        b.list.extend((2..=pages).map(|i| (pte(i), i == pages)));
        assert_eq!(
            b.run(Cmd {
                base,
                pages,
                ..paged(1)
            })
            .code,
            code,
            "base {base:x} pages {pages}"
        );
        assert!(b.list.is_empty());
    }
}

#[test]
fn refuses_bad_lists_without_using_the_index() {
    let mut b = Bench::new(3);
    b.window(2, 0, 1000);
    let lists: [(&[(u64, bool)], u64, u64); 6] = [
        (&[(pte(1), true)], 1, 5),
        (
            &[
                (pte(1), false),
                (pte(2), false),
                (pte(3), false),
                (pte(4), true),
            ],
            1,
            5,
        ),
        (&[(pte(1), false), (2, true)], 1, 1),
        (&[(pte(1) & !2, false), (pte(2), true)], 1, 1),
        (&[(1, false), (pte(2), true)], 0x41, 0),
        (&[(pte(1), false), (pte(2), true)], 1, 0),
    ];
    let mut used = 0;
    for (list, access, code) in lists {
        b.list.extend(list);
        let r = b.run(Cmd { access, ..paged(4) });
        assert_eq!(r.code, code, "{list:?}");
        assert!(b.list.is_empty());
        used += u64::from(code == 0);
        assert_eq!(index(r.lkey), if code == 0 { used } else { 0 });
    }
    assert_eq!(
        b.run(Cmd {
            length: 0x100,
            pages: 1,
            inline: 0,
            ..paged(4)
        })
        .code,
        1,
        "inline entry not present"
    );
    // 64 KiB pages: frame 16 is aligned, 17 is not
    for (frame, code) in [(16, 0), (17, 1)] {
        assert_eq!(
            b.run(Cmd {
                iova: 0xFFFF,
                length: 1,
                page: 1,
                pages: 1,
                inline: pte(frame),
                ..paged(4)
            })
            .code,
            code
        );
    }
}

#[test]
fn judges_ranges_access_and_page_codes() {
    let mut b = Bench::new(4);
    let top = 1 << 24;
    let cases = [
        (
            Cmd {
                length: 0,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                iova: top - 100,
                ..plain(1)
            },
            0,
        ),
        (
            Cmd {
                iova: top - 99,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                iova: top - 1,
                length: top - 1,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                iova: top - 99,
                access: 0x20,
                ..plain(1)
            },
            0,
        ),
        (
            Cmd {
                access: 2,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                access: 8,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                access: 0x3FF0_0380 | 3,
                ..plain(1)
            },
            0,
        ),
        (
            Cmd {
                access: 1 << 10,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                access: 1 << 31,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                access: 0x40,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                page: 5,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                page: 7,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                pages: 1,
                ..plain(1)
            },
            1,
        ),
        (
            Cmd {
                page: 0,
                pages: 0,
                ..plain(1)
            },
            1,
        ),
    ];
    for (c, code) in cases {
        assert_eq!(b.run(c).code, code, "{c:x?}");
    }
}

#[test]
fn a_drain_waits_for_the_lease_and_the_index_comes_back() {
    for mode in 0..3 {
        let mut b = Bench::new(5 + mode);
        let r = b.run(plain(1));
        b.leases[3] = Lease {
            index: 1,
            epoch: 0,
            held: true,
            walking: true,
        };
        b.leases[4] = Lease {
            index: 1,
            epoch: 1,
            held: true,
            walking: true,
        };
        b.cmds.push_back(Cmd {
            op: 1,
            tag: 0x55,
            key: r.lkey,
            mode,
            ..Default::default()
        });
        b.steps(200);
        assert!(b.rsps.is_empty() && !b.barrier_now);
        assert_eq!(b.dut.cut_valid.val().to_u64(), u64::from(mode != 1));
        assert_eq!(
            (b.field(1, 0, 28), b.field(1, 2, 2), b.field(1, 10, EPW)),
            (0, 1, 1),
            "entry is retired at once"
        );
        assert_eq!(
            (
                b.dut.cut_index.val().to_u64() & 15,
                b.dut.cut_epoch.val().to_u64() & 3
            ),
            (1, 0)
        );
        assert_eq!(b.orphans, if mode != 1 { vec![(1, 0)] } else { vec![] });
        // other commands go on meanwhile; the key is dead
        assert_eq!(
            b.run(Cmd {
                op: 1,
                key: r.lkey,
                mode,
                ..Default::default()
            })
            .code,
            3
        );
        assert_eq!(index(b.run(plain(2)).lkey), 2);
        b.leases[3].walking = false;
        if mode != 2 {
            b.steps(100);
            assert!(b.rsps.is_empty());
            b.leases[3].held = false;
        }
        let d = b.wait();
        assert_eq!((d.tag, d.code, d.lkey), (0x55, 0, 0));
        assert_eq!(b.dut.cut_valid.val().to_u64(), 0);
        let again = b.run(plain(3));
        assert_eq!(
            (again.code, again.lkey, again.rkey),
            (0, 1 << 8 | 2, 1 << 8 | 3),
            "index 1, generation 1"
        );
        assert!(!b.published_without_barrier);
    }
}

#[test]
fn a_third_deregistration_is_busy_and_late_ones_are_overdue() {
    let mut b = Bench::new(9);
    let keys: Vec<u64> = (0..3).map(|i| b.run(plain(i)).rkey).collect();
    for i in 0..2 {
        b.leases[i] = Lease {
            index: 1 + i as u64,
            held: true,
            ..Default::default()
        };
        b.cmds.push_back(Cmd {
            op: 1,
            tag: 10 + i as u64,
            key: keys[i],
            ..Default::default()
        });
    }
    assert_eq!(
        b.run(Cmd {
            op: 1,
            tag: 12,
            key: keys[2],
            ..Default::default()
        })
        .code,
        7
    );
    assert_eq!(
        (
            b.dut.cut_valid.val().to_u64(),
            b.dut.cut_index.val().to_u64()
        ),
        (3, 0x21)
    );
    b.leases[1].held = false;
    let r = b.wait();
    assert_eq!((r.tag, r.code), (11, 0), "answers out of order");
    let r = b.wait();
    assert_eq!((r.tag, r.code), (10, 8));
    assert_eq!(b.events, [(2, 1)]);
    assert_eq!(index(b.run(plain(4)).lkey), 2);
    assert_eq!(
        index(b.run(plain(4)).lkey),
        4,
        "index 1 stays in quarantine"
    );
}

#[test]
fn runs_out_of_indices_and_sweeps_when_the_epoch_comes_round() {
    let mut b = Bench::new(10);
    let last = (1..16).map(|i| b.run(plain(i))).last().unwrap();
    assert_eq!(index(last.lkey), 15);
    assert_eq!(b.run(plain(1)).code, 6);
    assert_eq!(b.events.iter().map(|e| e.0).collect::<Vec<_>>(), [3]);
    let mut key = last.lkey;
    for round in 1..=5 {
        assert_eq!(
            b.run(Cmd {
                op: 1,
                key,
                ..Default::default()
            })
            .code,
            0
        );
        assert_eq!(b.field(15, 10, EPW), round % 4);
        key = b.run(plain(1)).lkey;
        assert_eq!(key & 0xFF, 2 * round);
        assert_eq!(b.sweeps, usize::from(round >= 4));
    }
}

#[test]
fn flushes() {
    let mut b = Bench::new(11);
    let key = b.run(plain(1)).lkey;
    b.kinds.clear();
    assert_eq!(
        b.run(Cmd {
            op: 3,
            key,
            ..Default::default()
        })
        .code,
        0
    );
    assert_eq!(
        b.run(Cmd {
            op: 3,
            key: key + 7,
            ..Default::default()
        })
        .code,
        3
    );
    assert_eq!(
        b.run(Cmd {
            op: 3,
            mode: 1,
            ..Default::default()
        })
        .code,
        0
    );
    assert_eq!(
        b.run(Cmd {
            op: 3,
            mode: 2,
            ..Default::default()
        })
        .code,
        0
    );
    assert_eq!(
        b.run(Cmd {
            op: 3,
            mode: 3,
            ..Default::default()
        })
        .code,
        0
    );
    let kinds: Vec<_> = b.kinds.iter().map(|k| (k.0, k.2, k.3)).collect();
    assert_eq!(kinds[..2], [(0, false, false), (1, false, false)]);
    let sets = (kinds.len() - 2) / 2;
    assert!(kinds[2..2 + sets].iter().all(|k| *k == (2, false, false)));
    assert!(kinds[2 + sets..].iter().all(|k| *k == (2, true, false)));
    assert!(!b.dut.op_hold.val());
}

#[test]
fn a_blocked_answer_keeps_its_payload() {
    let mut b = Bench::new(12);
    b.quiet_rsp = true;
    b.cmds.push_back(plain(0x42));
    b.cmds.push_back(plain(0x43));
    b.steps(300);
    b.quiet_rsp = false;
    let r = b.wait();
    assert_eq!((r.tag, r.lkey), (0x42, 1 << 8));
    assert_eq!(b.wait().tag, 0x43);
}
