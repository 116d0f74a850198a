/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quiet.h - makes all online CPUs quiet for a measurement, and reports the noise in the
 * meantime. One measurement at a time. Task context, CPU 0.
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

/* quiet_look() - the noise since quiet_begin(). Each call counts from that moment. */
void quiet_look(struct noise_certificate *certificate);

/*
 * quiet_end() - puts back what was set, and forgets all of it. Returns a bit for each knob that
 * does not read as before on some CPU. Without quiet_begin() it does nothing.
 */
uint32_t quiet_end(void);

/* quiet_states() - the states of the knobs on CPU `cpu`, between quiet_begin() and quiet_end(). */
const struct knob_value *quiet_states(unsigned cpu);

/* quiet_is_default() - are measurements quiet by default? On silicon they are. */
bool quiet_is_default(void);

#endif
