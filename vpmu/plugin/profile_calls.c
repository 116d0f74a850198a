// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_calls.c - see profile_calls.h.
 *
 * A call is two callbacks: the call's store, whose address is the new frame's, and the first
 * instruction of a function. Stubs of a procedure linkage table between the two belong to the
 * caller. A function's first instruction without a call is a jump to it: a tail call, whose frame
 * has the address of its caller's, for both return at once. A return drops all frames up to the
 * address that it loads from; so does a call that stores above them.
 *
 * A task collects, or what it executes does not count: its calls are followed all the same. A call
 * counts as soon as something of it counts.
 *
 * With several vCPUs the callbacks take a lock, for functions and edges are of all. Pieces have no
 * tasks: then they count while any running task collects.
 */
#include "vpmu/plugin/profile_calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/task_mark.h"
#include "vpmu/plugin/arena.h"
#include "vpmu/plugin/instrument.h"
#include "vpmu/plugin/profile_branches.h"
#include "vpmu/plugin/part_writer.h"
#include "vpmu/plugin/profile_pieces.h"
#include "vpmu/plugin/profile_stacks.h"
#include "vpmu/plugin/vcpu_counts.h"

#define ROOT_FRAME   UINT64_MAX /* a frame that no return drops */
#define SIGNALS_MOST 16
#define TASK_SLOTS   4096
#define NODE_SLOTS   (2 * PROFILE_NODES_MOST)
#define EDGE_SLOTS   (2 * PROFILE_EDGES_MOST)
#define NO_EDGE      UINT32_MAX
#define FILTER_SLOTS 4096

/* Bytes below the innermost frame that a call may reach: those of its function's own frame. */
#define OWN_FRAME_MOST (2u << 20)

/* Bytes below the innermost frame of a suspended stack where it may go on: saved registers. */
#define SAVED_MOST 512

#define TRIES 8 /* stacks that are looked at to find one that goes on */

#define BORROWED (1ull << 63) /* in the number of a space: a child of vfork(2) is in it */

#define UNLIKELY(condition) __builtin_expect(condition, false)

/* The code that a signal's handler interrupts. */
struct interrupted {
	struct stack *stack;
	size_t n; /* frames */
	struct call call;
};

/* RSP has another value than its function's code gave it by additions. The stack is the one before
 * until a call, a return or a jump shows the use of it. */
struct moved {
	bool is_moved;
	bool has_left; /* a jump or return has followed, to code of an unknown stack */
	uint64_t sp;   /* the new value; 0: unknown */
};

struct task {
	struct task *next; /* in its slot */
	uint64_t id, space;
	const struct task_mark *mark; /* ring 0's of this task, whatever program it executes */
	struct stack *stack;          /* the one in use */
	struct interrupted interrupted[SIGNALS_MOST]; /* the last ones of nested */
	unsigned nsignals;
	struct moved moved;
	uint64_t entered; /* RSP behind a jump to another stack, before anything else; 0: none */
	uint32_t grows;   /* the function that had left that stack by a call; 0: none */
	uint64_t resumed; /* RSP behind a signal's handler, before anything else; 0: none */
	struct costs total;
	bool collects, wants; /* `wants`: from the next settling on */
	uint32_t branch;      /* suspended; 0: none */
	/* The call whose function has not begun; the task may lose its CPU there. */
	struct call call;
};

/* A function's first instruction. */
struct start {
	uint32_t function; /* 0: code without symbols; called functions get a number */
	uint64_t va;
};

/* A function whose region runs once (PROFILE_BEGINS_ONCE). */
struct region {
	uint64_t space;
	uint32_t function;
};

struct caller {
	struct task *task;    /* NULL: none yet */
	struct costs last;    /* counts that are settled */
	struct costs at_call; /* of the task's call whose function has not begun */
};

static struct {
	unsigned vcpus;
	struct caller *of;
	struct task *task[TASK_SLOTS];
	uint32_t node[NODE_SLOTS]; /* nodes plus 1, by parent and function */
	uint32_t edge[EDGE_SLOTS]; /* edges plus 1, by site, caller and callee */
	struct region *region;
	size_t nregions;
	uint32_t active[FILTER_SLOTS]; /* frames by their function's number, modulo */
	uint64_t ram;
	struct arena arena; /* sites and starts, as long as their translations */
	pthread_mutex_t lock;
} calls = {.arena = ARENA_EMPTY, .lock = PTHREAD_MUTEX_INITIALIZER};

static const struct site no_site = {.piece = UINT32_MAX};
static const struct call no_call;

void calls_begin(unsigned vcpus)
{
	if (!profile_file())
		return;
	calls.vcpus = vcpus;
	calls.of = calloc(vcpus, sizeof(*calls.of));
	if (!calls.of)
		abort();
	profile_file()->header.nnodes = !profile_file()->header.skips_calls; /* the root */
}

static void lock_calls(void)
{
	if (calls.vcpus > 1)
		pthread_mutex_lock(&calls.lock);
}

static void unlock_calls(void)
{
	if (calls.vcpus > 1)
		pthread_mutex_unlock(&calls.lock);
}

