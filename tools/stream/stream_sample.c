// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream_sample.c - see stream_sample.h. A table has a row for each field, in the order of
 * perf_event_open(2): plain words go to an offset, and a function takes any other field.
 */
#include "tools/stream/stream_sample.h"

#include <string.h>

#define WORD         sizeof(uint64_t)
#define BRANCH_WORDS (sizeof(struct perf_branch_entry) / WORD)

/*
 * The rest of a record. After a field that did not fit, `bad` stays set, and no further bytes are
 * returned.
 */
struct cursor {
	const struct perf_event_attr *attr;
	const uint8_t *at;
	size_t left; /* bytes */
	bool bad;
};

static const void *take_sized(struct cursor *c, uint64_t bytes)
{
	const void *at = c->at;

	if (c->bad || bytes > c->left) {
		c->bad = true;
		return NULL;
	}
	c->at += bytes;
	c->left -= bytes;
	return at;
}

static uint64_t take_sample_word(struct cursor *c)
{
	const void *at = take_sized(c, WORD);
	uint64_t word = 0;

	if (at)
		memcpy(&word, at, WORD);
	return word;
}

static struct sample_words take_words(struct cursor *c, uint64_t n)
{
	const void *at;

	if (n > c->left / WORD)
		c->bad = true;
	at = take_sized(c, c->bad ? 0 : n * WORD);
	return at ? (struct sample_words){at, (size_t)n} : (struct sample_words){0};
}

static struct sample_bytes take_sample_bytes(struct cursor *c, uint64_t n)
{
	const void *at = take_sized(c, n);

	return at ? (struct sample_bytes){at, (size_t)n} : (struct sample_bytes){0};
}

static void take_tid(struct cursor *c, struct sample *s)
{
	uint64_t word = take_sample_word(c);

	s->pid = (uint32_t)word;
	s->tid = (uint32_t)(word >> 32);
}

static void take_sample_cpu(struct cursor *c, struct sample *s)
{
	s->cpu = (uint32_t)take_sample_word(c);
}

static unsigned has_bit(uint64_t bits, uint64_t bit)
{
	return bits & bit ? 1 : 0;
}

/* Takes one value, or with PERF_FORMAT_GROUP a number of values. */
static void take_read(struct cursor *c, struct sample *s)
{
	const uint64_t format = c->attr->read_format;
	const unsigned times = has_bit(format, PERF_FORMAT_TOTAL_TIME_ENABLED) +
			       has_bit(format, PERF_FORMAT_TOTAL_TIME_RUNNING);
	const unsigned each =
		1 + has_bit(format, PERF_FORMAT_ID) + has_bit(format, PERF_FORMAT_LOST);
	uint64_t n = 0;

	if (!(format & PERF_FORMAT_GROUP)) {
		s->read = take_words(c, times + each);
		return;
	}
	if (c->left >= WORD)
		memcpy(&n, c->at, WORD);
	if (n > c->left / WORD)
		c->bad = true;
	s->read = take_words(c, c->bad ? 0 : 1 + times + n * each);
}

static void take_chain(struct cursor *c, struct sample *s)
{
	s->chain = take_words(c, take_sample_word(c));
}

/* Takes raw data. Its size is in 4 bytes, and makes the field end at a multiple of 8. */
static void take_raw(struct cursor *c, struct sample *s)
{
	const void *at = take_sized(c, sizeof(uint32_t));
	uint32_t size = 0;

	if (at)
		memcpy(&size, at, sizeof(size));
	if ((sizeof(size) + size) % WORD)
		c->bad = true;
	s->raw = take_sample_bytes(c, size);
}

