/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_stacks.h - the stacks of profiled programs, with the frames of their calls. Threads have
 * one each; coroutines, goroutines and handlers on sigaltstack(2) have more, and any thread of a
 * process may continue one. A stack grows down from its highest address, and stacks do not overlap:
 * so an address lies in the stack whose highest address is the nearest one above.
 *
 * A stack that runs belongs to a task. It may have been entered by a call on another stack, its
 * caller, which runs as long. A suspended stack has no caller, and its costs do not change.
 *
 * All under the caller's lock.
 */
#ifndef VPMU_PLUGIN_PROFILE_STACKS_H
#define VPMU_PLUGIN_PROFILE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/profile_file.h"

struct costs {
	uint64_t n[PROFILE_COSTS];
};

/* A call instruction. */
struct site {
	uint64_t va;
	uint32_t piece;
};

/* A call whose function has not begun. */
struct call {
	uint64_t stack; /* address of its return address; 0: none */
	struct site site;
};

struct frame {
	uint64_t stack; /* address of its return address */
	uint32_t function, node, edge;
	bool is_outermost;  /* of its function */
	bool is_counted;    /* its call is */
	struct costs since; /* of its stack */
};

struct stack {
	uint64_t space; /* the process's memory */
	uint64_t high;  /* the highest known address of a frame; 0: none yet */
	size_t n, room;
	struct frame *frame;       /* the last one is the innermost */
	const struct costs *total; /* of the task; NULL: suspended */
	struct costs began;        /* of `total`, when it began to run */
	struct costs before;       /* what ran on it until then */
	struct stack *caller;      /* NULL: none */
	struct call held;          /* goes on when a return has loaded from `held_until` */
	uint64_t held_until;       /* 0: none */
};

/* stacks_new() - returns a stack without frames that runs in the task of `total`. stacks_drop():
 * frees a stack, whose frames are no more. */
struct stack *stacks_new(uint64_t space, const struct costs *total);
void stacks_drop(struct stack *s);

/* stacks_drop_space() - frees the suspended stacks of a process; `given` is called for each frame
 * first. */
typedef void stacks_frame_cb(struct stack *s, struct frame *frame);
void stacks_drop_space(uint64_t space, stacks_frame_cb *given);

/* stacks_push() - adds a frame to the top of the stack. */
void stacks_push(struct stack *s, const struct frame *frame);

/* stacks_move() - the program has moved a stack with its frames by `by` bytes. */
void stacks_move(struct stack *s, uint64_t by);

/* stacks_top() - the address of the innermost frame; UINT64_MAX: unknown. */
uint64_t stacks_top(const struct stack *s);

/* stacks_find() - the stack of the process that `sp` lies in, or below which it lies next; NULL:
 * none. stacks_next(): all stacks, one after the other; NULL begins, and ends. */
struct stack *stacks_find(uint64_t space, uint64_t sp);
struct stack *stacks_next(const struct stack *s);

/* stacks_suspend(), stacks_run() - the stack alone, without its caller. */
void stacks_suspend(struct stack *s);
void stacks_run(struct stack *s, const struct costs *total);

/* stacks_costs() - what has run on the stack, and on those that it called. */
void stacks_costs(const struct stack *s, struct costs *out);

#endif