/* --- Costs --- */

static void read_costs(unsigned vcpu, struct costs *out)
{
	const struct profile_header *h = &profile_file()->header;
	const struct counted *c = counted_of(vcpu);

	for (uint32_t i = 0; i < h->ncosts; i++) {
		const uint8_t cost = profile_count_of(h->cost[i]);

		out->n[i] = h->cost[i] & PROFILE_RING0 ? c->n[cost] : c->user[cost];
		if (h->cost[i] == EVENTS_INSTRUCTIONS)
			out->n[i] += c->intercepted;
	}
	observe_ring_costs(vcpu, out->n);
}

static void add_costs(uint64_t *to, const struct costs *now, const struct costs *before)
{
	const uint32_t n = profile_file()->header.ncosts;

	for (uint32_t i = 0; i < n; i++)
		to[i] += now->n[i] - before->n[i];
}

static bool is_collecting(const struct task *t)
{
	return t->collects && !profile_file()->header.is_machine_ignored;
}

/* The innermost frame of the stack, or of those that called it; NULL: none. */
static struct frame *innermost(const struct stack *s)
{
	for (; s; s = s->caller)
		if (s->n)
			return &s->frame[s->n - 1];
	return NULL;
}

/* A task that collects gets the counts since the last time, and so does the context in which it is.
 */
static void settle(struct caller *c, const struct costs *now)
{
	struct task *t = c->task;
	const struct frame *top = innermost(t->stack);
	const uint32_t node = top ? top->node : 0;

	if (is_collecting(t)) {
		add_costs(profile_file()->node[node].self, now, &c->last);
		add_costs(t->total.n, now, &c->last);
		add_costs(profile_file()->header.total, now, &c->last);
	}
	c->last = *now;
	c->at_call = *now;
}

static void settle_now(unsigned vcpu, struct caller *c)
{
	struct costs now;

	read_costs(vcpu, &now);
	settle(c, &now);
}

static void settle_all(void)
{
	for (unsigned i = 0; i < calls.vcpus; i++)
		if (calls.of[i].task)
			settle_now(i, &calls.of[i]);
}

/* While no vCPU has a task, pieces are not executed. */
static void follow_pieces(void)
{
	bool any = false, is_idle = true;

	for (unsigned i = 0; i < calls.vcpus; i++) {
		is_idle &= !calls.of[i].task;
		any |= calls.of[i].task && is_collecting(calls.of[i].task);
	}
	if (!is_idle)
		parts_exclude(!any);
}

static void collect_as_wanted(unsigned vcpu, struct caller *c)
{
	if (c->task->collects == c->task->wants)
		return;
	settle_now(vcpu, c);
	c->task->collects = c->task->wants;
	follow_pieces();
}

/* --- Edges and contexts --- */

static uint32_t hash_of_words(uint64_t a, uint64_t b)
{
	return (uint32_t)((a * 0x9e3779b97f4a7c15 ^ b * 0xc2b2ae3d27d4eb4f) >> 32);
}

static uint32_t find_edge(const struct site *site, uint32_t caller, uint32_t callee, bool is_jump)
{
	struct profile_file *f = profile_file();
	uint32_t at = hash_of_words(site->va ^ (uint64_t)caller << 40, callee) % EDGE_SLOTS;

	for (; calls.edge[at]; at = (at + 1) % EDGE_SLOTS) {
		const struct profile_edge *e = &f->edge[calls.edge[at] - 1];

		if (e->callee == callee && e->site == site->va && e->caller == caller)
			return calls.edge[at] - 1;
	}
	if (f->header.nedges == PROFILE_EDGES_MOST) {
		profile_is_full();
		return NO_EDGE;
	}
	f->edge[f->header.nedges] = (struct profile_edge){.site = site->va,
							  .caller = caller,
							  .callee = callee,
							  .piece = site->piece + 1,
							  .is_jump = is_jump};
	calls.edge[at] = ++f->header.nedges;
	return calls.edge[at] - 1;
}

static uint32_t find_node(uint32_t parent, uint32_t function)
{
	struct profile_file *f = profile_file();
	uint32_t at = hash_of_words(parent, function) % NODE_SLOTS;

	for (; calls.node[at]; at = (at + 1) % NODE_SLOTS) {
		const struct profile_node *n = &f->node[calls.node[at] - 1];

		if (n->parent == parent && n->function == function)
			return calls.node[at] - 1;
	}
	if (f->header.nnodes == PROFILE_NODES_MOST) {
		profile_is_full();
		return parent;
	}
	f->node[f->header.nnodes].parent = parent;
	f->node[f->header.nnodes].function = function;
	calls.node[at] = ++f->header.nnodes;
	return calls.node[at] - 1;
}

/* --- Frames --- */

/* The innermost frame of `function`; NULL: none. */
static const struct frame *find_active(const struct task *t, uint32_t function)
{
	if (!calls.active[function % FILTER_SLOTS])
		return NULL;
	for (const struct stack *s = t->stack; s; s = s->caller)
		for (size_t i = s->n; i--;)
			if (s->frame[i].function == function)
				return &s->frame[i];
	return NULL;
}