static void take_branches(struct cursor *c, struct sample *s)
{
	uint64_t n = take_sample_word(c);

	if (c->attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		take_sample_word(c);
	if (n > c->left / sizeof(struct perf_branch_entry))
		c->bad = true;
	s->branches = take_words(c, c->bad ? 0 : n * BRANCH_WORDS);
}

/*
 * Takes registers. If that ring has no frame, the ABI is 0 (PERF_SAMPLE_REGS_ABI_NONE), and no
 * registers follow.
 */
static struct sample_words take_regs(struct cursor *c, uint64_t mask)
{
	uint64_t abi = take_sample_word(c);

	return take_words(c, abi ? (uint64_t)__builtin_popcountll(mask) : 0);
}

static void take_regs_user(struct cursor *c, struct sample *s)
{
	s->regs_user = take_regs(c, c->attr->sample_regs_user);
}

static void take_regs_intr(struct cursor *c, struct sample *s)
{
	s->regs_intr = take_regs(c, c->attr->sample_regs_intr);
}

/*
 * Takes a user stack: a space of `size` bytes, and then the number of bytes written. Size 0 has
 * neither.
 */
static void take_stack(struct cursor *c, struct sample *s)
{
	uint64_t size = take_sample_word(c), written;
	struct sample_bytes room;

	if (!size)
		return;
	if (size % WORD)
		c->bad = true;
	room = take_sample_bytes(c, size);
	written = take_sample_word(c);
	if (written > room.n)
		c->bad = true;
	s->stack_user = (struct sample_bytes){room.at, c->bad ? 0 : (size_t)written};
}

static void take_sample_aux(struct cursor *c, struct sample *s)
{
	uint64_t size = take_sample_word(c);

	s->aux = take_sample_bytes(c, size);
	if (size % WORD)
		take_sized(c, WORD - size % WORD);
}

#define WORD_FIELD(bit, member)                                          \
	{                                                                \
		PERF_SAMPLE_##bit, NULL, offsetof(struct sample, member) \
	}
#define FIELD(bit, function)                   \
	{                                      \
		PERF_SAMPLE_##bit, function, 0 \
	}

static const struct {
	uint64_t bit;
	void (*take)(struct cursor *c, struct sample *s); /* NULL: a word, which goes to `offset` */
	size_t offset;
} fields[] = {
	WORD_FIELD(IDENTIFIER, id),
	WORD_FIELD(IP, ip),
	FIELD(TID, take_tid),
	WORD_FIELD(TIME, time),
	WORD_FIELD(ADDR, addr),
	WORD_FIELD(ID, id),
	WORD_FIELD(STREAM_ID, stream_id),
	FIELD(CPU, take_sample_cpu),
	WORD_FIELD(PERIOD, period),
	FIELD(READ, take_read),
	FIELD(CALLCHAIN, take_chain),
	FIELD(RAW, take_raw),
	FIELD(BRANCH_STACK, take_branches),
	FIELD(REGS_USER, take_regs_user),
	FIELD(STACK_USER, take_stack),
	WORD_FIELD(WEIGHT, weight),
	WORD_FIELD(WEIGHT_STRUCT, weight),
	WORD_FIELD(DATA_SRC, data_src),
	WORD_FIELD(TRANSACTION, transaction),
	FIELD(REGS_INTR, take_regs_intr),
	WORD_FIELD(PHYS_ADDR, phys_addr),
	WORD_FIELD(CGROUP, cgroup),
	WORD_FIELD(DATA_PAGE_SIZE, data_page_size),
	WORD_FIELD(CODE_PAGE_SIZE, code_page_size),
	FIELD(AUX, take_sample_aux),
};

static void take_field(struct cursor *c, struct sample *s, size_t i)
{
	uint64_t word;

	if (fields[i].take) {
		fields[i].take(c, s);
		return;
	}
	word = take_sample_word(c);
	memcpy((uint8_t *)s + fields[i].offset, &word, WORD);
}

bool sample_parse(const struct record_format *format, const struct perf_event_header *record,
		  struct sample *sample)
{
	const struct stream_event *event = record_event(format, record);
	const uint16_t mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct cursor c = {
		.attr = &event->attr,
		.at = (const uint8_t *)(record + 1),
		.left = record->size - sizeof(*record),
	};
	uint64_t rest = event->attr.sample_type;

	*sample = (struct sample){.event = event, .kernel = mode == PERF_RECORD_MISC_KERNEL};
	sample->has = rest;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (event->attr.sample_type & fields[i].bit) {
			take_field(&c, sample, i);
			rest &= ~fields[i].bit;
		}
	/* An unknown field has an unknown place, so the sample is refused. Samples do not
	 * contain a fixed period, which is in the event's attr. */
	if (c.bad || c.left || rest)
		return false;
	if (!(sample->has & PERF_SAMPLE_PERIOD) && !event->attr.freq)
		sample->period = event->attr.sample_period;
	return true;
}
