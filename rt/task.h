/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.h - runs a workload in ring 3, in its own address range with its own stack, heap and guards,
 * and brings the CPU back whatever it does: exit, fault, time-out, ^C.
 *
 * Task context. One workload at a time.
 */
#ifndef RT_TASK_H
#define RT_TASK_H

#include "pmu/pmu.h"
#include "rt/trace.h"
#include "rt/workload.h"

#include <stdbool.h>
#include <stdint.h>

#define TASK_PID 1

enum task_end { TASK_EXITED, TASK_FAULTED, TASK_TIMED_OUT, TASK_INTERRUPTED };

struct task_outcome {
	enum task_end end;
	int status;          /* exit status, as a shell would give it: see rt/command.h */
	uint64_t elapsed_ns; /* from before its events are started until they are stopped */
	uint64_t user_ns;    /* of that, in ring 3, interrupts included */
	uint64_t sys_ns;     /* of that, in ring 0 and not asleep */
	char why[160];       /* what ended it, when it was not its own exit */
};

/* task_init() - maps the user sections, the stack and the heap. Once, at start-up. */
void task_init(void);

/*
 * task_run() - `call` with a fresh heap and fresh data; events with enable_on_exec start with its
 * first instruction. `timeout_ns` 0: none. Returns the exit status.
 */
int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome);

/*
 * task_interrupt() - ^C: ends the running workload, or the next one before it starts. IRQ context.
 * task_forget_interrupt(): the ^C was meant for something else. task_runs(): there is one to end.
 */
void task_interrupt(bool from_user);
bool task_runs(void);
void task_forget_interrupt(void);

/* task_check_interrupt() - does not return when task_interrupt() or the time-out came meanwhile.
 * System call context, interrupts off. */
void task_check_interrupt(void);

/* task_events() - the task as the event core knows it, by TASK_PID; it may run or not. Any context.
 */
struct pmu_task *task_events(void);

/* task_comm() - the name of the workload that runs, or ran last. Any context. */
const char *task_comm(void);

/*
 * task_leave_cpu() - the task gives the CPU to nobody, and its events stop; task_enter_cpu(): it
 * has it again. Interrupts off.
 */
void task_leave_cpu(enum trace_task_state state);
void task_enter_cpu(void);

/*
 * task_share_event() - the workload sees the control page of `e` as page `i` of WORKLOAD_EVENTS,
 * and may use RDPMC from now on. task_unshare_events() - it sees and may no more. Errors as
 * pmu_event_set_page(). Task context, while nothing runs.
 */
int task_share_event(unsigned i, struct pmu_event *e);
void task_unshare_events(void);

/* task_current() - what ring 3 runs on this CPU, kept up to date. */
const struct pmu_current *task_current(void);

#endif