static void count_call(struct frame *frame)
{
	struct profile_file *f = profile_file();

	f->node[frame->node].calls++;
	f->function[frame->function].calls++;
	if (frame->edge != NO_EDGE)
		f->edge[frame->edge].calls++;
	frame->is_counted = true;
}

static enum profile_role role_of(const struct frame *frame)
{
	const struct profile_file *f = profile_file();

	return frame->function && frame->function <= f->header.nsymbols
		       ? (enum profile_role)f->symbol[frame->function - 1].role
		       : PROFILE_NO_ROLE;
}

/* The function begins or ends. */
static void toggle_by(struct task *t, const struct frame *frame)
{
	if (frame->is_outermost && role_of(frame) == PROFILE_TOGGLES)
		t->wants = !t->wants;
}

/* The frame that called `frame`, which is not on the stack. Frames with the same return address are
 * jumps to it, as from a linker that binds lazily. NULL: none. */
static struct frame *find_caller(struct task *t, const struct frame *frame)
{
	for (struct stack *s = t->stack; s; s = s->caller)
		for (size_t i = s->n; i--;)
			if ((s != t->stack || s->frame[i].stack > frame->stack) &&
			    role_of(&s->frame[i]) != PROFILE_PASSES)
				return &s->frame[i];
	return NULL;
}

static bool is_region(uint32_t node)
{
	const struct profile_node *n = profile_file()->node;

	return node && n[node].function == n[n[node].parent].function;
}

/* Returns whether the function of a process had a region before, and notes that it has one. */
static bool had_region(uint64_t space, uint32_t function)
{
	struct region *r;

	for (size_t i = 0; i < calls.nregions; i++)
		if (calls.region[i].space == space && calls.region[i].function == function)
			return true;
	calls.region = realloc(calls.region, (calls.nregions + 1) * sizeof(*calls.region));
	if (!calls.region)
		abort();
	r = &calls.region[calls.nregions++];
	*r = (struct region){space, function};
	return false;
}

/* After the function of `frame` has returned. */
static void begin_region(struct task *t, const struct frame *frame)
{
	struct frame *caller = find_caller(t, frame);

	if (!caller || is_region(caller->node))
		return;
	if (role_of(frame) == PROFILE_BEGINS || !had_region(t->space, caller->function))
		caller->node = find_node(caller->node, caller->function);
}

static bool begins_region(const struct frame *frame)
{
	return role_of(frame) == PROFILE_BEGINS || role_of(frame) == PROFILE_BEGINS_ONCE;
}

/* Before the function of `frame` begins. */
static void end_region(struct task *t, const struct frame *frame)
{
	struct frame *caller = find_caller(t, frame);

	if (caller && is_region(caller->node))
		caller->node = profile_file()->node[caller->node].parent;
}

/* A recursive call goes on in the context of the first one, so that contexts have no end of them.
 */
static void push(struct task *t, uint32_t function, uint64_t stack, const struct site *site,
		 bool is_jump)
{
	const struct frame *top = innermost(t->stack), *active;
	const uint32_t caller = top ? top->function : 0;
	struct frame frame = {.stack = stack, .function = function};

	if (UNLIKELY(role_of(&frame) == PROFILE_ENDS))
		end_region(t, &frame);
	active = find_active(t, function);
	frame.is_outermost = !active;
	frame.node = active ? active->node : find_node(top ? top->node : 0, function);
	frame.edge = find_edge(site, caller, function, is_jump);
	stacks_costs(t->stack, &frame.since);
	toggle_by(t, &frame);
	if (t->wants && !profile_file()->header.is_machine_ignored)
		count_call(&frame);
	stacks_push(t->stack, &frame);
	calls.active[function % FILTER_SLOTS]++;
}

static void give_costs(struct stack *s, struct frame *frame)
{
	struct profile_file *f = profile_file();
	struct costs now;

	stacks_costs(s, &now);
	if (!frame->is_counted && memcmp(&now, &frame->since, sizeof(now)) != 0)
		count_call(frame);
	if (frame->edge != NO_EDGE)
		add_costs(f->edge[frame->edge].inclusive, &now, &frame->since);
	if (frame->is_outermost)
		add_costs(f->function[frame->function].inclusive, &now, &frame->since);
	frame->since = now;
}

/* The frame of a suspended stack is no more: no code that it calls runs. */
static void forget_frame(struct stack *s, struct frame *frame)
{
	give_costs(s, frame);
	calls.active[frame->function % FILTER_SLOTS]--;
}

static void pop(struct task *t)
{
	struct frame *frame = &t->stack->frame[--t->stack->n];

	forget_frame(t->stack, frame);
	toggle_by(t, frame);
	if (UNLIKELY(begins_region(frame)))
		begin_region(t, frame);
}

static bool is_top_dead(const struct stack *s, uint64_t address)
{
	return s->n && s->frame[s->n - 1].stack <= address;
}

/* The function that a call on another stack called has returned: that stack's caller goes on, and
 * RSP is still there. */
