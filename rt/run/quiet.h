/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quiet.h - a quiet machine for a measurement, on all CPUs that are online, and what there was of
 * noise meanwhile. One measurement at a time. Task context, CPU 0.
 */
#ifndef RT_RUN_QUIET_H
#define RT_RUN_QUIET_H

#include "rt/portable/knobs.h"
#include "rt/portable/noise.h"

/*
 * quiet_begin() - reads what the registers are on all CPUs, then sets them as rt/portable/knobs.h
 * has it, where `set`; and begins to look for noise. -ENOMEM with the reason: nothing was done.
 */
int quiet_begin(bool set, const struct knob_choice *choice, struct reason *why);

/* quiet_look() - what there was since then. Once more: since the same moment. */
void quiet_look(struct noise_certificate *certificate);

/*
 * quiet_end() - puts back what was set, and forgets all of it. Returns a bit for each knob that
 * does not read as before on some CPU. Without quiet_begin() it does nothing.
 */
uint32_t quiet_end(void);

/* quiet_states() - what a knob is on CPU `cpu`, between quiet_begin() and quiet_end(). */
const struct knob_value *quiet_states(unsigned cpu);

/* quiet_is_default() - measurements are quiet unless they are asked not to be: on silicon. */
bool quiet_is_default(void);

#endif
