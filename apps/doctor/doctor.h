/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor.h - the self-test of a PMU: a table of checks, each with a verdict. A feature that is
 * found wrong is refused for the rest of the boot (pmu/core/distrust.h).
 *
 * Portable; task context on the boot CPU, with no events open. The checks of the counters run on
 * each other CPU, too.
 */
#ifndef APPS_DOCTOR_DOCTOR_H
#define APPS_DOCTOR_DOCTOR_H

#include "arch/x86/portable/cpuid.h"
#include "pmu/core/distrust.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum doctor_state {
	DOCTOR_RIGHT,
	DOCTOR_WRONG,
	DOCTOR_ABSENT,  /* this machine has no such thing, or nothing to compare with */
	DOCTOR_SKIPPED, /* it hung the machine at an earlier boot */
	DOCTOR_STATES
};

enum doctor_group {
	DOCTOR_COUNTERS,
	DOCTOR_OVERFLOW,
	DOCTOR_SAMPLES,
	DOCTOR_RULES,
	DOCTOR_KERNELS,
	DOCTOR_CLOCKS,
	DOCTOR_GROUPS
};

enum doctor_need {
	DOCTOR_NEEDS_NOTHING,
	DOCTOR_NEEDS_PMU,
	DOCTOR_NEEDS_INTEL,
	DOCTOR_NEEDS_AMD,
};

/* How often each distance from an overflow to its NMI was seen, on one kind of counter. */
#define DOCTOR_SKIDS 32
struct doctor_histogram {
	const char *kind;
	unsigned n;      /* rows of `bin`, by their skid */
	unsigned unseen; /* overflows whose NMI did not come within the slide */
	struct {
		uint64_t skid; /* instructions */
		unsigned times;
	} bin[DOCTOR_SKIDS];
};

#define DOCTOR_TEXT 160
struct doctor_verdict {
	enum doctor_state state;
	char text[DOCTOR_TEXT];      /* one sentence: a figure, or the reason */
	bool has_figures;            /* the next two are valid */
	uint64_t measured, expected; /* of what the sentence names */
	uint64_t counters; /* wrong: these counters, a mask; 0: no counter in particular */
	const struct doctor_histogram *histogram; /* `nhistograms` of them; valid as the report */
	unsigned nhistograms;
};

/* The code with known counts: apps/doctor_code.S; one turn of each has fixed counts. */
enum doctor_kernel {
	DOCTOR_LOOP,    /* a loop of two instructions */
	DOCTOR_LOADS,   /* four loads of one line a turn */
	DOCTOR_STORES,  /* four stores */
	DOCTOR_CALLS,   /* a call and a return */
	DOCTOR_CHASE,   /* a load that depends on the last one, of another line each */
	DOCTOR_PATTERN, /* a branch that no history predicts */
	DOCTOR_PAIRS, /* two loads of one line, another one each turn; no cache of a core has it */
	DOCTOR_SLIDE, /* instructions of one byte, without a loop: see `slide` */
	DOCTOR_KERNELS_N
};

/* The machine, for portable checks. Members marked (may be NULL) are optional. */
struct doctor_host {
	void (*run)(enum doctor_kernel kernel, uint64_t turns);
	/*
	 * Reads the counter of RDPMC `index`, then executes instructions of one byte from `*first`
	 * on, DOCTOR_SLIDE_BYTES of them. Returns the counter.
	 */
	uint64_t (*slide)(uint32_t index, uint64_t *first);
	/* The addresses of a kernel's code, from `*first` to before `*end`. */
	void (*code)(enum doctor_kernel kernel, uint64_t *first, uint64_t *end);
	/*
	 * A span of some milliseconds by the TSC, and by a reference: the HPET, the ACPI PM timer,
	 * the APIC timer's interrupt. False: there is no such reference. (may be NULL)
	 */
	bool (*hpet)(uint64_t *measured_ns, uint64_t *expected_ns);
	bool (*pm_timer)(uint64_t *measured_ns, uint64_t *expected_ns);
	bool (*apic_timer)(uint64_t *measured_ns, uint64_t *expected_ns);
	/* Page `n`, 0 or 1, for a trace; NULL: there is none. (may be NULL) */
	void *(*trace_page)(unsigned n, uint64_t *physical);
	/* The registers of the quiet machine, as the firmware left them. (may be NULL) */
	void (*knobs)(char *text, size_t size);
	/*
	 * The CPUs, and a call of `fn` on one of them, which returns when `fn` has: interrupts off.
	 * CPU 0 is the one that the checks run on. (both may be NULL: there is no other CPU)
	 */
	unsigned (*ncpus)(void);
	void (*on_cpu)(unsigned cpu, void (*fn)(void *arg), void *arg);
	/* Called before each check, with its name; false: it is to be skipped. */
	bool (*begin)(const char *name);
	/* Called after each check. (may be NULL) */
	void (*end)(const char *name, const struct doctor_verdict *v);
};
#define DOCTOR_SLIDE_BYTES 4096

struct doctor_row {
	const char *name, *title;
	enum doctor_group group;
	struct doctor_verdict verdict;
};

#define DOCTOR_ROWS_MOST 64
struct doctor_report {
	unsigned n;
	struct doctor_row row[DOCTOR_ROWS_MOST];
	unsigned tally[DOCTOR_STATES];
};

/*
 * doctor_run() - runs all checks, or with `only` the one of that name; refuses what is wrong. The
 * report is valid until the next call. doctor_group_name(), doctor_state_name() - for people and
 * JSON.
 */
const struct doctor_report *doctor_run(const struct doctor_host *host, const struct pmu_caps *caps,
				       const char *only);
const char *doctor_group_name(enum doctor_group group);
const char *doctor_state_name(enum doctor_state state);

#endif
