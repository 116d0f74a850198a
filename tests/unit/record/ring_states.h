/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring_states.h - visits every state that the two CPUs of ring_cpus.h can reach. See
 * test_rb_model.c.
 */
#ifndef TESTS_RING_STATES_H
#define TESTS_RING_STATES_H

#include "tests/unit/record/ring_cpus.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static inline void *grown(void *p, size_t bytes)
{
	p = realloc(p, bytes);
	assert_non_null(p);
	return p;
}

static inline void insert(struct history h)
{
	size_t i = h.a & (explorer.slots - 1);

	while (explorer.table[i].a || explorer.table[i].b)
		i = (i + 1) & (explorer.slots - 1);
	explorer.table[i] = h;
}

static inline void grow_table(void)
{
	struct history *old = explorer.table;
	size_t slots = explorer.slots;

	explorer.slots *= 2;
	explorer.table = calloc(explorer.slots, sizeof(*old));
	assert_non_null(explorer.table);
	for (size_t i = 0; i < slots; i++)
		if (old[i].a || old[i].b)
			insert(old[i]);
	free(old);
}

/* Adds a hash to the visited states. False: it was visited before. */
static inline bool remember_state(void)
{
	const uint64_t *words = (const uint64_t *)&now;
	struct history h = {1, 2};
	size_t i;

	for (i = 0; i < sizeof(now) / sizeof(*words); i++)
		h = mixed(h, words[i]);
	for (i = h.a & (explorer.slots - 1); explorer.table[i].a || explorer.table[i].b;
	     i = (i + 1) & (explorer.slots - 1))
		if (explorer.table[i].a == h.a && explorer.table[i].b == h.b)
			return false;
	explorer.table[i] = h;
	if (++explorer.states > explorer.slots / 2)
		grow_table();
	return true;
}

static inline size_t depth_of(unsigned cpu)
{
	return (size_t)(cpus[cpu].stack + STACK - (uint8_t *)cpus[cpu].sp);
}

/* A state to explore: `now`, and the used part of the stacks. */
struct saved {
	struct state state;
	void *sp[CPUS];
	uint8_t stacks[CPUS * STACK];
};

static inline void save_state(void)
{
	struct saved *saved;
	uint8_t *to;

	if (explorer.nsaved == explorer.most_saved) {
		explorer.most_saved = explorer.most_saved ? 2 * explorer.most_saved : 256;
		explorer.saved = grown(explorer.saved, explorer.most_saved * sizeof(*saved));
	}
	saved = &explorer.saved[explorer.nsaved++];
	saved->state = now;
	to = saved->stacks;
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		saved->sp[cpu] = cpus[cpu].sp;
		memcpy(to, cpus[cpu].sp, depth_of(cpu));
		to += depth_of(cpu);
	}
}

static inline void copy_saved(struct saved *to, const struct saved *from)
{
	size_t depth = 0;

	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		depth += (size_t)(cpus[cpu].stack + STACK - (uint8_t *)from->sp[cpu]);
	memcpy(to, from, offsetof(struct saved, stacks) + depth);
}

static inline void put_back(const struct saved *saved)
{
	const uint8_t *from = saved->stacks;

	now = saved->state;
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		cpus[cpu].sp = saved->sp[cpu];
		memcpy(cpus[cpu].sp, from, depth_of(cpu));
		from += depth_of(cpu);
	}
}

/* Puts the state after a step on the stack of states, if it is possible and new. */
static inline void end_step(void)
{
	bool impossible = explorer.impossible;

	explorer.impossible = false;
	if (impossible || explorer.wrong || !remember_state())
		return;
	if (explorer.program->is_end())
		explorer.program->check_end();
	save_state();
}

static inline void step_cpu(const struct saved *from, unsigned cpu, uint64_t choice)
{
	put_back(from);
	resume_cpu(cpu, choice);
	end_step();
}

static inline void interrupt_writer(const struct saved *from)
{
	put_back(from);
	if (!can_interrupt())
		return;
	explorer.interrupt = explorer.scene->irq[now.irq_next++];
	resume_cpu(WRITER, 0);
	end_step();
}

/* B: not before everything that was stored earlier. */
static inline bool may_leave(const struct state *s, unsigned i)
{
	if (!explorer.weak || s->pending[i].release)
		return i == 0;
	for (unsigned k = 0; k < i; k++)
		if (s->pending[k].at == s->pending[i].at)
			return false;
	return true;
}