static void return_to_caller(struct task *t, uint64_t sp)
{
	struct stack *s = t->stack;

	t->stack = s->caller;
	stacks_drop(s);
	t->moved = (struct moved){.is_moved = true, .sp = sp};
}

static void drop_frames(struct task *t, uint64_t address)
{
	while (is_top_dead(t->stack, address))
		pop(t);
	if (!t->stack->n && t->stack->caller)
		return_to_caller(t, address + 8);
}

/* --- Tasks --- */

static void give_all_frames(void)
{
	for (struct stack *s = stacks_next(NULL); s; s = stacks_next(s))
		for (size_t i = 0; i < s->n; i++)
			give_costs(s, &s->frame[i]);
}

/* The stacks of a task that ends are no more. Others of its process may go on in other tasks. */
static void free_task(struct task *t)
{
	while (t->stack) {
		struct stack *s = t->stack;

		while (s->n)
			forget_frame(s, &s->frame[--s->n]);
		t->stack = s->caller;
		stacks_drop(s);
	}
	branches_drop(t->branch);
	free(t);
}

static bool has_task(uint64_t space)
{
	for (unsigned i = 0; i < TASK_SLOTS; i++)
		for (const struct task *t = calls.task[i]; t; t = t->next)
			if (t->space == space)
				return true;
	return false;
}

/* The place of a task, or of the next new one. */
static struct task **find_task(uint64_t id)
{
	struct task **at = &calls.task[hash_of_words(id, 0) % TASK_SLOTS];

	while (*at && (*at)->id != id)
		at = &(*at)->next;
	return at;
}

static struct task *new_task(const struct task_mark *mark)
{
	struct task *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	t->id = mark->task;
	t->mark = mark;
	t->space = mark->space;
	t->stack = stacks_new(mark->space, &t->total);
	t->collects = t->wants = !profile_file()->header.is_task_ignored;
	return t;
}

static struct task *take_task(const struct task_mark *mark)
{
	struct task **at = find_task(mark->task);

	if (!*at)
		*at = new_task(mark);
	return *at;
}

/* The task has left the vCPU on which it was. */
static void leave_vcpus(struct task *t, unsigned but)
{
	for (unsigned i = 0; i < calls.vcpus; i++)
		if (i != but && calls.of[i].task == t) {
			settle_now(i, &calls.of[i]);
			t->branch = branches_suspend(i);
			calls.of[i].task = NULL;
		}
}

/* The CPU that ends a task need not be the one on which it ran. */
static void end_task(struct task **at)
{
	struct task *t = *at;
	uint64_t space;

	if (!t)
		return;
	space = t->space;
	leave_vcpus(t, calls.vcpus);
	*at = t->next;
	free_task(t);
	if (!has_task(space))
		stacks_drop_space(space, forget_frame);
}

/* exec(2): the task goes on with another program. */
static void end_former_program(const struct task_mark *mark)
{
	for (unsigned i = 0; i < TASK_SLOTS; i++)
		for (struct task **at = &calls.task[i]; *at; at = &(*at)->next)
			if ((*at)->mark == mark) {
				end_task(at);
				return;
			}
}

/* Copies a stack and those that called it; the copies begin to count. */
static struct stack *copy_stacks(const struct stack *from, uint64_t space,
				 const struct costs *total)
{
	struct stack *caller = from->caller ? copy_stacks(from->caller, space, total) : NULL;
	struct stack *to = stacks_new(space, total);

	to->caller = caller;
	for (size_t i = 0; i < from->n; i++) {
		struct frame frame = from->frame[i];

		stacks_costs(to, &frame.since);
		calls.active[frame.function % FILTER_SLOTS]++;
		stacks_push(to, &frame);
	}
	return to;
}

/* The copy goes on in the functions of the running task, whose calls it does not make again. A
 * child of vfork(2) is in its parent's memory, but has stacks of its own. */
static void copy_task(const struct task *from, const struct task_mark *mark)
{
	struct task *to = take_task(mark);

	stacks_drop(to->stack);
	to->space = mark->space == from->space ? mark->space | BORROWED : mark->space;
	to->stack = copy_stacks(from->stack, to->space, &to->total);
	to->nsignals = 0;
	to->moved = from->moved;
	to->collects = from->collects;
	to->wants = from->wants;
}

/* The branch before a signal does not lead to its handler. */
static void resume_branch(unsigned vcpu, struct task *t, bool handles_signal)
{
	if (handles_signal)
		branches_drop(t->branch);
	else
		branches_resume(vcpu, t->branch);
	t->branch = 0;
}

/* A signal's handler begins next, whose return address is at `stack`. */
static void interrupt_task(struct task *t, uint64_t stack)
{
	t->interrupted[t->nsignals++ % SIGNALS_MOST] =
		(struct interrupted){t->stack, t->stack->n, t->call};
	t->call = (struct call){stack, no_site};
	t->moved = (struct moved){.is_moved = true, .sp = stack};
	t->entered = t->resumed = 0;
}

static bool has_called(const struct task *t, const struct stack *caller)
{
	for (const struct stack *s = t->stack; s; s = s->caller)
		if (s == caller)
			return true;
	return false;
}

