// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rb_model.c - the protocol of rb/rb.h as an abstract machine, of which every state that can
 * be reached is visited: writers that nest at any step, a reader on another CPU, and stores that
 * wait in the CPUs' buffers for as long as they like.
 *
 * One step is one access to memory. Two memory models: TSO, x86's, where stores leave the buffer in
 * order and letters A to D of rb/order.h are plain moves; and a weak one, where only the letters
 * order anything: stores leave in any order unless B waits for them, the reader may have loaded
 * data before the head without C and give room back before it has loaded without D, and the writer
 * may have stored before it knew of room without A. The protocol must be right in both; and without
 * any one of its parts it must go wrong, or the model would prove nothing.
 *
 * Right means: the reader finds at each position the word that was reserved for it, comes past none
 * without having read it, and in the end everything that was reserved has been read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WORDS     4  /* of the ring */
#define POSITIONS 16 /* at most written in a run, in words */
#define LEVELS    3  /* writers within each other */
#define PENDING   5  /* stores in the writer's buffer */

enum mutation {
	NONE,
	NO_A,
	NO_B,
	NO_C,
	NO_D,
	PUBLISH_NESTED,   /* nested writers publish, too */
	NO_SECOND_LOOK,   /* the outermost does not look whether `head` moved on */
	LOOK_TOO_EARLY,   /* ... or does so before `busy` is 0 */
	TORN_RESERVE,     /* reserves by load and store instead of compare-and-exchange */
	BUSY_TOO_LATE,    /* `busy` is set after the reservation */
	LIMIT_TOO_FAR,    /* off by one word */
	READER_JUMPS,     /* gives back up to a head that it did not read up to */
	READER_OVERSHOOTS /* reads a word beyond the head that it has seen */
};

/* What there is to do: one task that writes, and interrupts with a record each, of these words. */
struct scene {
	uint8_t ntask, task[4];
	uint8_t nirq, irq[3];
};

enum location { DATA, HEAD = WORDS, TAIL, LOCATIONS };

enum pc {
	W_OUTERMOST,
	W_BUSY,
	W_HEAD,
	W_LIMIT,
	W_SLOW_HEAD,
	W_TAIL,
	W_SET_LIMIT,
	W_ROOM,
	W_RESERVE,
	W_TORN_STORE,
	W_LATE_BUSY,
	W_PUT,
	W_END,
	W_GIVE_UP,
	W_PUBLISH,
	W_EARLY_LOOK,
	W_IDLE,
	W_LOOK,
	W_BUSY_AGAIN,
	W_HEAD_AGAIN,
	W_DONE
};

struct writer {
	uint8_t pc, words, id, put; /* `put`: words stored */
	uint8_t head, limit, tail;  /* as seen; `head` becomes where the record begins */
	uint8_t end;                /* what it will publish */
	bool outermost, stored;     /* the data before there was room for it: without A */
};

enum reader_pc { R_EARLY, R_HEAD, R_EARLY_TAIL, R_WORD, R_TAIL, R_JUMP };

struct state {
	uint8_t memory[LOCATIONS];
	uint8_t pending_at[PENDING], pending[PENDING], npending; /* the writer CPU's stores */
	uint8_t reader_pending[2], nreader_pending;              /* of TAIL */

	uint8_t head, busy, limit; /* the writers' own */
	struct writer level[LEVELS];
	uint8_t depth, task_next, irq_next, next_id, lost;

	uint8_t reader_pc, seen, at, early[WORDS]; /* reads up to `seen` */
	bool has_early;

	/* What is right: the word at each position, and how far the reader has read. */
	uint8_t reserved[POSITIONS], read;
};

static struct {
	enum mutation mutation;
	bool weak;
	const struct scene *scene;
	const char *wrong; /* NULL: nothing was found */
	struct state *table;
	bool *used;
	size_t slots, states;
	struct state *stack;
	size_t nstack, most_stack;
} model;

static bool mutated(enum mutation m)
{
	return model.mutation == m;
}

static void wrong(const char *what)
{
	model.wrong = what;
}

static uint8_t word_of(uint8_t id, uint8_t i)
{
	return (uint8_t)(0x80 | id << 2 | i);
}

/* --- Memory --- */

static uint8_t writer_load(const struct state *s, uint8_t at)
{
	for (uint8_t i = s->npending; i-- > 0;)
		if (s->pending_at[i] == at)
			return s->pending[i];
	return s->memory[at];
}

/* False: the buffer is full, some other step has to come first. */
static bool writer_store(struct state *s, uint8_t at, uint8_t value)
{
	if (s->npending == PENDING)
		return false;
	s->pending_at[s->npending] = at;
	s->pending[s->npending++] = value;
	return true;
}

