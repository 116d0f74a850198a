/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_fault.h - exceptions of ring 3. Where a fault can be resolved, ring 3 continues; otherwise
 * the task ends. Both kinds are counted as software events where they happen.
 */
#ifndef LINUX_TASK_TASK_FAULT_H
#define LINUX_TASK_TASK_FAULT_H

#include <asm/siginfo.h>

struct task;

/* fault_init() - installs the handlers on every CPU. Once, at start-up. */
void fault_init(void);

/* fault_tell_end() - `info` ends the process of `t`: reports why, or keeps the reason for
 * fault_text(). */
void fault_tell_end(const struct task *t, const siginfo_t *info);

/*
 * crash_note() - `info` ends the process of `t`, whose memory this CPU has: keeps registers, maps
 * and stack for the host tool, which has the files that say which functions these are; of the first
 * processes of a run. `why` is one sentence. Nothing where Linux would write no core, and of
 * programs of the image. Task context. crash_send() - what was kept goes out, and is forgotten.
 * Task context of CPU 0.
 */
void crash_note(const struct task *t, const siginfo_t *info, const char *why);
void crash_send(void);

/* fault_text() - one line about the fault that ended the first task, if one did. */
const char *fault_text(void);

#endif
