/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * instrument.h - what takes a call while the guest runs: whether branches are taken, where accesses
 * go, and the model of a core (vpmu/micro/) that is told of both.
 */
#ifndef VPMU_PLUGIN_INSTRUMENT_H
#define VPMU_PLUGIN_INSTRUMENT_H

#include "vpmu/plugin/block_bound.h"
#include "vpmu/plugin/vcpu_counts.h"

/* observe_begin() - the model for `vcpus` of the personality `uarch`; false: there is none.
 * `threaded`: where there is one vCPU, and a CPU of the host to spare, a thread tells the model. */
bool observe_begin(const char *uarch, unsigned vcpus, unsigned flags, bool threaded);

/* observe_geometry() - of what is modelled; NULL: nothing is. */
const struct geometry *observe_geometry(void);

/*
 * observe_reset() - a measurement begins: the model's state is that of a new machine. What vCPUs
 * share is emptied at once, each vCPU's own when that runs on.
 */
void observe_reset(void);

/*
 * While no vCPU runs: observe_forget() - what runs next is told as if nothing had run before.
 * observe_flushed(): QEMU has forgotten all translations.
 */
void observe_forget(void);
void observe_flushed(void);

/* observe_stop() - the guest has stopped, and goes on at `rip`. observe_settle(): the counts are
 * about to be told. */
void observe_stop(unsigned vcpu, uint64_t rip);
void observe_settle(unsigned vcpu);

/* observe_catch_up() - the counts have all that has happened. observe_near(): this is asked for
 * every few blocks from now on, or not. */
void observe_catch_up(unsigned vcpu);
void observe_near(bool on);

/* observe_is_fetched() - the last line of code that was fetched has all of these bytes; of what is
 * modelled at all. With all counts there. */
bool observe_is_fetched(unsigned vcpu, uint64_t va, size_t bytes);

/* observe_block() - a block of so many instructions is translated, whose last one may lead to its
 * first (`goes_back`); observe_block_end(): that was all, and what it may add. */
void observe_block(size_t instructions, bool goes_back);
void observe_block_end(void);

/*
 * In it: observe_run() - a run of instructions begins with `insn`; observe_ends_run(): another one
 * has to, with `insn`, for it ends in another line or keeps a unit busy; observe_run_add(): `insn`
 * belongs to the last run.
 * observe_branch(), observe_accesses(), observe_flush(): what `insn` is, before it is added.
 */
void observe_run(struct qemu_plugin_insn *insn, uint64_t physical, enum events_level level);
bool observe_ends_run(const struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_run_add(const struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_branch(struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_accesses(struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_flush(struct qemu_plugin_insn *insn);

#endif
