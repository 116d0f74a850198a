/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring_cpus.h - two CPUs that run rb/rb.c, each on its own stack, and the effects of the accesses
 * (ring_order.h). See test_rb_model.c.
 */
#ifndef TESTS_RING_CPUS_H
#define TESTS_RING_CPUS_H

#include "tests/unit/record/ring_order.h"

#include "rb/rb.c" /* the code that is explored, with the accesses of ring_order.h */

#include <stdlib.h>
#include <string.h>

#define WORDS      4 /* in the ring */
#define BYTES      (WORDS * sizeof(uint64_t))
#define POSITIONS  16   /* words that a run writes at most */
#define LEVELS     3    /* nested writers */
#define PENDING    6    /* stores in the writer's store buffer */
#define MOST_LOADS 64   /* loads of data in one rb_read() */
#define STACK      8192 /* bytes of a CPU's stack */

/* Mutations of the code: an access is left out, torn, or has another effect. */
enum mutation {
	NONE,
	NO_A,
	NO_B,
	NO_C,
	NO_D,
	PUBLISH_NESTED,    /* nested writers find `busy` 0 and publish, too */
	NO_SECOND_LOOK,    /* the outermost writer does not check whether `head` moved on */
	LOOK_TOO_EARLY,    /* the outermost writer checks that before `busy` is 0 */
	TORN_RESERVE,      /* the compare-and-exchange is a load and a store */
	BUSY_TOO_LATE,     /* `busy` is set after the reservation */
	LIMIT_TOO_FAR,     /* the limit is off by one word */
	READER_JUMPS,      /* the reader gives back room up to a head that it did not reach */
	READER_OVERSHOOTS, /* the reader reads a word beyond the head that it has seen */
	TORN_LOST          /* lost records are added by a load and a store */
};

/* Other steps of a writer. Smaller numbers are records with that number of words. */
enum { ALONE = 8, TAKE_LOST = 0x10, LOSE }; /* ALONE + words: by rb_begin_alone() */

/* A task that writes, interrupts that write, and a reader with a buffer of some words. */
struct scene {
	uint8_t ntask, task[4];
	uint8_t nirq, irq[3];
	uint8_t out;
	uint8_t mode; /* the ring's mode */
};

/* A program to explore: the code of both CPUs, the interrupt, and the checks at the end. */
struct program {
	void (*writers)(void);
	void (*interrupt)(uint8_t what);
	void (*reader)(void);
	bool (*is_end)(void);
	void (*check_end)(void);
};

/* Words of the shared memory. */
enum { DATA, HEAD = WORDS, TAIL, LOCATIONS };

enum access {
	LOCAL, /* memory that only this CPU sees */
	BUFFER_STORE,
	LOAD_TAIL,
	FINISHED,
	BEGIN_READ,
	BEFORE_HEAD,
	LOAD_HEAD,
	LOAD_DATA,
	STORE_TAIL
};

enum { WRITER, READER, CPUS };

struct saved;

/* The values that a function has loaded since its call: they determine what it does next. */
struct history {
	uint64_t a, b;
};

struct pending {
	uint64_t value;
	uint32_t at, release;
};

static struct state {
	struct rb rb;
	uint64_t memory[LOCATIONS];
	struct pending pending[PENDING]; /* store buffer of the writer's CPU */
	uint64_t tail_pending[2];        /* store buffer of the reader's CPU */
	uint64_t own_tail;               /* the tail that the reader stored last */
	uint64_t early[WORDS];           /* values that reordered loads of data may have found */
	struct history history[LEVELS], reader_history;
	uint64_t published[LEVELS], early_look[LEVELS];
	uint64_t reserved[2 * POSITIONS]; /* the word at each position, of either direction */
	bool was_read[2 * POSITIONS];
	uint64_t promised_tail, given_back_early;
	uint64_t failed, taken; /* reservations, lost records */
	const char *tentative;  /* a violation that counts once the promise is kept */
	uint8_t npending, ntail_pending, depth, task_next, irq_next, next_id;
	uint8_t next_access[CPUS], load_at, nloads;
	bool reserving[LEVELS], has_early_look[LEVELS];
	bool promised, gave_back_early, finished;
	bool alone; /* an NMI writes: nothing comes in between */
} now;

static struct cpu {
	void *sp;
	uint8_t stack[STACK] __attribute__((aligned(64)));
} cpus[CPUS];

static uint8_t storage[2 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));

static struct {
	enum mutation mutation;
	bool weak;
	const struct scene *scene;
	const struct program *program;
	const char *wrong; /* NULL: nothing was found */
	void *sp;
	unsigned cpu;
	uint64_t choice;       /* the outcome that the next access has */
	uint8_t interrupt;     /* the interrupt before that access; 0: none */
	bool impossible;       /* the promise cannot be kept */
	struct history *table; /* hashes of the visited states */
	size_t slots, states, ends;
	struct saved *saved; /* a stack of the states to explore */
	size_t nsaved, most_saved;
} explorer;

