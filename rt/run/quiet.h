/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quiet.h - makes all online CPUs quiet for a measurement, and reports the noise during it. One
 * measurement at a time. Task context, CPU 0.
 */
#ifndef RT_RUN_QUIET_H
#define RT_RUN_QUIET_H

#include "rt/portable/knobs.h"
#include "rt/portable/noise.h"

/*
 * quiet_begin() - reads the registers of rt/portable/knobs.h on all CPUs. If `set`, it then sets
 * them by `choice`. From then on noise is measured. -ENOMEM with the reason: nothing was done.
 */
int quiet_begin(bool set, const struct knob_choice *choice, struct reason *why);

/* quiet_look() - the noise since quiet_begin(). Each call measures from that moment. */
void quiet_look(struct noise_certificate *certificate);

/*
 * quiet_end() - restores the registers and forgets the measurement. Returns a bit for each knob
 * that does not have its former value on some CPU. Without quiet_begin() it does nothing.
 */
uint32_t quiet_end(void);

/* quiet_states() - the states of the knobs on CPU `cpu`, between quiet_begin() and quiet_end(). */
const struct knob_value *quiet_states(unsigned cpu);

/* quiet_is_default() - are measurements quiet by default? On silicon they are. */
bool quiet_is_default(void);

#endif