/* The handler and the code that it returned to are over: their frames are those above. */
static void drop_handler(struct task *t, const struct interrupted *i)
{
	while (t->stack != i->stack || t->stack->n > i->n) {
		if (t->stack->n)
			pop(t);
		else
			return_to_caller(t, 0);
	}
}

static void resume_interrupted(struct task *t, uint64_t sp)
{
	const struct interrupted *i;

	t->call = no_call;
	t->resumed = sp;
	if (t->nsignals) {
		i = &t->interrupted[--t->nsignals % SIGNALS_MOST];
		if (has_called(t, i->stack)) {
			drop_handler(t, i);
			t->call = i->call;
		}
	}
	t->moved = (struct moved){.is_moved = false};
}

/* A call that is open counts in this part alone, so that parts add up. */
static void end_part(bool ends_command)
{
	settle_all();
	give_all_frames();
	parts_write(ends_command);
	parts_zero();
}

/* A restored machine has brought another page. */
static void ask_for_undone(void)
{
	counted_page()->header.profiles = 1;
}

/* The next command's programs begin as those of the first one, and vpmu behaves as for that. */
static void end_command_part(void)
{
	struct profile_header *h = &profile_file()->header;

	ask_for_undone();
	if (!h->wants_commands)
		return;
	end_part(true);
	h->is_machine_ignored = false;
}

static void follow_task(unsigned vcpu, const struct task_mark *mark)
{
	struct caller *c = &calls.of[vcpu];

	if (c->task)
		settle_now(vcpu, c);
	else
		read_costs(vcpu, &c->last);
	if (mark->stack == TASK_MARK_ENDS) {
		end_task(find_task(mark->task));
		return;
	}
	if (mark->stack == TASK_MARK_COPY) {
		if (c->task)
			copy_task(c->task, mark);
		return;
	}
	profile_announce();
	ask_for_undone();
	if (!*find_task(mark->task))
		end_former_program(mark);
	if (c->task)
		c->task->branch = branches_suspend(vcpu);
	c->task = take_task(mark);
	leave_vcpus(c->task, vcpu);
	c->at_call = c->last;
	if (mark->stack & TASK_MARK_RESUMES)
		resume_interrupted(c->task, mark->stack & ~TASK_MARK_RESUMES);
	else if (mark->stack)
		interrupt_task(c->task, mark->stack);
	follow_pieces();
	resume_branch(vcpu, c->task, mark->stack && !(mark->stack & TASK_MARK_RESUMES));
}

static void on_mark(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	const struct qemu_plugin_hwaddr *at = qemu_plugin_get_hwaddr(info, va);
	const struct task_mark *mark;

	(void)unused;
	if (!at || vcpu >= calls.vcpus)
		return;
	mark = (const void *)(calls.ram + qemu_plugin_hwaddr_phys_addr(at));
	lock_calls();
	if (mark->stack == TASK_MARK_COMMAND)
		end_command_part();
	else
		follow_task(vcpu, mark);
	unlock_calls();
}

void calls_end(void)
{
	if (!profile_file())
		return;
	settle_all();
	give_all_frames();
}

void calls_flushed(void)
{
	arena_forget(&calls.arena);
}

/* --- Callbacks of ring 3 --- */

/* --- Stacks --- */

/* Returns by how many bytes the stack's code, suspended in its innermost call, would have saved a
 * smaller RSP than the call had; UINT64_MAX: it does not go on at `sp`. */
static uint64_t distance_to(const struct stack *s, uint64_t sp)
{
	const uint64_t below = stacks_top(s) + 8 - sp;

	return below <= SAVED_MOST ? below : UINT64_MAX;
}

static const struct stack *nearer(const struct stack *s, const struct stack *best, uint64_t sp)
{
	return distance_to(s, sp) < (best ? distance_to(best, sp) : UINT64_MAX) ? s : best;
}

/* The stack whose code goes on at `sp`, behind the call that left it; NULL: none. It is the nearest
 * one, unless stacks are arrays in a frame of another stack. */
static struct stack *find_suspended(const struct task *t, uint64_t sp)
{
	const struct stack *best = NULL, *s;
	unsigned tries = 0;

	for (s = t->stack; s; s = s->caller)
		best = nearer(s, best, sp);
	for (s = stacks_find(t->space, sp); s && tries < TRIES; s = stacks_next(s), tries++)
		if (s->space == t->space && !s->total)
			best = nearer(s, best, sp);
	return (struct stack *)best;
}

static bool lies_in(const struct stack *s, uint64_t address)
{
	return !s->high || (stacks_top(s) <= address && address <= s->high);
}

/* The stack of code that stores or loads a return address after a jump, as of longjmp(3). */
static struct stack *find_landing(const struct task *t, uint64_t address)
{
	struct stack *s;

	for (s = t->stack; s; s = s->caller)
		if (lies_in(s, address))
			return s;
	s = find_suspended(t, address + 8);
	if (s)
		return s;
	s = stacks_find(t->space, address);
	return s && !s->total && lies_in(s, address) ? s : NULL;
}

