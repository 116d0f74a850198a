// SPDX-License-Identifier: BSD-2-Clause
/*
 * read.c - reads the values of events, alone or as a group, and in the layouts of read(2). Reading
 * stops nothing. Layouts: <linux/perf_event.h>, enum perf_event_read_format.
 */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/state/read.h"
#include "pmu/state/remote.h"
#include "pmu/state/event_times.h"

#include <linux/errno.h>

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/*
 * True where the firmware took the counter of one event of the family: their total count is
 * unknown.
 */
static bool is_borrowed(const struct pmu_event *e)
{
	const struct pmu_event *opened = e->family.ancestor ? e->family.ancestor : e;

	return __atomic_load_n(&opened->borrowed, __ATOMIC_RELAXED);
}

static void add_value(const struct pmu_event *e, struct pmu_value *v)
{
	const struct pmu_times t = pmu_times_at(e, pmu_time());

	if (is_borrowed(e)) {
		v->value = v->time_running = 0;
		v->time_enabled += t.enabled;
		return;
	}
	v->value += pmu_count_of(e);
	v->time_enabled += t.enabled;
	v->time_running += t.running;
}

/* The value without those of existing inherited events. */
static struct pmu_value own_value(const struct pmu_event *e)
{
	struct pmu_value v = {
		.value = e->family.gone.count,
		.time_enabled = e->family.gone.enabled,
		.time_running = e->family.gone.running,
		.id = e->id,
		.lost = local_load(&e->books.lost) + e->family.gone.books.lost,
	};

	add_value(e, &v);
	return v;
}

/* --- A whole family, each event on its CPU --- */

static void begin_sums(void *leader)
{
	pmu_take_group(leader);
	pmu_for_each (e, (struct pmu_event *)leader) {
		e->family.sum = own_value(e);
		e->family.sum_failed = pmu_failed(e);
	}
}

static void add_to_sums(void *leader)
{
	pmu_take_group(leader);
	pmu_for_each (e, (struct pmu_event *)leader) {
		add_value(e, &e->family.ancestor->family.sum);
		e->family.ancestor->family.sum.lost += local_load(&e->books.lost);
	}
}

void pmu_sum_up(struct pmu_event *leader)
{
	if (leader->context)
		pmu_in_context(leader->context, begin_sums, leader);
	else
		begin_sums(leader);
	for (struct pmu_event *child = leader->family.children; child;
	     child = child->family.next_child)
		pmu_in_context(child->context, add_to_sums, child);
}

/* The event that counts for `e` in the running task: `e` itself, or one inherited from it. */
static const struct pmu_event *of_task(const struct pmu_event *e)
{
	if (e->context == &pmu.task->context)
		return e;
	for (struct pmu_event *l = pmu.task->context.leaders; l; l = l->next_leader)
		pmu_for_each (m, l)
			if (m->family.ancestor == e)
				return m;
	return NULL;
}

bool pmu_event_read_of_task(const struct pmu_event *e, struct pmu_value *value)
{
	const struct pmu_event *own = pmu.task ? of_task(e) : NULL;

	*value = (struct pmu_value){.id = e->id};
	if (own) {
		pmu_take_group(own);
		add_value(own, value);
	}
	return own;
}

/* --- The layouts of read(2) --- */

/* The target of the words: memory or a record. */
struct sink {
	uint8_t *at;
	struct rb_writer *w; /* NULL: memory */
	bool summed;         /* the values are those of pmu_sum_up() */
};

static struct pmu_value value_to_read(const struct sink *to, const struct pmu_event *e)
{
	return to->summed ? e->family.sum : own_value(e);
}

static void put_word(struct sink *to, bool wanted, uint64_t word)
{
	if (!wanted)
		return;
	if (to->w) {
		rb_put(to->w, word);
		return;
	}
	memcpy(to->at, &word, sizeof(word));
	to->at += sizeof(word);
}

static void put_times(struct sink *to, uint64_t format, const struct pmu_value *v)
{
	put_word(to, format & PERF_FORMAT_TOTAL_TIME_ENABLED, v->time_enabled);
	put_word(to, format & PERF_FORMAT_TOTAL_TIME_RUNNING, v->time_running);
}

static void put_names(struct sink *to, uint64_t format, const struct pmu_value *v)
{
	put_word(to, format & PERF_FORMAT_ID, v->id);
	put_word(to, format & PERF_FORMAT_LOST, v->lost);
}

