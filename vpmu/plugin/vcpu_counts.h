/* SPDX-License-Identifier: BSD-2-Clause */
/* vcpu_counts.h - the counts of each vCPU, in memory of the plugin, and the page into which they
 * are copied when vpmu asks (include/perf0/events_page.h). */
#ifndef VPMU_PLUGIN_VCPU_COUNTS_H
#define VPMU_PLUGIN_VCPU_COUNTS_H

#include "include/perf0/events_page.h"
#include "vpmu/plugin/qemu_api.h"
#include "vpmu/plugin/insn_counts.h"

#include <stdbool.h>
#include <stdint.h>

struct interned;

struct counted {
	uint64_t n[EVENTS_NUMBERS];    /* since QEMU started, but what is in `user` */
	uint64_t user[EVENTS_NUMBERS]; /* of ring 3's profiled blocks (profile_pieces.h) */
	uint64_t intercepted;          /* profiled instructions that vpmu does, and counts itself */
	uint64_t base[EVENTS_NUMBERS]; /* counts of a restored machine from before */
	bool is_based;
	const struct interned *armed; /* of the running instruction, until its access succeeds */
	/* The last instruction whose tally was added at its start, if that varies; and the count of
	 * instructions then. */
	const struct interned *begun;
	uint64_t begun_count;
	/* The last REP string instruction that began; the count at its last activity; whether one
	 * of an iteration's two loads was seen. */
	const struct interned *repeated;
	uint64_t repeated_count;
	bool is_half;
};

/*
 * counted_begin() - maps the page at `path`, and writes its header; false, with a message: it
 * cannot. `per_vcpu`: inline additions are by vCPU. Otherwise counted_add_*() use callbacks with
 * several vCPUs.
 */
bool counted_begin(const char *path, unsigned vcpus, bool per_vcpu, enum events_level highest);

/* counted_page() - the page. */
struct events_page *counted_page(void);

/* counted_of() - the counts of this vCPU, within one of its callbacks. */
struct counted *counted_of(unsigned vcpu);

/* counted_sum() - the sum of the terms, since QEMU started, within a callback of the vCPU. */
uint64_t counted_sum(unsigned vcpu, const int16_t term[EVENTS_TERMS]);

/* counted_undo() - the instruction at `at` has begun and does not complete. `tally`: what is always
 * added at its start, or NULL. */
void counted_undo(unsigned vcpu, uint64_t at, const struct tally *tally);

/* counted_leave() - the guest goes on at `at`. If a REP string instruction there has begun and is
 * not over, its start is uncounted, as it begins there again. */
void counted_leave(unsigned vcpu, uint64_t at);

/* counted_copy() - copies the counts into the page for vpmu. counted_answer(): announces them;
 * `level` is in force. */
void counted_copy(unsigned vcpu);
void counted_answer(unsigned vcpu, enum events_level level);

/* counted_by_call() - from now on additions of translated code are callbacks in the order of their
 * registration; or inline again. counted_as_user(): from now on they are of profiled ring 3. */
void counted_by_call(bool on);
void counted_as_user(bool on);

/*
 * While a block is translated. `executions` are the piece's of a profile, or NULL. counted_add() -
 * adds `tally` when `insn` is about to run. counted_add_begun(): also adds `before`, and remembers
 * the start for counted_undo(). counted_add_by_access(): adds it at each access.
 * counted_add_by_first(): at the first access of each execution. counted_ignore_accesses(): for an
 * instruction whose accesses helper functions of QEMU do. Without any callback QEMU 7 passes them
 * to that of an earlier RET or indirect branch.
 */
void counted_add(struct qemu_plugin_insn *insn, const struct tally *tally, uint64_t *executions);
void counted_add_begun(struct qemu_plugin_insn *insn, const struct tally *before,
		       uint64_t *executions_before, const struct tally *tally,
		       uint64_t *executions);
void counted_add_by_access(struct qemu_plugin_insn *insn, const struct tally *tally,
			   uint64_t *executions);
void counted_add_by_first(struct qemu_plugin_insn *insn, enum plugin_rw rw,
			  const struct tally *tally, uint64_t *executions);
void counted_ignore_accesses(struct qemu_plugin_insn *insn);

/* counted_note_intercepted() - for a profiled instruction that QEMU begins and vpmu does. */
void counted_note_intercepted(struct qemu_plugin_insn *insn, uint64_t *executions);

/* counted_add_repeated() - for a REP string instruction whose iterations QEMU loops over: adds one
 * at its start, and `d`'s tally for each iteration. */
void counted_add_repeated(struct qemu_plugin_insn *insn, const struct decoded *d, uint64_t *starts,
			  uint64_t *iterations);

#endif
