// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rb_model.c - explores rb/rb.c and the inline functions of rb/rb.h: every order of the code's
 * accesses, with writers that nest at any access, a reader on another CPU, and stores that stay in
 * the CPUs' store buffers for any time.
 *
 * The code runs on two stacks, one for each CPU. Each access (ring_order.h) returns to this test,
 * which chooses the next step. A state is the ring, the memory, the buffers and both stacks. The
 * test saves it, and restores it for each possible choice. A hash of 128 bits identifies a state.
 * It includes all that determines later steps; a stack enters it as the values that its functions
 * have loaded since their calls. If no other CPU can notice the time of an access, it takes place
 * before other CPUs take steps: these would lead to the same states.
 *
 * There are two memory models. In TSO, x86's, stores leave the buffer in order, and letters A to D
 * of rb/order.h are plain moves. In the weak model only the letters order accesses. Stores leave in
 * any order unless B waits for them. Words of the data may be loaded at any time after C, or,
 * without C, after the call of rb_read(). Without D the reader may free room before it reads it,
 * and without A data may be stored before there is room. An access before its time is a promise. A
 * run that does not keep its promise does not count.
 *
 * A run is right if the reader finds at each position the word that was reserved for it, each word
 * once, and has read all reserved words in the end. A record is lost only if there is no room for
 * it, and is counted once. The code must be right in both models. With a mutated access it must go
 * wrong, or the exploration would prove nothing.
 */
#include "tests/unit/record/ring_states.h"

#include <string.h>

#include "tests/unit/test.h"

/* --- The writers and the reader, and their checks --- */

/* The header's type identifies the record; sizes are in units of the header. No record is a SAMPLE.
 */
static uint64_t word_of(uint64_t id, unsigned i, unsigned words)
{
	return i ? 0xda7a000000000000 | id << 8 | i : (uint64_t)words * 8 << 48 | (0x100 + id);
}

static size_t index_of(uint64_t position)
{
	int64_t at = (int64_t)position / (int64_t)sizeof(uint64_t) + POSITIONS;

	ASSERT(at >= 0 && at < 2 * POSITIONS);
	return (size_t)at;
}

static void note_reserved(uint64_t position, uint64_t word)
{
	uint64_t *reserved = &now.reserved[index_of(position)];

	if (*reserved)
		found_wrong("two records in one place");
	*reserved = word;
}

/* The tail only increases: a record that fits with an earlier tail must not be lost. */
static void check_lost(unsigned words, uint64_t tail)
{
	uint64_t used = backward() ? tail - now.rb.head : now.rb.head - tail;

	if (used + words * sizeof(uint64_t) <= BYTES)
		found_wrong("a record was lost though there was room");
	now.failed++;
}

/* An NMI, which nothing interrupts. False: it has to take the usual way. */
static bool put_alone(uint8_t words)
{
	uint64_t at, *to;
	bool begun;

	now.alone = true;
	begun = rb_begin_alone(&now.rb, words * sizeof(uint64_t), &at, &to);
	if (begun) {
		const uint64_t id = note(now.next_id++);

		for (unsigned i = 0; i < words; i++) {
			note_reserved(at + i * sizeof(uint64_t), word_of(id, i, words));
			ring_store(&to[i], word_of(id, i, words));
		}
		rb_end_alone(&now.rb, at + words * sizeof(uint64_t));
	}
	now.alone = false;
	return begun;
}

static void put_record(uint8_t words)
{
	uint64_t id = now.next_id++, tail = note(now.memory[TAIL]), rest[WORDS];
	struct rb_writer w;
	bool reserved;

	note(id);
	now.reserving[now.depth - 1] = true;
	reserved = rb_begin(&w, &now.rb, words * sizeof(uint64_t));
	now.reserving[now.depth - 1] = false;
	if (!reserved) {
		check_lost(words, tail);
		return;
	}
	for (unsigned i = 0; i < words; i++) {
		rest[i] = word_of(id, i, words);
		note_reserved(w.at + i * sizeof(uint64_t), rest[i]);
	}
	rb_put(&w, rest[0]);
	rb_put_words(&w, rest + 1, words - 1u);
	rb_end(&w);
}

static void act_as_writer(uint8_t what)
{
	now.history[now.depth++] = (struct history){0, 0};
	if (what == TAKE_LOST)
		now.taken += rb_take_lost(&now.rb);
	else if (what == LOSE)
		rb_lose(&now.rb, 1);
	else if (what < ALONE || !put_alone(what - ALONE))
		put_record(what % ALONE);
	now.depth--;
	now.history[now.depth] = (struct history){0, 0};
	now.published[now.depth] = now.early_look[now.depth] = 0;
	now.has_early_look[now.depth] = false;
}

