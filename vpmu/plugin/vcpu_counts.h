/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vcpu_counts.h - what each vCPU has counted, in memory of the plugin's own, and the page into
 * which it is copied when vpmu asks (include/perf0/events_page.h).
 */
#ifndef VPMU_PLUGIN_VCPU_COUNTS_H
#define VPMU_PLUGIN_VCPU_COUNTS_H

#include "include/perf0/events_page.h"
#include "vpmu/plugin/qemu_api.h"
#include "vpmu/plugin/insn_counts.h"

#include <stdbool.h>
#include <stdint.h>

struct interned;

struct counted {
	uint64_t n[EVENTS_NUMBERS];    /* since QEMU started */
	uint64_t base[EVENTS_NUMBERS]; /* what a saved machine had counted before */
	bool is_based;
	const struct tally *armed; /* of the instruction that runs, until its access succeeds */
	/* The last instruction that was added when it began, of those that do so now and then; what
	 * the count of instructions was then. */
	const struct interned *begun;
	uint64_t begun_count;
	/* The last REP string instruction that began, and what the count was when it last did
	 * anything; whether one of the two loads of its iteration was seen. */
	const struct interned *repeated;
	uint64_t repeated_count;
	bool is_half;
};

/*
 * counted_begin() - maps the page at `path` and writes its header; false: it can not, and a line
 * says why. `per_vcpu`: additions inline are by vCPU. Where they are not, and there are several
 * vCPUs, counted_add_*() use callbacks.
 */
bool counted_begin(const char *path, unsigned vcpus, bool per_vcpu, enum events_level highest);

/* counted_page() - the page. */
struct events_page *counted_page(void);

/* counted_of() - of this vCPU, from within one of its callbacks. */
struct counted *counted_of(unsigned vcpu);

/*
 * counted_undo() - the instruction at `at` has begun and does not complete: `tally` of it, where
 * that is always added when it begins; else NULL.
 */
void counted_undo(unsigned vcpu, uint64_t at, const struct tally *tally);

/*
 * counted_leave() - the guest goes on at `at`. Of a REP string instruction there that has begun and
 * is not over, that it began is not counted, for it begins there once more.
 */
void counted_leave(unsigned vcpu, uint64_t at);

/* counted_copy() - vpmu asks for the counts: into the page. counted_answer(): they are there;
 * `level` is in force. */
void counted_copy(unsigned vcpu);
void counted_answer(unsigned vcpu, enum events_level level);

/* counted_by_call() - additions of what is translated from now on are calls, in the order in which
 * they are asked for; or as usual. */
void counted_by_call(bool on);

/*
 * While a block is translated. counted_add() - adds `tally` when `insn` is about to run;
 * counted_add_begun(): likewise, with what runs `before` it, and that it did is remembered, for
 * counted_undo();
 * counted_add_by_access(): with each of its accesses; counted_add_by_first(): with the first of
 * them each time that it runs. counted_ignore_accesses(): for one whose accesses functions of
 * QEMU's do, whatever else they are for: where it has no callback at all, QEMU 7 hands them to that
 * of an earlier RET or indirect branch.
 */
void counted_add(struct qemu_plugin_insn *insn, const struct tally *tally);
void counted_add_begun(struct qemu_plugin_insn *insn, const struct tally *before,
		       const struct tally *tally);
void counted_add_by_access(struct qemu_plugin_insn *insn, const struct tally *tally);
void counted_add_by_first(struct qemu_plugin_insn *insn, enum plugin_rw rw,
			  const struct tally *tally);
void counted_ignore_accesses(struct qemu_plugin_insn *insn);

/*
 * counted_add_repeated() - of a REP string instruction of which QEMU does many iterations at once:
 * one when it begins, and `d`'s tally for each iteration.
 */
void counted_add_repeated(struct qemu_plugin_insn *insn, const struct decoded *d);

#endif