static inline bool mutated(enum mutation m)
{
	return explorer.mutation == m;
}

static inline bool backward(void)
{
	return explorer.scene->mode & RB_BACKWARD;
}

static inline void found_wrong(const char *what)
{
	if (!now.promised && !now.gave_back_early)
		explorer.wrong = what;
	else if (!now.tentative)
		now.tentative = what;
}

static inline void keep_promise(bool *promise)
{
	*promise = false;
	if (now.tentative)
		found_wrong(now.tentative);
}

/* --- The two CPUs --- */

/* switch_stack() - switches stacks. The registers that calls preserve are saved on the old stack.
 */
void switch_stack(void **from, void *to);
__asm__(".pushsection .text\n"
	".globl switch_stack\n"
	"switch_stack:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".popsection\n");

static inline void resume_cpu(unsigned cpu, uint64_t choice)
{
	explorer.cpu = cpu;
	explorer.choice = choice;
	switch_stack(&explorer.sp, cpus[cpu].sp);
}

static inline void start_cpu(unsigned cpu, void (*run)(void))
{
	uint64_t *top = (uint64_t *)(cpus[cpu].stack + STACK) - 8;

	memset(cpus[cpu].stack, 0, STACK);
	top[6] = (uintptr_t)run; /* above the registers that switch_stack() pops */
	cpus[cpu].sp = top;
	resume_cpu(cpu, 0);
}

static inline bool can_interrupt(void)
{
	return now.depth && now.depth < LEVELS && !now.alone && now.irq_next < explorer.scene->nirq;
}

/* Announces the kind of the CPU's next access, which takes place when this returns. */
static inline void come_to(enum access access)
{
	if (access == LOCAL && !can_interrupt())
		return;
	do {
		if (explorer.interrupt) {
			uint8_t what = explorer.interrupt;

			explorer.interrupt = 0;
			explorer.program->interrupt(what);
		}
		now.next_access[explorer.cpu] = (uint8_t)access;
		switch_stack(&cpus[explorer.cpu].sp, explorer.sp);
	} while (explorer.interrupt);
}

_Noreturn void explored_panic(const char *condition)
{
	found_wrong(condition);
	explorer.impossible = true;
	for (;;)
		switch_stack(&cpus[explorer.cpu].sp, explorer.sp);
}

static inline struct history mixed(struct history h, uint64_t value)
{
	h.a = (h.a ^ value) * 0x9e3779b97f4a7c15;
	h.a ^= h.a >> 29;
	h.b = (h.b + value) * 0xc2b2ae3d27d4eb4f + h.a;
	h.b ^= h.b >> 32;
	return h;
}

static inline uint64_t note(uint64_t value)
{
	struct history *h =
		explorer.cpu == READER ? &now.reader_history : &now.history[now.depth - 1];

	*h = mixed(*h, value + 1);
	return value;
}

/* --- The accesses of the writers --- */

static inline void store_pending(uint32_t at, uint64_t value, bool release)
{
	if (now.npending == PENDING)
		come_to(BUFFER_STORE);
	now.pending[now.npending++] =
		(struct pending){.at = at, .value = value, .release = release};
	note(0);
}

static inline uint8_t data_at(const void *word)
{
	ptrdiff_t at = (const uint64_t *)word - (const uint64_t *)now.rb.data;

	ASSERT(at >= 0 && at < WORDS);
	return (uint8_t)at;
}

/* Without A, later accesses may come first: as if the reader had already done its later steps. */
uint64_t order_a_load_tail(const __u64 *tail)
{
	ASSERT(explorer.cpu == WRITER && tail == &now.rb.page->data_tail);
	come_to(LOAD_TAIL);
	if (!explorer.choice)
		return note(now.memory[TAIL]);
	now.promised = true;
	now.promised_tail = now.memory[TAIL] + explorer.choice * sizeof(uint64_t);
	return note(now.promised_tail);
}

void order_b_store_head(__u64 *head, uint64_t value)
{
	ASSERT(explorer.cpu == WRITER && head == &now.rb.page->data_head);
	come_to(LOCAL);
	now.published[now.depth - 1] = value;
	store_pending(HEAD, value, !mutated(NO_B));
}

void ring_store(uint64_t *word, uint64_t value)
{
	ASSERT(explorer.cpu == WRITER);
	come_to(LOCAL);
	store_pending(DATA + data_at(word), value, false);
}

static inline bool looks_early(const uint64_t *p)
{
	return p == &now.rb.head && now.has_early_look[now.depth - 1];
}

uint64_t local_load(const uint64_t *p)
{
	if (looks_early(p)) {
		now.has_early_look[now.depth - 1] = false;
		return note(now.early_look[now.depth - 1]);
	}
	come_to(LOCAL);
	return note(p == &now.rb.busy && mutated(PUBLISH_NESTED) ? 0 : *p);
}

/* The value of `head` that rb_publish() reads after it has set `busy` to 0. */
static inline void look_early(uint64_t head)
{
	now.early_look[now.depth - 1] = head;
	now.has_early_look[now.depth - 1] = true;
}

void local_store(uint64_t *p, uint64_t value)
{
	bool idle = p == &now.rb.busy && !value;

	if (p == &now.rb.busy && mutated(BUSY_TOO_LATE) && now.reserving[now.depth - 1])
		return;
	if (idle && mutated(LOOK_TOO_EARLY)) {
		come_to(LOCAL);
		look_early(note(now.rb.head));
	}
	if (idle && mutated(NO_SECOND_LOOK))
		look_early(now.published[now.depth - 1]);
	come_to(LOCAL);
	*p = value + (p == &now.rb.limit && mutated(LIMIT_TOO_FAR) ? sizeof(uint64_t) : 0);
	note(0);
}

void local_barrier(void)
{
}

void local_add(uint64_t *p, uint64_t n)
{
	uint64_t old;

	come_to(LOCAL);
	old = *p;
	if (mutated(TORN_LOST)) {
		note(old);
		come_to(LOCAL);
	}
	*p = old + n;
	note(0);
}

bool local_cmpxchg(uint64_t *p, uint64_t old, uint64_t new)
{
	come_to(LOCAL);
	if (!note(*p == old))
		return false;
	if (mutated(p == &now.rb.head ? TORN_RESERVE : TORN_LOST)) {
		come_to(LOCAL);
		note(0);
	}
	*p = new;
	if (p == &now.rb.head && mutated(BUSY_TOO_LATE)) {
		come_to(LOCAL);
		now.rb.busy = 1;
		note(0);
	}
	return true;
}

/* --- The accesses of the reader --- */

static inline void see_data(void)
{
	if (explorer.weak)
		memcpy(now.early, now.memory + DATA, sizeof(now.early));
}

/* From here on words of the data may be loaded. Without D the reader may already be done here. */
uint64_t order_c_load_head(const __u64 *head)
{
	uint64_t value;

	ASSERT(explorer.cpu == READER && head == &now.rb.page->data_head);
	if (mutated(NO_C) && explorer.weak) {
		come_to(BEFORE_HEAD);
		see_data();
		note(0);
	}
	come_to(LOAD_HEAD);
	value = now.memory[HEAD] + (mutated(READER_OVERSHOOTS) ? sizeof(uint64_t) : 0);
	if (!mutated(NO_C))
		see_data();
	if (explorer.choice) {
		now.gave_back_early = true;
		now.given_back_early = value;
		now.tail_pending[now.ntail_pending++] = value;
		now.own_tail = value;
		note(1);
	}
	return note(value);
}

uint64_t ring_load(const uint64_t *word)
{
	uint8_t at = data_at(word);
	uint64_t value;

	ASSERT(explorer.cpu == READER);
	if (++now.nloads > MOST_LOADS)
		explored_panic("rb_read() does not come to an end");
	now.load_at = at;
	come_to(LOAD_DATA);
	value = explorer.choice ? now.early[at] : now.memory[DATA + at];
	if (explorer.weak)
		now.early[at] = value; /* the same word does not become older again */
	return note(value);
}

void ring_load_bytes(void *out, const void *data, size_t n)
{
	uint64_t *words = out;

	ASSERT(n % sizeof(*words) == 0);
	for (size_t i = 0; i < n / sizeof(*words); i++)
		words[i] = ring_load((const uint64_t *)data + i);
}

uint64_t ring_load_own_tail(const __u64 *tail)
{
	ASSERT(explorer.cpu == READER && tail == &now.rb.page->data_tail);
	return note(now.gave_back_early ? now.rb.tail : now.own_tail);
}

void order_d_store_tail(__u64 *tail, uint64_t value)
{
	ASSERT(explorer.cpu == READER && tail == &now.rb.page->data_tail);
	if (now.gave_back_early) {
		if (value != now.given_back_early)
			explorer.impossible = true;
		keep_promise(&now.gave_back_early);
		now.given_back_early = 0;
		return;
	}
	come_to(STORE_TAIL);
	now.own_tail = mutated(READER_JUMPS) ? now.memory[HEAD] : value;
	now.tail_pending[now.ntail_pending++] = now.own_tail;
	note(0);
}

#endif
