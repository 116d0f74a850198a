/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task_mark.h - what ring 0 tells QEMU's plugin (vpmu/plugin/) about the task that ring 3 goes on
 * with: one load of a form that nothing else uses. On any other machine it is just a load.
 */
#ifndef PERF0_TASK_MARK_H
#define PERF0_TASK_MARK_H

#include <stdint.h>

/* The plugin knows the load by its displacement: `movq TASK_MARK_OFFSET(%reg), %reg`. */
#define TASK_MARK_OFFSET 0x66307470

/* The task of this CPU's ring 3, from now on, unless `stack` says otherwise. */
struct task_mark {
	uint64_t task;  /* never used for another task, or another program of the same one */
	uint64_t stack; /* a signal's handler is entered next: where its return address lies; else 0
			 */
	uint64_t space; /* its memory, which threads share; never used for another process */
};

/*
 * In `stack`: the task ends; the task is new, and will begin where this CPU's is now, which goes
 * on; the image's command ends, whose tasks have all ended (`task` is 0). As a bit of `stack`: a
 * signal's handler is over, and what it interrupted goes on with this RSP.
 */
#define TASK_MARK_ENDS    UINT64_MAX
#define TASK_MARK_COPY    UINT64_C(2)
#define TASK_MARK_COMMAND UINT64_C(4)
#define TASK_MARK_RESUMES UINT64_C(1)

#endif
