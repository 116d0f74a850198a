/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault.h - exceptions of ring 3: those that can be mended are, and ring 3 goes on; the others end
 * their task. Either way they are counted, as software events, where they happen.
 */
#ifndef RT_TASK_FAULT_H
#define RT_TASK_FAULT_H

#include <asm/siginfo.h>

struct task;

/* fault_init() - from now on, on every CPU. Once, at start-up. */
void fault_init(void);

/* fault_tell_end() - `info` ends the process of `t`: says why, or keeps that for fault_text(). */
void fault_tell_end(const struct task *t, const siginfo_t *info);

/* fault_text() - what ended task 1, one line, when a fault did. */
const char *fault_text(void);

#endif
