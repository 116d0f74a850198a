/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * home.h - the way home to the Linux that has started the image by kexec. Without one
 * (handoff->home is empty) home_is_set() is false, and the functions do nothing.
 */
#ifndef RT_HOME_HOME_H
#define RT_HOME_HOME_H

#include <stdbool.h>
#include <stdint.h>

struct handoff;

/* home_init() - makes what the way home needs. After paging_init(), before any device is touched.
 * Boot CPU. */
void home_init(const struct handoff *handoff);
bool home_is_set(void);

/*
 * home_begin() - from now on results are kept, a panic goes home with its text, and so do the
 * commands that have not ended after `seconds` (0: they may take as long as they want): they are
 * interrupted, and left behind if that does not help. `quiet_dma`: home_dma.h. Task context, before
 * the first command.
 */
void home_begin(const struct handoff *handoff, uint32_t seconds, bool quiet_dma);

/* home_go() - the commands have ended: goes home with the results. Task context on the boot CPU; it
 * returns only without a way home. */
void home_go(void);

#endif