/* B: not before everything that was stored earlier. */
static bool writer_publish(struct state *s, uint8_t head)
{
	if (model.weak && !mutated(NO_B) && s->npending)
		return false;
	return writer_store(s, HEAD, head);
}

static bool may_leave(const struct state *s, uint8_t i)
{
	if (!model.weak)
		return i == 0;
	for (uint8_t k = 0; k < i; k++)
		if (s->pending_at[k] == s->pending_at[i])
			return false;
	return true;
}

static void leave_buffer(struct state *s, uint8_t i)
{
	s->memory[s->pending_at[i]] = s->pending[i];
	s->npending--;
	for (; i < s->npending; i++) {
		s->pending_at[i] = s->pending_at[i + 1];
		s->pending[i] = s->pending[i + 1];
	}
	s->pending_at[i] = s->pending[i] = 0;
}

/* --- Writers --- */

static void note_reserved(struct state *s, const struct writer *w)
{
	for (uint8_t i = 0; i < w->words; i++) {
		if (s->reserved[w->head + i])
			wrong("two records in one place");
		s->reserved[w->head + i] = word_of(w->id, i);
	}
}

/* Without A the data may be on its way before it is known whether there is room. */
static void store_early(struct state *s, struct writer *w)
{
	if (!model.weak || !mutated(NO_A) || w->stored || s->npending + w->words > PENDING)
		return;
	for (uint8_t i = 0; i < w->words; i++)
		writer_store(s, DATA + (w->head + i) % WORDS, word_of(w->id, i));
	w->stored = true;
}

static void reserve(struct state *s, struct writer *w)
{
	if (mutated(TORN_RESERVE)) {
		w->pc = W_TORN_STORE;
		return;
	}
	if (s->head != w->head) {
		w->pc = W_SLOW_HEAD;
		return;
	}
	s->head = (uint8_t)(w->head + w->words);
	w->end = s->head;
	note_reserved(s, w);
	w->pc = mutated(BUSY_TOO_LATE) ? W_LATE_BUSY : W_PUT;
}

/* The next access of the writer that runs. False: it has to wait. */
static bool step_writer(struct state *s)
{
	struct writer *w = &s->level[s->depth - 1];

	switch ((enum pc)w->pc) {
	case W_OUTERMOST:
		w->outermost = !s->busy;
		w->pc = mutated(BUSY_TOO_LATE) ? W_HEAD : W_BUSY;
		break;
	case W_BUSY:
		s->busy = 1;
		w->pc = W_HEAD;
		break;
	case W_HEAD:
		w->head = s->head;
		w->pc = W_LIMIT;
		break;
	case W_LIMIT:
		w->pc = w->head + w->words < s->limit ? W_RESERVE : W_SLOW_HEAD;
		break;
	case W_SLOW_HEAD:
		w->head = s->head;
		store_early(s, w);
		w->pc = W_TAIL;
		break;
	case W_TAIL:
		w->tail = writer_load(s, TAIL);
		w->pc = W_SET_LIMIT;
		break;
	case W_SET_LIMIT:
		s->limit = (uint8_t)(w->tail + WORDS + 1 + mutated(LIMIT_TOO_FAR));
		w->pc = W_ROOM;
		break;
	case W_ROOM:
		w->pc = w->head + w->words - w->tail <= WORDS ? W_RESERVE : W_GIVE_UP;
		break;
	case W_RESERVE:
		reserve(s, w);
		break;
	case W_TORN_STORE:
		s->head = (uint8_t)(w->head + w->words);
		w->end = s->head;
		note_reserved(s, w);
		w->pc = W_PUT;
		break;
	case W_LATE_BUSY:
		s->busy = 1;
		w->pc = W_PUT;
		break;
	case W_PUT:
		if (!w->stored && w->put < w->words) {
			if (!writer_store(s, DATA + (w->head + w->put) % WORDS,
					  word_of(w->id, w->put)))
				return false;
			w->put++;
			break;
		}
		w->pc = W_END;
		break;
	case W_END:
		w->pc = w->outermost || mutated(PUBLISH_NESTED) ? W_PUBLISH : W_DONE;
		break;
	case W_GIVE_UP:
		s->lost++;
		w->end = s->head;
		w->pc = w->outermost ? W_PUBLISH : W_DONE;
		break;
	case W_PUBLISH:
		if (!writer_publish(s, w->end))
			return false;
		w->pc = mutated(LOOK_TOO_EARLY) ? W_EARLY_LOOK : W_IDLE;
		break;
	case W_EARLY_LOOK:
		w->pc = s->head == w->end ? W_IDLE : W_HEAD_AGAIN;
		break;
	case W_IDLE:
		if (w->outermost)
			s->busy = 0;
		w->pc = mutated(NO_SECOND_LOOK) || mutated(LOOK_TOO_EARLY) ? W_DONE : W_LOOK;
		break;
	case W_LOOK:
		w->pc = s->head == w->end || !w->outermost ? W_DONE : W_BUSY_AGAIN;
		break;
	case W_BUSY_AGAIN:
		s->busy = 1;
		w->pc = W_HEAD_AGAIN;
		break;
	case W_HEAD_AGAIN:
		w->end = s->head;
		w->pc = W_PUBLISH;
		break;
	case W_DONE:
		memset(w, 0, sizeof(*w));
		s->depth--;
		break;
	}
	return true;
}