static void run_writers(void)
{
	while (now.task_next < explorer.scene->ntask)
		act_as_writer(explorer.scene->task[now.task_next++]);
	now.finished = true;
	for (;;)
		come_to(FINISHED);
}

static void check_read(const uint64_t *out, uint64_t position, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = index_of(position + i * sizeof(uint64_t));

		if (!out[i] || out[i] != now.reserved[at])
			found_wrong("a word that is not the one that was reserved");
		if (now.was_read[at])
			found_wrong("a word was read twice");
		now.was_read[at] = true;
	}
}

static void run_reader(void)
{
	uint64_t out[WORDS];
	bool any;
	size_t n;

	for (;;) {
		come_to(BEGIN_READ);
		any = note(now.memory[HEAD] != now.own_tail);
		n = rb_read(&now.rb, out, explorer.scene->out * sizeof(uint64_t));
		if (any && !n)
			found_wrong("the reader finds nothing where there is something");
		check_read(out, now.rb.at - n, n / sizeof(uint64_t));
		now.reader_history = (struct history){0, 0};
		if (!backward()) /* where a pass goes on, C was in an earlier call */
			memset(now.early, 0, sizeof(now.early));
		now.load_at = now.nloads = 0;
	}
}

/* In the end no writer is active, and all records were read. */
static bool is_end(void)
{
	return now.finished && !now.npending && !now.ntail_pending &&
	       now.next_access[READER] == BEGIN_READ && now.memory[HEAD] == now.memory[TAIL];
}

static void check_end(void)
{
	explorer.ends++;
	if (now.promised) /* ... and will never be kept */
		return;
	for (size_t i = 0; i < 2 * POSITIONS; i++)
		if (now.reserved[i] && !now.was_read[i])
			found_wrong("a record was never seen");
	if (now.memory[HEAD] != now.rb.head || now.rb.busy)
		found_wrong("the ring was left in disorder");
	if (now.taken + now.rb.lost != now.rb.lost_total)
		found_wrong("lost records were not counted once");
}

static const struct program program = {
	.writers = run_writers,
	.interrupt = act_as_writer,
	.reader = run_reader,
	.is_end = is_end,
	.check_end = check_end,
};

static const struct scene scenes[] = {
	{.ntask = 3, .task = {2, 1, 2}, .out = 4},
	{.ntask = 2, .task = {1, 2}, .nirq = 1, .irq = {1}, .out = 2},
	{.ntask = 1, .task = {2}, .nirq = 2, .irq = {1, 1}, .out = 4},
	{.ntask = 4, .task = {1, 2, 2, 1}, .out = 2},
	{.ntask = 2, .task = {2, 1}, .nirq = 2, .irq = {1, 2}, .out = 4},
	{.ntask = 3, .task = {2, 2, 1}, .nirq = 1, .irq = {1}, .out = 2, .mode = RB_BACKWARD},
	{.ntask = 2, .task = {2, 1}, .nirq = 2, .irq = {ALONE + 1, ALONE + 2}, .out = 4},
	{.ntask = 2, .task = {1, 2}, .nirq = 2, .irq = {1, ALONE + 1}, .out = 2},
	{.ntask = 2,
	 .task = {LOSE, TAKE_LOST},
	 .nirq = 3,
	 .irq = {LOSE, TAKE_LOST, LOSE},
	 .out = 4},
};

#define SCENES (sizeof(scenes) / sizeof(scenes[0]))

TEST(test_right)
{
	for (unsigned weak = 0; weak < 2; weak++)
		for (size_t i = 0; i < SCENES; i++) {
			const char *kind = weak ? "weak" : "TSO";

			if (explore(&program, &scenes[i], weak, NONE))
				fail_msg("%s, scene %zu: %s", kind, i, explorer.wrong);
			print_message("%s, scene %zu: %zu states, %zu ends\n", kind, i,
				      explorer.states, explorer.ends);
			assert_true(explorer.ends > 0);
		}
}

static const char *find_wrong(bool weak, enum mutation mutation)
{
	for (size_t i = 0; i < SCENES; i++)
		if (explore(&program, &scenes[i], weak, mutation))
			return explorer.wrong;
	return NULL;
}

/* With each mutation some run goes wrong. */
TEST(test_mutations)
{
	for (enum mutation m = NO_A; m <= TORN_LOST; m++)
		if (!find_wrong(true, m))
			fail_msg("mutation %d was not found out", m);
		else
			print_message("mutation %d: %s\n", m, explorer.wrong);
}

/* On x86 the letters are plain moves, but all other parts are needed there, too. */
TEST(test_mutations_on_tso)
{
	for (enum mutation m = NO_A; m <= TORN_LOST; m++)
		assert_int_equal(find_wrong(false, m) != NULL, m > NO_D);
}

FIXTURE(free_saved)
{
	free(explorer.saved);
	return 0;
}

GROUP(NULL, free_saved);
