/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_fault.h - exceptions of ring 3. If the fault can be resolved, ring 3 continues. Otherwise
 * the task gets a signal. Faults are counted as software events.
 */
#ifndef LINUX_TASK_TASK_FAULT_H
#define LINUX_TASK_TASK_FAULT_H

#include <asm/siginfo.h>

struct task;

/* fault_init() - installs the handlers on every CPU. Once, at start-up. */
void fault_init(void);

/* fault_tell_end() - called when the signal `info` ends the process of `t`: prints the reason, or
 * keeps it for fault_text(). */
void fault_tell_end(const struct task *t, const siginfo_t *info);

/*
 * crash_note() - called when the signal `info` ends the process of `t`, whose memory this CPU has
 * entered. Keeps registers, maps and stack for the host tool, which has the files that name the
 * functions. It does so for the first processes of a run, except programs of the image, and only if
 * Linux would write a core. `why` is one sentence. Task context.
 * crash_send() - sends all reports, and frees them. Task context of CPU 0.
 */
void crash_note(const struct task *t, const siginfo_t *info, const char *why);
void crash_send(void);

/* fault_text() - one line about the fault that ended the first task; empty: none did. */
const char *fault_text(void);

#endif