static void enter(struct state *s, uint8_t words)
{
	s->level[s->depth++] = (struct writer){.words = words, .id = s->next_id++};
}

static bool can_interrupt(const struct state *s)
{
	return s->depth && s->depth < LEVELS && s->irq_next < model.scene->nirq;
}

/* --- The reader --- */

static uint8_t reader_tail(const struct state *s)
{
	return s->nreader_pending ? s->reader_pending[s->nreader_pending - 1] : s->memory[TAIL];
}

static bool store_tail(struct state *s, uint8_t tail)
{
	if (s->nreader_pending == 2)
		return false;
	s->reader_pending[s->nreader_pending++] = tail;
	return true;
}

static void read_word(struct state *s)
{
	uint8_t word = s->has_early ? s->early[s->at % WORDS] : s->memory[DATA + s->at % WORDS];

	if (word != s->reserved[s->at])
		wrong("a word that is not the one that was reserved");
	if (s->at == s->read)
		s->read++;
	s->at++;
}

static void give_back_to(struct state *s, uint8_t tail)
{
	if (tail > s->read && !(mutated(NO_D) && s->reader_pc == R_EARLY_TAIL))
		wrong("room was given back that was not read");
	store_tail(s, tail);
}

static bool step_reader(struct state *s)
{
	const bool late = model.weak && mutated(NO_D);

	switch ((enum reader_pc)s->reader_pc) {
	case R_EARLY: /* without C: data that was loaded before the head */
		if (model.weak && mutated(NO_C)) {
			memcpy(s->early, s->memory, WORDS);
			s->has_early = true;
		}
		s->reader_pc = R_HEAD;
		return true;
	case R_HEAD:
		s->at = reader_tail(s);
		s->seen = s->memory[HEAD];
		if (s->seen == s->at)
			return false;
		if (mutated(READER_OVERSHOOTS))
			s->seen++;
		s->reader_pc = late ? R_EARLY_TAIL : R_WORD;
		return true;
	case R_EARLY_TAIL:
		if (s->nreader_pending == 2)
			return false;
		give_back_to(s, s->seen);
		s->reader_pc = R_WORD;
		return true;
	case R_WORD:
		if (s->seen > POSITIONS || s->at >= POSITIONS) {
			wrong("the reader left what was written");
			return true;
		}
		read_word(s);
		if (s->at == s->seen)
			s->reader_pc = late ? R_JUMP : R_TAIL;
		return true;
	case R_TAIL:
		if (s->nreader_pending == 2)
			return false;
		give_back_to(s, mutated(READER_JUMPS) ? s->memory[HEAD] : s->at);
		s->reader_pc = R_JUMP;
		return true;
	case R_JUMP:
		s->reader_pc = R_EARLY;
		s->seen = s->at = 0;
		s->has_early = false;
		memset(s->early, 0, sizeof(s->early));
		return true;
	}
	return false;
}

/* --- All states --- */

static uint64_t hash(const struct state *s)
{
	const uint8_t *bytes = (const uint8_t *)s;
	uint64_t h = 0xcbf29ce484222325;

	for (size_t i = 0; i < sizeof(*s); i++)
		h = (h ^ bytes[i]) * 0x100000001b3;
	return h ^ h >> 29;
}

static void grow(void);

/* False: it was there before. */
static bool remember(const struct state *s)
{
	size_t i = hash(s) & (model.slots - 1);

	while (model.used[i]) {
		if (!memcmp(&model.table[i], s, sizeof(*s)))
			return false;
		i = (i + 1) & (model.slots - 1);
	}
	model.used[i] = true;
	model.table[i] = *s;
	if (++model.states > model.slots / 2)
		grow();
	return true;
}

static void grow(void)
{
	struct state *table = model.table;
	bool *used = model.used;
	size_t slots = model.slots;

	model.slots *= 2;
	model.states = 0;
	model.table = malloc(model.slots * sizeof(*table));
	model.used = calloc(model.slots, sizeof(*used));
	for (size_t i = 0; i < slots; i++)
		if (used[i])
			remember(&table[i]);
	free(table);
	free(used);
}

