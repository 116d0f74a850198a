/* SPDX-License-Identifier: BSD-2-Clause */
/* start.h - the last step of each entry: the runtime, on a stack of its own. */
#ifndef BOOT_START_H
#define BOOT_START_H

#include "include/perf0/handoff.h"

/* The entry fills it in; start_own() and start_note_stack() add the stack. */
extern struct handoff boot_handoff;

/* start_runtime() - the entry of the runtime for world_lend() and start_own(): it runs in the upper
 * half. start_stack_top() - the end of the runtime's stack, an address of the lower half.
 * start_note_stack() - notes that stack in boot_handoff. */
_Noreturn void start_runtime(void);
void *start_stack_top(void);
void start_note_stack(void);

/* start_own() - enters the upper half and the runtime for good (mode=own). Interrupts are off, and
 * the present tables map the image, and memory that boot_handoff lists as conventional. */
_Noreturn void start_own(void);

#endif