static void leave_stack(struct task *t)
{
	struct stack *s = t->stack;

	t->stack = s->caller;
	s->caller = NULL;
	stacks_suspend(s);
	if (!s->n)
		stacks_drop(s);
}

/* Goes on with a stack that runs now, if it did not before. Calls on other stacks that have not
 * returned are suspended, each on its own. */
static void switch_stack(struct task *t, struct stack *s)
{
	if (!s->total)
		stacks_run(s, &t->total);
	while (t->stack && t->stack != s)
		leave_stack(t);
	t->stack = s;
}

/* The function that has called the one which leaves the stack; 0: none. Frames with the same
 * address are jumps. */
static uint32_t caller_of_top(const struct stack *s)
{
	size_t i = s->n;

	while (i > 1 && s->frame[i - 2].stack == s->frame[i - 1].stack)
		i--;
	return i > 1 ? s->frame[i - 2].function : 0;
}

/* A jump or a return goes to another stack's code, or further up on the same one. Without a known
 * position there, the next call or return tells, or a function that begins. */
static void leave_to(struct task *t, struct stack *s, uint64_t sp)
{
	struct stack *caller = t->stack->caller;

	t->grows = s ? caller_of_top(s) : caller ? caller_of_top(caller) : 0;
	t->entered = s == t->stack ? 0 : sp; /* as a linker that binds lazily jumps */
	t->moved = (struct moved){.is_moved = !s, .has_left = !s, .sp = sp};
	if (s)
		switch_stack(t, s);
}

/* A stack begins at `address`: another one that began there is no more. */
static struct stack *enter_new_stack(struct task *t, uint64_t address)
{
	struct stack *s = stacks_find(t->space, address);

	if (s && !s->total && s->high <= address) {
		while (s->n)
			forget_frame(s, &s->frame[--s->n]);
		stacks_drop(s);
	}
	return stacks_new(t->space, &t->total);
}

/* Returns whether a return address there lies in the frame of the innermost function, which may
 * have an array of variable length. */
static bool is_own_frame(const struct task *t, uint64_t address)
{
	const uint64_t top = stacks_top(t->stack);
	const struct stack *s = stacks_find(t->space, address);

	if (!t->stack->high || !t->stack->n)
		return true;
	return address < top && address + OWN_FRAME_MOST >= top &&
	       (!s || s == t->stack || s->high > top);
}

/* The function that moved RSP calls another one on another stack. */
static void call_on_stack(struct task *t, struct stack *s)
{
	s->caller = t->stack;
	t->stack = s;
}

/* A call has stored its return address, after RSP has moved. */
static void place_call(struct task *t)
{
	const uint64_t address = t->call.stack;
	const bool has_left = t->moved.has_left;
	struct stack *s = has_left ? find_landing(t, address) : NULL;

	t->moved.is_moved = false;
	if (!has_left && !is_own_frame(t, address)) {
		call_on_stack(t, enter_new_stack(t, address));
		return;
	}
	if (has_left)
		switch_stack(t, s ? s : enter_new_stack(t, address));
	drop_frames(t, address);
}

/* A return has loaded its address from `address`, after RSP has moved. */
static void place_return(struct task *t, uint64_t address)
{
	struct stack *s =
		t->moved.has_left ? find_landing(t, address) : find_suspended(t, address + 8);

	leave_to(t, s, address + 8);
	t->grows = 0;
	if (s)
		drop_frames(t, address);
}

/* Returns whether the function begins once more: it had called a function that gave it a larger
 * stack, to which its frames have moved, or had something else to do first. */
static bool has_grown(struct task *t, uint32_t function)
{
	struct stack *s = t->moved.has_left ? t->stack->caller : t->stack;
	uint64_t top;

	if (!s || t->grows != function)
		return false;
	if (t->moved.has_left) {
		switch_stack(t, s);
		top = stacks_top(s);
		drop_frames(t, top);
		stacks_move(s, t->entered - stacks_top(s));
	}
	t->moved.is_moved = false;
	return true;
}

/* The task has jumped, or returned, to a function's first instruction on another stack. */
static void enter_function(struct task *t, uint32_t function)
{
	if (has_grown(t, function))
		return;
	if (t->moved.has_left)
		switch_stack(t, enter_new_stack(t, t->entered));
	else
		drop_frames(t, t->entered);
	t->moved.is_moved = false;
	push(t, function, t->entered, &no_site, true);
}

/* --- Callbacks of ring 3 --- */

/* QEMU 7.2 calls it for ring 0's accesses, too, where an interrupt follows the block: these are in
 * the upper half. */
static void on_call(unsigned vcpu, plugin_access info, uint64_t va, void *site)
{
	struct caller *c = &calls.of[vcpu];

	if (!c->task || va >= UPPER_HALF || !qemu_plugin_mem_is_store(info))
		return;
	c->task->call = (struct call){va, *(const struct site *)site};
	c->task->entered = c->task->resumed = 0;
	read_costs(vcpu, &c->at_call);
	if (UNLIKELY(!c->task->moved.is_moved && is_top_dead(c->task->stack, va))) {
		lock_calls();
		settle(c, &c->at_call);
		drop_frames(c->task, va);
		collect_as_wanted(vcpu, c);
		unlock_calls();
	}
}

