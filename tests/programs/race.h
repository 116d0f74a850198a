/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * race.h - the parts of race.c: its tasks and their own counts (race_tasks.c), its events and the
 * bounds of their counts (race_events.c).
 */
#ifndef TESTS_RACE_H
#define TESTS_RACE_H

#include "apps/workloads/crt.h"
#include "apps/workloads/text_line.h"

#include <linux/errno.h>
#include <linux/hw_breakpoint.h>
#include <stdbool.h>
#include <stddef.h>

#define MARKS       2
#define TASKS_MAX   8
#define CPUS_MAX    8
#define DEBUGREGS   4
#define PAGE        4096
#define BURST       20
#define LIMIT       5    /* overflows until an event stops by itself */
#define SHORT_CALLS 2000 /* calls of a task that ends soon */
#define PATIENCE_NS 10000000000

/* Written by the task alone. */
struct task {
	uint64_t begun[MARKS], ended[MARKS]; /* calls */
	uint64_t moves, faults, random;
	uint32_t go, ready;
	struct thread thread;
	long tid;
};

/* An event on a mark in one task, and the bounds of its count. */
struct event {
	long handle;
	const struct task *task;
	unsigned mark;
	bool enabled;
	uint64_t period;
	uint64_t low, high;           /* its count up to when it was last enabled */
	uint64_t low_from, high_from; /* the numbers of calls from which on low and high grow */
	uint64_t value, time_enabled, time_running; /* as last read */
};

enum op {
	OP_OPEN,
	OP_REFUSED, /* an open that the runtime must refuse */
	OP_CLOSE,
	OP_ENABLE,
	OP_DISABLE,
	OP_RESET,
	OP_REFRESH,
	OP_READ,
	OP_PERIOD,
	OP_MODIFY,
	OP_GROUP,
	OP_MOVE,
	OPS,
};

extern struct race {
	struct task tasks[TASKS_MAX], brief, process;
	unsigned ntasks, ncpus;
	uint32_t stop;
	uint64_t seed, random;
	struct event always[TASKS_MAX], toggled[TASKS_MAX], counter[TASKS_MAX], faults[TASKS_MAX];
	long migrations[TASKS_MAX], of_cpu[CPUS_MAX];
	bool counters;
	uint64_t gone_calls, gone; /* tasks that have ended: their calls, their number */
	uint64_t ops[OPS];
} race;

/* race_tasks.c */
uint64_t race_mark_address(unsigned mark);
uint64_t race_below(uint64_t *random, uint64_t n);
uint64_t race_load_shared(const uint64_t *from);
/* Moves a task to one CPU, or lets it run on any. */
long race_move_task(long tid, uint64_t cpu);
void race_entry_task(uint64_t which);
/* Entry of a thread that ends soon. */
void race_entry_brief(void);
/* Entry of a process that ends soon. It shares all memory: copying would make the other tasks'
 * writes fault. */
void race_entry_process(uint64_t calls);
void race_line_count(struct line *l, const char *before, uint64_t value, const char *behind);
_Noreturn void fail_race(const char *what, uint64_t got, uint64_t low, uint64_t high);
/* Ends the program where the system call failed. */
long race_must_succeed(const char *what, long result);
void race_must_be(const char *what, uint64_t got, uint64_t wanted);

/* race_events.c */
struct perf_event_attr race_breakpoint(unsigned mark, bool disabled, uint64_t period);
struct perf_event_attr race_counting(uint32_t type, uint64_t config);
long race_open_perf(const struct perf_event_attr *attr, long tid, int cpu, long group);
void race_close_perf(long handle);
void race_control_perf(enum op op, long handle, unsigned long request, uint64_t arg);
void race_open_event(struct event *e, const struct task *t, const struct perf_event_attr *attr,
		     unsigned mark);
void race_enable(struct event *e);
/* Adds a limit that the event never reaches. */
void race_refresh(struct event *e);
void race_disable(struct event *e);
void race_reset(struct event *e);
void race_set_period(struct event *e, uint64_t period);
/* Moves the event to the other mark; its count goes on. */
void race_modify(struct event *e);
/* Checks that hold for any event. */
uint64_t race_read_event(struct event *e);
/* Checks that hold for a breakpoint. */
void race_check_count(const char *what, struct event *e);
/* Waits until the task has called that often from now on. */
void race_await_calls(const struct task *t, unsigned mark, uint64_t n);

#endif