static inline void leave_writer_buffer(const struct saved *from, unsigned i)
{
	put_back(from);
	now.memory[now.pending[i].at] = now.pending[i].value;
	now.npending--;
	for (; i < now.npending; i++)
		now.pending[i] = now.pending[i + 1];
	now.pending[i] = (struct pending){0, 0, 0};
	end_step();
}

static inline void leave_reader_buffer(const struct saved *from)
{
	put_back(from);
	now.memory[TAIL] = now.tail_pending[0];
	now.tail_pending[0] = now.tail_pending[1];
	now.tail_pending[1] = 0;
	now.ntail_pending--;
	if (now.promised && now.memory[TAIL] == now.promised_tail)
		keep_promise(&now.promised);
	else if (now.promised && now.memory[TAIL] > now.promised_tail)
		explorer.impossible = true;
	end_step();
}

/* Returns whether the reader's next access has another outcome than in program order. */
static inline bool reader_may_reorder(const struct state *s)
{
	if (!explorer.weak)
		return false;
	if (s->next_access[READER] == LOAD_HEAD)
		return mutated(NO_D) && !backward() && s->ntail_pending < 2;
	return s->next_access[READER] == LOAD_DATA &&
	       s->early[s->load_at] != s->memory[DATA + s->load_at];
}

static inline void step_writer(const struct saved *from)
{
	const struct state *s = &from->state;

	if (s->finished || (s->next_access[WRITER] == BUFFER_STORE && s->npending == PENDING))
		return;
	step_cpu(from, WRITER, 0);
	if (s->next_access[WRITER] != LOAD_TAIL || !explorer.weak || !mutated(NO_A) ||
	    s->promised || backward())
		return;
	for (uint64_t i = 1; s->memory[TAIL] + i * sizeof(uint64_t) <= s->rb.head; i++)
		step_cpu(from, WRITER, i);
}

/* The reader does not begin to read a ring that it has emptied, unless nothing was written yet. */
static inline bool reader_can_step(const struct state *s)
{
	if (s->next_access[READER] == STORE_TAIL)
		return s->ntail_pending < 2;
	return s->next_access[READER] != BEGIN_READ || !s->memory[HEAD] ||
	       s->memory[HEAD] != s->own_tail;
}

static inline void step_reader(const struct saved *from)
{
	if (!reader_can_step(&from->state))
		return;
	step_cpu(from, READER, 0);
	if (reader_may_reorder(&from->state))
		step_cpu(from, READER, 1);
}

/* Returns whether the reader's next access has the same outcome at any time. */
static inline bool is_private_to_reader(const struct state *s)
{
	if (!reader_can_step(s))
		return false;
	if (s->next_access[READER] == STORE_TAIL)
		return !mutated(READER_JUMPS);
	return s->next_access[READER] == BEGIN_READ && s->memory[HEAD];
}

/* An access takes place at once if no other CPU can notice its time. */
static inline void visit_all_after(const struct saved *from)
{
	const struct state *s = &from->state;

	if (!s->finished && s->next_access[WRITER] == LOCAL) {
		step_writer(from);
		interrupt_writer(from);
		return;
	}
	if (is_private_to_reader(s)) {
		step_reader(from);
		return;
	}
	step_writer(from);
	interrupt_writer(from);
	for (unsigned i = 0; i < s->npending; i++)
		if (may_leave(s, i))
			leave_writer_buffer(from, i);
	if (s->ntail_pending)
		leave_reader_buffer(from);
	step_reader(from);
}

static inline void enter_first_state(void)
{
	memset(&now, 0, sizeof(now));
	assert_int_equal(rb_init(&now.rb, storage, 1), 0);
	rb_set_mode(&now.rb, explorer.scene->mode);
	now.rb.mask = BYTES - 1;
	start_cpu(WRITER, explorer.program->writers);
	start_cpu(READER, explorer.program->reader);
	end_step();
}

/* Returns the first violation, or NULL if all states are right. */
static inline const char *explore(const struct program *program, const struct scene *scene,
				  bool weak, enum mutation mutation)
{
	explorer.program = program;
	explorer.scene = scene;
	explorer.weak = weak;
	explorer.mutation = mutation;
	explorer.wrong = NULL;
	explorer.states = explorer.ends = 0;
	explorer.slots = 1 << 16;
	explorer.table = calloc(explorer.slots, sizeof(*explorer.table));
	assert_non_null(explorer.table);
	enter_first_state();
	while (explorer.nsaved && !explorer.wrong) {
		static struct saved from;

		copy_saved(&from, &explorer.saved[--explorer.nsaved]);
		visit_all_after(&from);
	}
	explorer.nsaved = 0;
	free(explorer.table);
	return explorer.wrong;
}

#endif