static void visit(const struct state *s)
{
	if (!remember(s))
		return;
	if (model.nstack == model.most_stack) {
		model.most_stack = model.most_stack ? 2 * model.most_stack : 1024;
		model.stack = realloc(model.stack, model.most_stack * sizeof(*s));
	}
	model.stack[model.nstack++] = *s;
}

/* Nothing can happen any more. */
static void check_end(const struct state *s)
{
	if (s->depth || s->task_next < model.scene->ntask || s->npending)
		wrong("everybody waits");
	else if (s->read != s->head)
		wrong("a record was never seen");
	else if (s->memory[HEAD] != s->head || s->busy)
		wrong("the ring was left in disorder");
}

static void visit_all_after(const struct state *s)
{
	bool any = false;
	struct state next = *s;

	if (s->depth ? step_writer(&next) : s->task_next < model.scene->ntask) {
		if (!s->depth)
			enter(&next, model.scene->task[next.task_next++]);
		visit(&next);
		any = true;
	}
	if (can_interrupt(s)) {
		next = *s;
		enter(&next, model.scene->irq[next.irq_next++]);
		visit(&next);
		any = true;
	}
	for (uint8_t i = 0; i < s->npending; i++)
		if (may_leave(s, i)) {
			next = *s;
			leave_buffer(&next, i);
			visit(&next);
			any = true;
		}
	if (s->nreader_pending) {
		next = *s;
		next.memory[TAIL] = next.reader_pending[0];
		next.reader_pending[0] = next.reader_pending[1];
		next.reader_pending[1] = 0;
		next.nreader_pending--;
		visit(&next);
		any = true;
	}
	next = *s;
	if (step_reader(&next)) {
		visit(&next);
		any = true;
	}
	if (!any)
		check_end(s);
}

/* Returns what is wrong with it, NULL when all states are right. */
static const char *explore(const struct scene *scene, bool weak, enum mutation mutation)
{
	struct state first;

	model.scene = scene;
	model.weak = weak;
	model.mutation = mutation;
	model.wrong = NULL;
	model.slots = 1 << 12;
	model.states = 0;
	model.table = malloc(model.slots * sizeof(*model.table));
	model.used = calloc(model.slots, sizeof(*model.used));
	memset(&first, 0, sizeof(first));
	visit(&first);
	while (model.nstack && !model.wrong) {
		struct state s = model.stack[--model.nstack];

		visit_all_after(&s);
	}
	model.nstack = 0;
	free(model.table);
	free(model.used);
	return model.wrong;
}

static const struct scene scenes[] = {
	{.ntask = 3, .task = {2, 1, 2}, .nirq = 0},
	{.ntask = 2, .task = {1, 2}, .nirq = 1, .irq = {1}},
	{.ntask = 1, .task = {2}, .nirq = 2, .irq = {1, 1}},
	{.ntask = 4, .task = {1, 2, 2, 1}, .nirq = 0},
	{.ntask = 2, .task = {2, 1}, .nirq = 2, .irq = {1, 2}},
};

#define SCENES (sizeof(scenes) / sizeof(scenes[0]))

static void test_right(void **state)
{
	(void)state;
	for (unsigned weak = 0; weak < 2; weak++)
		for (size_t i = 0; i < SCENES; i++) {
			if (explore(&scenes[i], weak, NONE))
				fail_msg("scene %zu: %s", i, model.wrong);
			print_message("%s, scene %zu: %zu states\n", weak ? "weak" : "TSO", i,
				      model.states);
			assert_true(model.states > 1000);
		}
}

static const char *find_wrong(bool weak, enum mutation mutation)
{
	for (size_t i = 0; i < SCENES; i++)
		if (explore(&scenes[i], weak, mutation))
			return model.wrong;
	return NULL;
}

/* Without any one of its parts it goes wrong somewhere. */
static void test_mutations(void **state)
{
	(void)state;
	for (enum mutation m = NO_A; m <= READER_OVERSHOOTS; m++)
		if (!find_wrong(true, m))
			fail_msg("mutation %d was not found out", m);
		else
			print_message("mutation %d: %s\n", m, model.wrong);
}

/* On x86 the letters are plain moves; the rest is needed there, too. */
static void test_mutations_on_tso(void **state)
{
	(void)state;
	for (enum mutation m = NO_A; m <= READER_OVERSHOOTS; m++)
		assert_int_equal(find_wrong(false, m) != NULL, m > NO_D);
}

static int teardown(void **state)
{
	(void)state;
	free(model.stack);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_mutations_on_tso),
	};

	return cmocka_run_group_tests_name("rb_model", tests, NULL, teardown);
}
