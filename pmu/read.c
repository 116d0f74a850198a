// SPDX-License-Identifier: BSD-2-Clause
/*
 * read.c - the values of events, alone or as a group, and in the layouts of read(2). Reading stops
 * nothing. Layouts: <linux/perf_event.h>, enum perf_event_read_format.
 */
#include "pmu/core.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "pmu/bits.h"

#include <linux/errno.h>

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

static uint64_t count_of(const struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE || !e->class->count)
		return e->count;
	return e->class->count(e);
}

static void add_value(const struct pmu_event *e, struct pmu_value *v)
{
	const struct pmu_times t = pmu_times_at(e, pmu_time());

	v->value += count_of(e);
	v->time_enabled += t.enabled;
	v->time_running += t.running;
}

/* With all that was inherited from it. */
static struct pmu_value value_of(struct pmu_event *e)
{
	struct pmu_value v = {
		.value = e->gone.count,
		.time_enabled = e->gone.enabled,
		.time_running = e->gone.running,
		.id = e->id,
		.lost = local_load(&e->books.lost),
	};

	add_value(e, &v);
	for (struct pmu_event *child = e->children; child; child = child->next_child)
		add_value(child, &v);
	return v;
}

int pmu_event_read(struct pmu_event *e, struct pmu_value *value)
{
	uint64_t irq = irq_save();
	int err = e->state == PMU_STATE_ERROR ? -ENODATA : 0;

	*value = value_of(e);
	irq_restore(irq);
	return err;
}

/* Where the words go: into memory, or into a record. */
struct sink {
	uint8_t *at;
	struct rb_writer *w; /* NULL: memory */
};

static void put(struct sink *to, bool wanted, uint64_t word)
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
	put(to, format & PERF_FORMAT_TOTAL_TIME_ENABLED, v->time_enabled);
	put(to, format & PERF_FORMAT_TOTAL_TIME_RUNNING, v->time_running);
}

static void put_names(struct sink *to, uint64_t format, const struct pmu_value *v)
{
	put(to, format & PERF_FORMAT_ID, v->id);
	put(to, format & PERF_FORMAT_LOST, v->lost);
}

static uint64_t members_of(const struct pmu_event *leader)
{
	uint64_t members = 0;

	for (const struct pmu_event *e = leader; e; e = e->next_sibling)
		members++;
	return members;
}

/* Times once, for the group as a whole: the leader's. */
static void put_group(struct sink *to, uint64_t format, struct pmu_event *leader)
{
	struct pmu_value v = value_of(leader);

	put(to, true, members_of(leader));
	put_times(to, format, &v);
	pmu_for_each (e, leader) {
		if (e != leader)
			v = value_of(e);
		put(to, true, v.value);
		put_names(to, format, &v);
	}
}

static void put_alone(struct sink *to, uint64_t format, struct pmu_event *e)
{
	const struct pmu_value v = value_of(e);

	put(to, true, v.value);
	put_times(to, format, &v);
	put_names(to, format, &v);
}

static void put_values(struct sink *to, struct pmu_event *e)
{
	const uint64_t format = e->attr.read_format;

	if (format & PERF_FORMAT_GROUP)
		put_group(to, format, e->leader);
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

int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size)
{
	struct sink to = {.at = buffer};
	uint64_t irq;

	if (e->state == PMU_STATE_ERROR)
		return 0;
	if (size < pmu_read_size(e))
		return -ENOSPC;
	irq = irq_save();
	put_values(&to, e);
	irq_restore(irq);
	return (int)pmu_read_size(e);
}
