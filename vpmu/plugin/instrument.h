/* SPDX-License-Identifier: BSD-2-Clause */
/* instrument.h - callbacks while the guest runs: whether branches are taken, the addresses of
 * accesses, and the model of a core (vpmu/micro/) that gets both. */
#ifndef VPMU_PLUGIN_INSTRUMENT_H
#define VPMU_PLUGIN_INSTRUMENT_H

#include "include/perf0/profile_file.h"
#include "vpmu/plugin/block_bound.h"
#include "vpmu/plugin/vcpu_counts.h"

/* observe_begin() - makes the model for `vcpus` of personality `uarch`; false: there is none.
 * `threaded`: with one vCPU, and a host CPU to spare, a thread runs the model. */
bool observe_begin(const char *uarch, unsigned vcpus, unsigned flags, bool threaded);

/* observe_geometry() - the modelled geometry; NULL: nothing is modelled. */
const struct geometry *observe_geometry(void);

/* observe_ahead() - the most cycles that instructions before the present one can still add. */
uint64_t observe_ahead(unsigned vcpu);

/* observe_reset() - a measurement begins: the model's state is that of a new machine. Shared caches
 * are emptied at once, and each vCPU's own state when it runs on. */
void observe_reset(void);

/* While no vCPU runs: observe_forget() - forgets the instructions that ran before.
 * observe_flushed(): QEMU has dropped all translations. */
void observe_forget(void);
void observe_flushed(void);

/* observe_stop() - the guest has stopped, and goes on at `rip`. observe_settle(): the counts are
 * about to be reported. */
void observe_stop(unsigned vcpu, uint64_t rip);
void observe_settle(unsigned vcpu);

/* observe_catch_up() - updates the counts to the present. observe_near(): from now on this is asked
 * for every few blocks, or no longer. */
void observe_catch_up(unsigned vcpu);

/* observe_targets() - updates the counts that the vCPU's targets need (stop_needs_clock()). */
void observe_targets(unsigned vcpu);
void observe_near(bool on);

/* observe_time() - whether something that has to do with time is counted. With several vCPUs it is
 * taken for that. */
void observe_time(bool on);

/* observe_ring_costs() - writes the modelled costs of a profile (include/perf0/profile_file.h) to
 * their places among `cost`, up to the present. Without any it does nothing. */
void observe_ring_costs(unsigned vcpu, uint64_t cost[PROFILE_COSTS]);

/* observe_is_fetched() - the last fetched line of code has all of these bytes, with a model.
 * Requires observe_catch_up(). */
bool observe_is_fetched(unsigned vcpu, uint64_t va, size_t bytes);

/* observe_block() - a block of so many instructions is being translated; `goes_back`: its last one
 * may lead to its first. observe_block_end(): its end, and the most that it may add. */
void observe_block(size_t instructions, bool goes_back);
void observe_block_end(void);

/*
 * Inside a block. observe_run() - a run begins with `insn`, the `i`th one of the block.
 * observe_ends_run(): `insn` must begin another run, as it ends in another line. observe_run_add():
 * adds `insn`, of these bytes, to the last run; returns its description for the core in time, NULL
 * without a model. observe_branch(), observe_accesses(), observe_flush(): describe `insn` before it
 * is added.
 */
void observe_run(struct qemu_plugin_insn *insn, size_t i, uint64_t physical,
		 enum events_level level);
bool observe_ends_run(const struct qemu_plugin_insn *insn);
const struct core_insn *observe_run_add(const struct qemu_plugin_insn *insn,
					const struct decoded *d, const uint8_t *code);
void observe_branch(struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_accesses(struct qemu_plugin_insn *insn, const struct decoded *d);
void observe_flush(struct qemu_plugin_insn *insn);

#endif