/* The task jumps to a function: to one of those that return with this one, or to a new one. */
static void jump_to(struct task *t, uint32_t function)
{
	const struct stack *s = t->stack;
	const uint64_t stack = s->n ? s->frame[s->n - 1].stack : ROOT_FRAME;
	size_t i = s->n;

	while (i && s->frame[i - 1].stack == stack && s->frame[i - 1].function != function)
		i--;
	if (!i || s->frame[i - 1].stack != stack) {
		push(t, function, stack, &no_site, true);
		return;
	}
	while (s->n > i)
		pop(t);
}

static bool has_pending_call(const struct task *t)
{
	return t->call.stack;
}

/* A signal's handler lets the interrupted code call a function: it stores the return address there
 * below the frame. */
static bool is_injected(const struct task *t)
{
	return t->resumed &&
	       t->resumed < (has_pending_call(t) ? t->call.stack : stacks_top(t->stack));
}

/* The interrupted code may be between a call and the function's start, which is behind it then. */
static void inject(struct task *t, uint32_t function)
{
	if (has_pending_call(t)) {
		t->stack->held = t->call;
		t->stack->held_until = t->resumed;
	}
	t->call = no_call;
	push(t, function, t->resumed, &no_site, true);
}

/* A function has returned from `address`: an injected one, if a call is held until then. */
static void release_call(struct task *t, uint64_t address)
{
	if (t->stack->held_until != address)
		return;
	t->call = t->stack->held;
	t->stack->held_until = 0;
}

