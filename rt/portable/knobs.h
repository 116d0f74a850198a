/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knobs.h - registers that make a CPU quiet: they fix its frequency, prevent sleep states, and turn
 * prefetchers off. A knob is a row: a register, its bits, the CPUs that have it, and its quiet
 * value. No register is assumed to exist: each access may fault, a register may be locked, and a
 * write may be dropped. All of that is reported; none of it is an error.
 *
 * Registers of a core or a package are visible on each of its CPUs. So all CPUs read theirs, then
 * all write, and later all restore: never one CPU after the other. Task and IRQ context, on the CPU
 * in question, unless a function says otherwise.
 */
#ifndef RT_PORTABLE_KNOBS_H
#define RT_PORTABLE_KNOBS_H

#include "arch/x86/portable/cpuid.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum knob_group {
	KNOB_FREQUENCY, /* fixes the frequency: one such knob is enough */
	KNOB_TURBO,
	KNOB_POWER,
	KNOB_SLEEP,
	KNOB_UNCORE,
	KNOB_COUNTING, /* settings of the counters themselves */
	KNOB_PREFETCH, /* set only by the user's choice */
};

struct knob {
	const char *key, *title; /* for programs, for people */
	uint32_t msr;
	enum knob_group group;
};

/* In order of severity: the worst state of several CPUs is the greatest. */
enum knob_state {
	KNOB_ABSENT,  /* this CPU does not have it */
	KNOB_LEFT,    /* the CPU has it, and it was not to be changed */
	KNOB_ALREADY, /* it already had the quiet value */
	KNOB_SET,
	KNOB_LOCKED,  /* the firmware has locked it until the next reset */
	KNOB_DROPPED, /* the write succeeded, but the register has another value */
	KNOB_REFUSED, /* #GP */
};

/* The values of each knob on one CPU, in the order of the rows. */
#define KNOBS_MOST 24
struct knob_value {
	uint64_t before, now; /* of the whole register */
	uint8_t state;        /* enum knob_state */
};

/* knob_row() - row `i`, from 0; NULL: there are no more. knob_state_name() - a name such as "set".
 * Any context. */
const struct knob *knob_row(size_t i);
const char *knob_state_name(enum knob_state state);

/* knob_is_held() - does the CPU have the knob's quiet value? */
static inline bool knob_is_held(const struct knob_value *value)
{
	return value->state == KNOB_ALREADY || value->state == KNOB_SET;
}

enum prefetchers { PREFETCH_LEFT, PREFETCH_ON, PREFETCH_OFF, PREFETCH_MASK };

/* The user's choice of knobs. A bit set in `mask` turns a prefetcher off. */
struct knob_choice {
	enum prefetchers prefetchers;
	uint64_t mask;
};

/* knob_choose() - reads "on", "off" or a mask. -EINVAL with the reason. Any context. */
int knob_choose(const char *text, struct knob_choice *choice, struct reason *why);

/*
 * knobs_read() - fills in `values`: `before`, and the state KNOB_ABSENT, KNOB_REFUSED, KNOB_LOCKED
 * or KNOB_LEFT. knobs_set() - then sets the values of `choice` and the rows.
 */
void knobs_read(const struct pmu_caps *caps, struct knob_value values[KNOBS_MOST]);
void knobs_set(const struct knob_choice *choice, struct knob_value values[KNOBS_MOST]);

/* knobs_restore() - restores exactly the bits that knobs_set() wrote. Returns a bit for each row
 * where that failed. */
uint32_t knobs_restore(const struct knob_value values[KNOBS_MOST]);

/* knob_prefetchers() - the bits of the register that turn prefetchers off on such a CPU; 0: none
 * are known. Any context. */
uint64_t knob_prefetchers(const struct pmu_caps *caps);

#endif
