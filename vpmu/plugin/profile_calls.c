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
#include "vpmu/plugin/vcpu_counts.h"

#define ROOT_FRAME   UINT64_MAX /* a frame that no return drops */
#define SIGNALS_MOST 16
#define TASK_SLOTS   4096
#define NODE_SLOTS   (2 * PROFILE_NODES_MOST)
#define EDGE_SLOTS   (2 * PROFILE_EDGES_MOST)
#define NO_EDGE      UINT32_MAX
#define FILTER_SLOTS 4096
#define FRAMES_FIRST 64

#define UNLIKELY(condition) __builtin_expect(condition, false)

struct costs {
	uint64_t n[PROFILE_COSTS];
};

struct frame {
	uint64_t stack; /* address of its return address */
	uint32_t function, node, edge;
	bool is_outermost; /* of its function */
	bool is_counted;   /* its call is */
	struct costs since;
};

/* A call instruction. */
struct site {
	uint64_t va;
	uint32_t piece;
};

struct task {
	uint64_t id;
	size_t n, room;
	struct frame *frame;
	size_t interrupted[SIGNALS_MOST]; /* frames when handlers began; the last ones of nested */
	unsigned nsignals;
	struct costs total;
	bool collects, wants; /* `wants`: from the next settling on */
	struct stored_words stored;
	uint32_t branch; /* suspended; 0: none */
	/* The call whose function has not begun; the task may lose its CPU there. */
	struct site site;
	uint64_t stack;                /* 0: none */
	uint16_t active[FILTER_SLOTS]; /* frames by their function's number, modulo */
};

/* A function's first instruction. */
struct start {
	uint32_t function; /* 0: code without symbols; called functions get a number */
	uint64_t va;
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
	uint64_t ram;
	struct arena arena; /* sites and starts, as long as their translations */
	pthread_mutex_t lock;
} calls = {.arena = ARENA_EMPTY, .lock = PTHREAD_MUTEX_INITIALIZER};

static const struct site no_site = {.piece = UINT32_MAX};

void calls_begin(unsigned vcpus)
{
	if (!profile_file())
		return;
	calls.vcpus = vcpus;
	calls.of = calloc(vcpus, sizeof(*calls.of));
	if (!calls.of)
		abort();
	profile_file()->header.nnodes = 1; /* the root */
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

/* A task that collects gets the counts since the last time, and so does the context in which it is.
 */
static void settle(struct caller *c, const struct costs *now)
{
	struct task *t = c->task;
	const uint32_t node = t->n ? t->frame[t->n - 1].node : 0;

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
	if (!t->active[function % FILTER_SLOTS])
		return NULL;
	for (size_t i = t->n; i--;)
		if (t->frame[i].function == function)
			return &t->frame[i];
	return NULL;
}

static struct frame *new_frame(struct task *t)
{
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : FRAMES_FIRST;
		t->frame = realloc(t->frame, t->room * sizeof(*t->frame));
		if (!t->frame)
			abort();
	}
	return &t->frame[t->n++];
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
	for (size_t i = t->n; i--;)
		if (t->frame[i].stack > frame->stack && role_of(&t->frame[i]) != PROFILE_PASSES)
			return &t->frame[i];
	return NULL;
}

static bool is_region(uint32_t node)
{
	const struct profile_node *n = profile_file()->node;

	return node && n[node].function == n[n[node].parent].function;
}

/* After the function of `frame` has returned. */
static void begin_region(struct task *t, const struct frame *frame)
{
	struct frame *caller = find_caller(t, frame);

	if (caller && !is_region(caller->node))
		caller->node = find_node(caller->node, caller->function);
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
	const struct frame *top = t->n ? &t->frame[t->n - 1] : NULL, *active;
	const uint32_t caller = top ? top->function : 0;
	struct frame frame = {.stack = stack, .function = function, .since = t->total};

	if (UNLIKELY(role_of(&frame) == PROFILE_ENDS))
		end_region(t, &frame);
	active = find_active(t, function);
	frame.is_outermost = !active;
	frame.node = active ? active->node : find_node(top ? top->node : 0, function);
	frame.edge = find_edge(site, caller, function, is_jump);
	toggle_by(t, &frame);
	if (t->wants && !profile_file()->header.is_machine_ignored)
		count_call(&frame);
	*new_frame(t) = frame;
	t->active[function % FILTER_SLOTS]++;
}

static void give_costs(const struct task *t, struct frame *frame)
{
	struct profile_file *f = profile_file();

	if (!frame->is_counted && memcmp(&t->total, &frame->since, sizeof(t->total)) != 0)
		count_call(frame);
	if (frame->edge != NO_EDGE)
		add_costs(f->edge[frame->edge].inclusive, &t->total, &frame->since);
	if (frame->is_outermost)
		add_costs(f->function[frame->function].inclusive, &t->total, &frame->since);
	frame->since = t->total;
}

static void pop(struct task *t)
{
	struct frame *frame = &t->frame[--t->n];

	give_costs(t, frame);
	toggle_by(t, frame);
	t->active[frame->function % FILTER_SLOTS]--;
	if (UNLIKELY(role_of(frame) == PROFILE_BEGINS))
		begin_region(t, frame);
}

static bool is_top_dead(const struct task *t, uint64_t stack)
{
	return t->n && t->frame[t->n - 1].stack <= stack;
}

static void drop_frames(struct task *t, uint64_t stack)
{
	while (is_top_dead(t, stack))
		pop(t);
}

