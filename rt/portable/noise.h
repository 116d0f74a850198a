/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * noise.h - the noise certificate of a measurement: registers and traps of each CPU before and
 * after it, and a verdict. A value that a machine does not report is unknown, which differs from
 * zero, and is printed as such. noise_read() runs in task and IRQ context on the CPU in question;
 * the others in any context.
 */
#ifndef RT_PORTABLE_NOISE_H
#define RT_PORTABLE_NOISE_H

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/portable/mca.h"
#include "rt/portable/knobs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NOISE_UNKNOWN UINT64_MAX

enum noise_reading {
	NOISE_SMI,
	NOISE_MPERF,
	NOISE_APERF,
	NOISE_THERMAL,     /* event bits of IA32_THERM_STATUS */
	NOISE_PKG_THERMAL, /* likewise of the package */
	NOISE_PKG_C2,
	NOISE_PKG_C3,
	NOISE_PKG_C6,
	NOISE_PKG_C7,
	NOISE_CORE_C3,
	NOISE_CORE_C6,
	NOISE_CORE_C7,
	NOISE_READINGS,
};

/* The state of a CPU at one moment. */
struct noise_cpu {
	uint64_t reading[NOISE_READINGS]; /* or NOISE_UNKNOWN */
	uint64_t ticks;                   /* elapsed TSC ticks, corrected for changes of the TSC */
	/* The state of each machine-check bank as one number, which a new or repeated error
	 * changes. 0: no error. */
	uint64_t banks[MCA_BANKS_MOST];
	/* Counts of traps: interrupts, those without a handler, NMIs, those without a cause. */
	uint64_t irqs, stray_irqs, nmis, unknown_nmis;
	uint64_t stolen; /* ns in which a hypervisor ran something else; NOISE_UNKNOWN */
	/* Bounds of its TSC's lead over CPU 0's; both 0 on CPU 0. */
	int64_t tsc_least, tsc_most;
	uint8_t core_type;
};

/* noise_read() - reads everything except traps, ticks, stolen time and the lead of the TSC.
 * `fresh`: clears the sticky bits of thermal events, so that they report only later events. */
void noise_read(const struct pmu_caps *caps, struct noise_cpu *cpu, bool fresh);

#define NOISE_REASONS    8
#define NOISE_REASON_MAX 80
#define NOISE_KNOBS_MAX  320

struct noise_certificate {
	bool quiet; /* the machine was made quiet */
	bool pass;
	unsigned nreasons; /* what disturbed it */
	char reason[NOISE_REASONS][NOISE_REASON_MAX];
	/* NOISE_UNKNOWN where unknown. */
	uint64_t cpus, smis, irqs, stray_irqs, nmis, unknown_nmis, machine_checks, tsc_steps;
	uint64_t ratio, ratio_spread;  /* APERF / MPERF, and highest minus lowest CPU, in 1/10000 */
	uint64_t thermal, power_limit; /* 1: there were such events */
	uint64_t sleep;                /* share of the time in deeper C-states, in 1/100 % */
	uint64_t pinned;               /* 1: a register holds the frequency */
	uint64_t turbo_off;            /* likewise */
	uint64_t prefetchers;          /* prefetchers that are off, as bits of their register */
	uint64_t microcode;
	uint64_t memory_mts;         /* MT/s */
	uint64_t stolen;             /* ns in which a hypervisor ran something else, of all CPUs */
	char knobs[NOISE_KNOBS_MAX]; /* state of each: "turbo set, EPB locked" */
};

/* The input of noise_judge(). `values` has the knobs of each CPU in turn. */
struct noise_input {
	const struct noise_cpu *before, *after;
	unsigned ncpus;
	const struct knob_value (*values)[KNOBS_MOST];
	bool quiet;
	uint64_t microcode, memory_mts; /* NOISE_UNKNOWN */
};

void noise_judge(const struct noise_input *in, struct noise_certificate *c);

/*
 * noise_row() - figure `i` of a certificate, from 0: its key, its title, and its value as text. An
 * unknown value is "not told"; for programs (`plain`) a value is a JSON number or null. False:
 * there are no more. `line`: the line of the printed block that has it.
 */
#define NOISE_TEXT_MAX 32
struct noise_figure {
	const char *key, *title;
	unsigned line;
	char text[NOISE_TEXT_MAX];
};
bool noise_row(const struct noise_certificate *c, size_t i, bool plain,
	       struct noise_figure *figure);

/*
 * noise_line() - the certificate in one line: "noise: PASS; smis=0 ...". noise_reasons() - the
 * disturbances, with ", " between them. Both return `text`, which has `size` bytes.
 */
char *noise_line(const struct noise_certificate *c, char *text, size_t size);
char *noise_reasons(const struct noise_certificate *c, char *text, size_t size);

#endif
