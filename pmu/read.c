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

static uint64_t count_of(struct pmu_event *e)
{
	if (e->state != PMU_STATE_ACTIVE)
		return e->count;
	if (e->class->hardware)
		return pmu_hardware_count(e);
	e->class->update(e);
	return e->count;
}

static void add_value(struct pmu_event *e, struct pmu_value *v)
{
	if (e->context)
		pmu_times_update(e, pmu_time());
	v->value += count_of(e);
	v->time_enabled += e->enabled;
	v->time_running += e->running;
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

static void put(uint8_t **at, bool wanted, uint64_t word)
{
	if (!wanted)
		return;
	memcpy(*at, &word, sizeof(word));
	*at += sizeof(word);
}

static void put_times(uint8_t **at, uint64_t format, const struct pmu_value *v)
{
	put(at, format & PERF_FORMAT_TOTAL_TIME_ENABLED, v->time_enabled);
	put(at, format & PERF_FORMAT_TOTAL_TIME_RUNNING, v->time_running);
}

static void put_names(uint8_t **at, uint64_t format, const struct pmu_value *v)
{
	put(at, format & PERF_FORMAT_ID, v->id);
	put(at, format & PERF_FORMAT_LOST, v->lost);
}

/* Times once, for the group as a whole: the leader's. */
static void put_group(uint8_t *at, uint64_t format, uint64_t members, struct pmu_event *leader)
{
	struct pmu_value v = value_of(leader);

	put(&at, true, members);
	put_times(&at, format, &v);
	pmu_for_each (e, leader) {
		if (e != leader)
			v = value_of(e);
		put(&at, true, v.value);
		put_names(&at, format, &v);
	}
}

static void put_alone(uint8_t *at, uint64_t format, struct pmu_event *e)
{
	const struct pmu_value v = value_of(e);

	put(&at, true, v.value);
	put_times(&at, format, &v);
	put_names(&at, format, &v);
}

int pmu_event_read_format(struct pmu_event *e, void *buffer, size_t size)
{
	uint64_t format = e->attr.read_format, irq, members = 0;
	bool group = format & PERF_FORMAT_GROUP;
	size_t words;

	if (e->state == PMU_STATE_ERROR)
		return 0;
	pmu_for_each (m, e->leader)
		members++;
	words = 1 + bits_count(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));
	words = (group ? 1 + members * words : words) + bits_count(format & TIMES);
	if (size < words * sizeof(uint64_t))
		return -ENOSPC;
	irq = irq_save();
	if (group)
		put_group(buffer, format, members, e->leader);
	else
		put_alone(buffer, format, e);
	irq_restore(irq);
	return (int)(words * sizeof(uint64_t));
}