static uint64_t members_of(const struct pmu_event *leader)
{
	uint64_t members = 0;

	for (const struct pmu_event *e = leader; e; e = e->next_sibling)
		members++;
	return members;
}

/* The times are those of the group, from the leader. */
static void put_group_values(struct sink *to, uint64_t format, struct pmu_event *leader)
{
	struct pmu_value v = value_to_read(to, leader);

	put_word(to, true, members_of(leader));
	put_times(to, format, &v);
	pmu_for_each (e, leader) {
		if (e != leader)
			v = value_to_read(to, e);
		put_word(to, true, v.value);
		put_names(to, format, &v);
	}
}

static void put_alone(struct sink *to, uint64_t format, struct pmu_event *e)
{
	const struct pmu_value v = value_to_read(to, e);

	put_word(to, true, v.value);
	put_times(to, format, &v);
	put_names(to, format, &v);
}

static void put_values(struct sink *to, struct pmu_event *e)
{
	const uint64_t format = e->attr.read_format;

	if (!to->summed)
		pmu_take_group(e);
	if (format & PERF_FORMAT_GROUP)
		put_group_values(to, format, e->leader);
	else
		put_alone(to, format, e);
}

size_t pmu_read_size(const struct pmu_event *e)
{
	const uint64_t format = e->attr.read_format;
	size_t words = 1 + bits_count(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));

	if (format & PERF_FORMAT_GROUP)
		words = 1 + members_of(e->leader) * words;
	return (words + bits_count(format & TIMES)) * sizeof(uint64_t);
}

void pmu_put_read(struct rb_writer *w, struct pmu_event *e)
{
	struct sink to = {.w = w};

	put_values(&to, e);
}

void pmu_put_sums(struct rb_writer *w, struct pmu_event *e)
{
	struct sink to = {.w = w, .summed = true};

	put_values(&to, e);
}

/* Returns the number of bytes, 0 for an event in error, or -ENOSPC. */
static int try_put_values(struct sink *to, struct pmu_event *e, size_t size)
{
	const size_t needed = pmu_read_size(e);

	if (to->summed ? e->family.sum_failed : pmu_failed(e))
		return 0;
	if (size < needed)
		return -ENOSPC;
	put_values(to, e);
	return (int)needed;
}

int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size)
{
	struct sink to = {.at = buffer};
	uint64_t irq = irq_save();
	int n;

	if (pmu_reads_alone(e)) {
		n = try_put_values(&to, e, size);
		irq_restore(irq);
		return n;
	}
	irq_restore(irq);
	pmu_operation_begin();
	pmu_sum_up(e->leader);
	to.summed = true;
	n = try_put_values(&to, e, size);
	pmu_operation_end();
	return n;
}

int pmu_event_read(struct pmu_event *e, struct pmu_value *value)
{
	uint64_t irq = irq_save();
	int err;

	if (pmu_reads_alone(e)) {
		pmu_take_group(e);
		*value = own_value(e);
		err = pmu_failed(e) ? -ENODATA : 0;
		irq_restore(irq);
		return err;
	}
	irq_restore(irq);
	pmu_operation_begin();
	pmu_sum_up(e->leader);
	*value = e->family.sum;
	err = e->family.sum_failed ? -ENODATA : 0;
	pmu_operation_end();
	return err;
}

/* --- Books --- */

void pmu_books_add(struct pmu_books *sum, const struct pmu_books *books)
{
	sum->overflows += local_load(&books->overflows);
	for (unsigned i = 0; i < PMU_VERDICTS; i++)
		sum->verdicts[i] += local_load(&books->verdicts[i]);
}

struct book_keeping {
	const struct pmu_event *e;
	struct pmu_books sum;
};

static void add_event_books(void *arg)
{
	struct book_keeping *b = arg;

	pmu_books_add(&b->sum, &b->e->books);
}

struct pmu_books pmu_event_books(const struct pmu_event *e)
{
	struct book_keeping b = {.e = e};

	pmu_operation_begin();
	b.sum = e->family.gone.books;
	if (e->context)
		pmu_in_context(e->context, add_event_books, &b);
	else
		add_event_books(&b);
	for (b.e = e->family.children; b.e; b.e = b.e->family.next_child)
		pmu_in_context(b.e->context, add_event_books, &b);
	pmu_operation_end();
	return b.sum;
}