/* --- Tasks --- */

static void give_open_frames(struct task *t)
{
	for (size_t i = 0; i < t->n; i++)
		give_costs(t, &t->frame[i]);
}

static void give_all_frames(void)
{
	for (unsigned i = 0; i < TASK_SLOTS; i++)
		if (calls.task[i])
			give_open_frames(calls.task[i]);
}

static void free_task(struct task *t)
{
	give_open_frames(t);
	branches_drop(t->branch);
	free(t->frame);
	free(t);
}

static bool is_running(const struct task *t)
{
	for (unsigned i = 0; i < calls.vcpus; i++)
		if (calls.of[i].task == t)
			return true;
	return false;
}

static struct task **task_slot(uint64_t id)
{
	return &calls.task[hash_of_words(id, 0) % TASK_SLOTS];
}

/* A task that loses its place to another one begins with an empty stack. */
static struct task *find_task(uint64_t id)
{
	struct task **at = task_slot(id), *found = *at;

	if (found && found->id == id)
		return found;
	if (found && !is_running(found))
		free_task(found);
	*at = calloc(1, sizeof(**at));
	if (!*at)
		abort();
	(*at)->id = id;
	(*at)->collects = (*at)->wants = !profile_file()->header.is_task_ignored;
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
static void end_task(uint64_t id)
{
	struct task **at = task_slot(id);

	if (!*at || (*at)->id != id)
		return;
	leave_vcpus(*at, calls.vcpus);
	free_task(*at);
	*at = NULL;
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
	t->stack = stack;
	t->site = no_site;
	t->interrupted[t->nsignals++ % SIGNALS_MOST] = t->n;
}

/* The handler and the code that it returned to are over: their frames are those above. */
static void resume_interrupted(struct task *t)
{
	size_t n;

	t->stack = 0;
	if (!t->nsignals)
		return;
	n = t->interrupted[--t->nsignals % SIGNALS_MOST];
	while (t->n > n)
		pop(t);
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
		end_task(mark->task);
		return;
	}
	profile_announce();
	ask_for_undone();
	if (c->task)
		c->task->branch = branches_suspend(vcpu);
	c->task = find_task(mark->task);
	leave_vcpus(c->task, vcpu);
	c->at_call = c->last;
	if (mark->stack == TASK_MARK_RESUMES)
		resume_interrupted(c->task);
	else if (mark->stack)
		interrupt_task(c->task, mark->stack);
	follow_pieces();
	resume_branch(vcpu, c->task, mark->stack && mark->stack != TASK_MARK_RESUMES);
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

/* QEMU 7.2 calls it for ring 0's accesses, too, where an interrupt follows the block: these are in
 * the upper half. */
static void on_call(unsigned vcpu, plugin_access info, uint64_t va, void *site)
{
	struct caller *c = &calls.of[vcpu];

	if (!c->task || va >= UPPER_HALF || !qemu_plugin_mem_is_store(info))
		return;
	c->task->site = *(const struct site *)site;
	c->task->stack = va;
	read_costs(vcpu, &c->at_call);
	if (UNLIKELY(is_top_dead(c->task, va))) {
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
	const uint64_t stack = t->n ? t->frame[t->n - 1].stack : ROOT_FRAME;
	size_t i = t->n;

	while (i && t->frame[i - 1].stack == stack && t->frame[i - 1].function != function)
		i--;
	if (!i || t->frame[i - 1].stack != stack) {
		push(t, function, stack, &no_site, true);
		return;
	}
	while (t->n > i)
		pop(t);
}

static bool has_pending_call(const struct task *t)
{
	return t->stack;
}

static void begin_function(unsigned vcpu, struct caller *c, uint32_t function)
{
	struct task *t = c->task;

	lock_calls();
	if (has_pending_call(t)) {
		settle(c, &c->at_call);
		push(t, function, t->stack, &t->site, false);
		t->stack = 0;
	} else {
		settle_now(vcpu, c);
		jump_to(t, function);
	}
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

static bool is_top(const struct task *t, uint32_t function)
{
	return t->n && t->frame[t->n - 1].function == function;
}

static void on_function_start(unsigned vcpu, void *start)
{
	const uint32_t function = ((const struct start *)start)->function;
	struct caller *c = &calls.of[vcpu];

	if (c->task && (has_pending_call(c->task) || !is_top(c->task, function)))
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
	if (has_pending_call(c->task) && c->task->stack <= va)
		c->task->stack = 0; /* no function began */
	if (!is_top_dead(c->task, va))
		return;
	lock_calls();
	settle_now(vcpu, c);
	drop_frames(c->task, va);
	collect_as_wanted(vcpu, c);
	unlock_calls();
}

/* --- Requests --- */

struct stored_words *calls_stored(unsigned vcpu)
{
	return vcpu < calls.vcpus && calls.of[vcpu].task ? &calls.of[vcpu].task->stored : NULL;
}

void calls_toggle(unsigned vcpu)
{
	struct caller *c = &calls.of[vcpu];

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
	for (unsigned i = 0; i < TASK_SLOTS; i++)
		for (size_t k = 0; calls.task[i] && k < calls.task[i]->n; k++) {
			calls.task[i]->frame[k].since = calls.task[i]->total;
			calls.task[i]->frame[k].is_counted = false;
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

void calls_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded, size_t n)
{
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(block, n - 1);

	attach_start(qemu_plugin_tb_get_insn(block, 0));
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