static void begin_function(unsigned vcpu, struct caller *c, uint32_t function)
{
	struct task *t = c->task;

	lock_calls();
	if (is_injected(t)) {
		settle_now(vcpu, c);
		inject(t, function);
	} else if (has_pending_call(t)) {
		settle(c, &c->at_call);
		if (t->moved.is_moved)
			place_call(t);
		push(t, function, t->call.stack, &t->call.site, false);
		t->call.stack = 0;
	} else {
		settle_now(vcpu, c);
		if (t->entered)
			enter_function(t, function);
		else
			jump_to(t, function);
	}
	t->entered = t->resumed = 0;
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

static bool is_top(const struct task *t, uint32_t function)
{
	return t->stack->n && t->stack->frame[t->stack->n - 1].function == function;
}

static void on_function_start(unsigned vcpu, void *start)
{
	const uint32_t function = ((const struct start *)start)->function;
	struct caller *c = &calls.of[vcpu];

	if (c->task &&
	    (has_pending_call(c->task) || c->task->entered || !is_top(c->task, function)))
		begin_function(vcpu, c, function);
}

/* Code without symbols: only calls tell where functions begin. */
static void on_unknown(unsigned vcpu, void *start)
{
	const struct start *s = start;
	struct caller *c = &calls.of[vcpu];
	uint32_t function;

	if (!c->task || !has_pending_call(c->task))
		return;
	lock_calls();
	function = profile_function_at(s->va);
	unlock_calls();
	if (function)
		begin_function(vcpu, c, function);
}

static void on_return(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	struct caller *c = &calls.of[vcpu];

	(void)info;
	(void)unused;
	if (!c->task || va >= UPPER_HALF)
		return;
	c->task->entered = c->task->resumed = 0;
	if (has_pending_call(c->task) && c->task->call.stack <= va)
		c->task->call.stack = 0; /* no function began */
	if (!c->task->moved.is_moved && !is_top_dead(c->task->stack, va))
		return;
	lock_calls();
	settle_now(vcpu, c);
	if (c->task->moved.is_moved)
		place_return(c->task, va);
	else
		drop_frames(c->task, va);
	release_call(c->task, va);
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

/* --- RSP --- */

static void note_move(unsigned vcpu, uint64_t sp)
{
	struct task *t = calls.of[vcpu].task;

	if (t)
		t->moved = (struct moved){.is_moved = true, .sp = sp};
}

static void on_stack_loaded(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	const struct qemu_plugin_hwaddr *at;

	(void)unused;
	if (va >= UPPER_HALF || qemu_plugin_mem_is_store(info))
		return;
	at = qemu_plugin_get_hwaddr(info, va);
	note_move(vcpu, at ? *(const uint64_t *)(calls.ram + qemu_plugin_hwaddr_phys_addr(at)) : 0);
}

static void on_stack_set(unsigned vcpu, void *unused)
{
	(void)unused;
	note_move(vcpu, 0);
}

/* The first access by RSP behind on_stack_set(). */
static void on_stack_access(unsigned vcpu, plugin_access info, uint64_t va, void *offset)
{
	struct task *t = calls.of[vcpu].task;

	(void)info;
	if (t && va < UPPER_HALF && t->moved.is_moved && !t->moved.sp)
		t->moved.sp = va - (uint64_t)(intptr_t)offset;
}

/* An indirect jump in a block that has moved RSP. */
static void on_jump(unsigned vcpu, void *unused)
{
	struct caller *c = &calls.of[vcpu];
	struct stack *s;
	uint64_t sp;

	(void)unused;
	if (!c->task || !c->task->moved.is_moved)
		return;
	sp = c->task->moved.sp;
	c->task->moved.has_left = true;
	if (!sp)
		return; /* the next call or return tells */
	lock_calls();
	settle_now(vcpu, c);
	s = find_suspended(c->task, sp);
	leave_to(c->task, s, sp);
	if (s)
		drop_frames(c->task, sp - 1);
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

/* --- Requests --- */

void calls_toggle(unsigned vcpu)
{
	struct caller *c = &calls.of[vcpu];

	if (!c->task)
		return;
	lock_calls();
	c->task->wants = !c->task->wants;
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

void calls_ignore(bool ignore)
{
	lock_calls();
	settle_all();
	profile_file()->header.is_machine_ignored = ignore;
	follow_pieces();
	unlock_calls();
}

/* Calls that are open begin now. */
static void begin_frames_anew(void)
{
	for (struct stack *s = stacks_next(NULL); s; s = stacks_next(s))
		for (size_t i = 0; i < s->n; i++) {
			stacks_costs(s, &s->frame[i].since);
			s->frame[i].is_counted = false;
		}
}

void calls_zero(void)
{
	lock_calls();
	settle_all();
	begin_frames_anew();
	parts_zero();
	unlock_calls();
}

void calls_dump(void)
{
	lock_calls();
	end_part(false);
	unlock_calls();
}

/* --- Blocks that are translated --- */

static void attach_start(struct qemu_plugin_insn *insn)
{
	bool starts;
	const uint32_t function = profile_function_of(0, &starts);
	struct start *s;

	if (function && !starts)
		return;
	s = arena_take(&calls.arena, sizeof(*s));
	*s = (struct start){.function = function, .va = qemu_plugin_insn_vaddr(insn)};
	qemu_plugin_register_vcpu_insn_exec_cb(insn, function ? on_function_start : on_unknown,
					       PLUGIN_NO_REGISTERS, s);
}

static void attach_call(struct qemu_plugin_insn *insn, size_t i)
{
	struct site *s = arena_take(&calls.arena, sizeof(*s));
	const uint64_t *executions = profile_piece(i, 1, PROFILE_WHOLE);

	*s = (struct site){
		.va = qemu_plugin_insn_vaddr(insn),
		.piece = executions ? profile_piece_of(executions) : UINT32_MAX,
	};
	qemu_plugin_register_vcpu_mem_cb(insn, on_call, PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE, s);
}

/* Attaches to the first access by RSP from the i'th instruction on. */
static void attach_stack_access(const struct qemu_plugin_tb *block, const struct decoded *decoded,
				size_t i, size_t n)
{
	while (i < n && !decoded[i].is_at_stack)
		i++;
	if (i < n)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(block, i), on_stack_access,
						 PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE,
						 (void *)(intptr_t)decoded[i].stack_offset);
}

static void attach_stack(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			 size_t n)
{
	bool moves = false;

	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);

		moves |= decoded[i].stack != STACK_STAYS;
		if (decoded[i].stack == STACK_LOADED)
			qemu_plugin_register_vcpu_mem_cb(insn, on_stack_loaded, PLUGIN_NO_REGISTERS,
							 PLUGIN_READ_WRITE, NULL);
		if (decoded[i].stack == STACK_SET) {
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_stack_set,
							       PLUGIN_NO_REGISTERS, NULL);
			attach_stack_access(block, decoded, i + 1, n);
		}
	}
	if (moves && decoded[n - 1].branch == BRANCH_INDIRECT_JUMP)
		qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(block, n - 1),
						       on_jump, PLUGIN_NO_REGISTERS, NULL);
}

void calls_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded, size_t n)
{
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(block, n - 1);

	if (profile_file()->header.skips_calls)
		return;
	attach_start(qemu_plugin_tb_get_insn(block, 0));
	attach_stack(block, decoded, n);
	if (decoded[n - 1].branch == BRANCH_CALL || decoded[n - 1].branch == BRANCH_INDIRECT_CALL)
		attach_call(last, n - 1);
	if (decoded[n - 1].branch == BRANCH_RETURN)
		qemu_plugin_register_vcpu_mem_cb(last, on_return, PLUGIN_NO_REGISTERS,
						 PLUGIN_READ_WRITE, NULL);
}

/* REX.W 8B /r with a displacement of 32 bits. */
static bool is_mark(const uint8_t *code, size_t size)
{
	int32_t displacement;

	if (size < 7 || (code[0] & 0xf8) != 0x48 || code[1] != 0x8b || code[2] >> 6 != 2)
		return false;
	memcpy(&displacement, code + size - sizeof(displacement), sizeof(displacement));
	return displacement == TASK_MARK_OFFSET;
}

void calls_attach_mark(struct qemu_plugin_insn *insn, const uint8_t *code, size_t size,
		       uint64_t ram)
{
	if (!profile_file() || qemu_plugin_insn_vaddr(insn) < UPPER_HALF || !is_mark(code, size))
		return;
	calls.ram = ram;
	qemu_plugin_register_vcpu_mem_cb(insn, on_mark, PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE,
					 NULL);
}
