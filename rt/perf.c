// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf.c - see rt/perf.h.
 *
 * A ring is memory of the runtime's that ring 3 sees, too, and may write: of what stands there
 * nothing is believed. The event core reads data_tail alone, and whatever that is, records stay
 * within the ring.
 */
#include "rt/perf.h"

#include "arch/x86/paging.h"
#include "lib/trace.h"
#include "pmu/filter.h"
#include "pmu/reason.h"
#include "rb/rb.h"
#include "rt/sched.h"

#include <linux/errno.h>
#include <stddef.h>

struct perf_handle {
	struct pmu_event event;
	struct pmu_filter filter;
	struct rb rb;
	size_t pages; /* in ring 3's memory: control page and data; 0: none */
	uint64_t address;
};

#define HANDLE_PAGES ((sizeof(struct perf_handle) + PAGE_SIZE - 1) / PAGE_SIZE)

_Static_assert((1 + PERF_RINGS_MAX_PAGES) * PAGE_SIZE <= PERF_RINGS_STRIDE, "rings have room");

static bool allow_system;

static struct process *process_of(struct perf_table *table)
{
	return (struct process *)((uint8_t *)table - offsetof(struct process, perf));
}

struct perf_table *perf_table(void)
{
	return &sched_current()->process->perf;
}

struct region_stack **perf_regions(void)
{
	return &sched_current()->regions;
}

struct onfault *perf_onfault(void)
{
	return &sched_current()->onfault;
}

void perf_allow_system(bool allow)
{
	allow_system = allow;
}

static struct perf_handle *find(const struct perf_table *table, uint64_t handle)
{
	return handle < PERF_HANDLES_MAX ? table->handle[handle] : NULL;
}

struct pmu_event *perf_event(const struct perf_table *table, uint64_t handle)
{
	struct perf_handle *h = find(table, handle);

	return h ? &h->event : NULL;
}

/* --- Who may measure what --- */

struct limit {
	bool (*beyond)(const struct perf_event_attr *attr, const struct perf_open *args);
	const char *sentence;
};

static bool of_cpus(const struct perf_event_attr *attr, const struct perf_open *args)
{
	(void)attr;
	return args->task == -1 || args->flags & PERF_FLAG_PID_CGROUP;
}

static bool of_others(const struct perf_event_attr *attr, const struct perf_open *args)
{
	const struct pmu_task *task = args->task > 0 ? pmu_task_find(args->task) : NULL;
	const struct pmu_task *self = pmu_task_find(0);

	(void)attr;
	return task && (!self || task->pid != self->pid);
}

static bool in_ring_0(const struct perf_event_attr *attr, const struct perf_open *args)
{
	(void)args;
	return !attr->exclude_kernel && attr->type != PERF_TYPE_TRACEPOINT;
}

static bool of_tracepoints(const struct perf_event_attr *attr, const struct perf_open *args)
{
	const struct trace_event *event = NULL;

	(void)args;
	if (attr->type == PERF_TYPE_TRACEPOINT)
		event = trace_by_id(attr->config);
	return event && !event->user;
}

static bool with_ring_0(const struct perf_event_attr *attr, const struct perf_open *args)
{
	(void)args;
	return attr->sample_type & (PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_REGS_INTR);
}

static const struct limit limits[] = {
	{of_cpus, "a program may measure its own tasks, not CPUs or sets of tasks"},
	{of_others, "that task is of another process"},
	{in_ring_0, "a program may not measure ring 0: exclude_kernel (modifier u) is missing"},
	{of_tracepoints, "that tracepoint is the system's"},
	{with_ring_0, "samples may not have physical addresses, nor registers of ring 0"},
};

static int check_allowed(const struct perf_event_attr *attr, const struct perf_open *args,
			 struct pmu_reason *why)
{
	for (size_t i = 0; !allow_system && i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].beyond(attr, args))
			return pmu_refuse(why, EACCES, "%s; --allow-system lifts that",
					  limits[i].sentence);
	return 0;
}

/* --- Handles --- */

static int free_handle(const struct perf_table *table)
{
	for (int i = 0; i < PERF_HANDLES_MAX; i++)
		if (!table->handle[i])
			return i;
	return -1;
}

static int no_handle(struct perf_table *table, uint64_t handle)
{
	return pmu_refuse(&table->why, EBADF, "there is no handle %lld", (long long)handle);
}

int perf_open(struct perf_table *table, const struct perf_event_attr *attr,
	      const struct perf_open *args)
{
	struct perf_handle *leader = NULL, *h;
	int err = check_allowed(attr, args, &table->why), n = free_handle(table);

	if (err)
		return err;
	if (args->group != -1) {
		leader = find(table, (uint64_t)(int64_t)args->group);
		if (!leader)
			return no_handle(table, (uint64_t)(int64_t)args->group);
	}
	if (n < 0)
		return pmu_refuse(&table->why, EMFILE, "a process has %d handles, all are in use",
				  PERF_HANDLES_MAX);
	h = page_alloc(HANDLE_PAGES);
	if (!h)
		return pmu_refuse(&table->why, ENOMEM, "no memory for the event");
	err = pmu_event_open(&h->event, attr, args->task, args->cpu, leader ? &leader->event : NULL,
			     args->flags, &table->why);
	if (err) {
		page_free(h, HANDLE_PAGES);
		return err;
	}
	table->handle[n] = h;
	return n;
}

/* --- Rings --- */

/* Whoever writes into `rb`, does so no more. */
static void detach_all(struct perf_table *table, const struct rb *rb)
{
	for (int i = 0; i < PERF_HANDLES_MAX; i++) {
		struct perf_handle *h = table->handle[i];

		if (h && h->event.rb == rb)
			pmu_event_set_output(&h->event, NULL);
	}
}

static void unmap(struct perf_table *table, struct perf_handle *h)
{
	if (!h->pages)
		return;
	pmu_event_set_page(&h->event, NULL);
	if (h->pages > 1)
		detach_all(table, &h->rb);
	process_unmap(process_of(table), h->address);
	page_free(h->rb.page, h->pages);
	table->ring_pages -= h->pages;
	h->pages = 0;
}

static int check_mmap(struct perf_table *table, const struct perf_handle *h, uint64_t data_pages,
		      uint64_t prot)
{
	struct pmu_reason *why = &table->why;

	if (data_pages & (data_pages - 1))
		return pmu_refuse(why, EINVAL, "a ring has 2^n data pages, or none");
	if (prot != PERF_PROT_READ && prot != (PERF_PROT_READ | PERF_PROT_WRITE))
		return pmu_refuse(why, EINVAL, "a ring is readable, and may be writable");
	if (h->event.attr.inherit && h->event.cpu == -1)
		return pmu_refuse(why, EINVAL,
				  "children of any CPU cannot all write into one ring: an event "
				  "with a ring is not inherited, or for one CPU");
	if (h->pages || (data_pages && h->event.rb))
		return pmu_refuse(why, EBUSY, "the event has a ring already");
	if (data_pages >= PERF_RINGS_MAX_PAGES ||
	    table->ring_pages + 1 + data_pages > PERF_RINGS_MAX_PAGES)
		return pmu_refuse(why, EPERM, "the rings of a process have %d pages at most",
				  PERF_RINGS_MAX_PAGES);
	return 0;
}

static int make_ring(struct perf_handle *h, void *memory, uint64_t data_pages, bool overwrite)
{
	unsigned mode = overwrite ? RB_OVERWRITE : 0;

	rb_init(&h->rb, memory, data_pages);
	if (h->event.attr.write_backward)
		mode |= RB_BACKWARD;
	if (mode)
		rb_set_mode(&h->rb, mode);
	return pmu_event_set_output(&h->event, &h->rb);
}

/* Everything or nothing. */
static int map(struct perf_table *table, struct perf_handle *h, void *memory, uint64_t data_pages,
	       uint64_t prot)
{
	const bool writable = prot & PERF_PROT_WRITE;
	int err = process_map_at(process_of(table), h->address, memory, 1 + data_pages,
				 writable ? PAGE_WRITE : PAGE_READ);

	h->rb.page = memory;
	if (!err && data_pages)
		err = make_ring(h, memory, data_pages, !writable);
	if (!err && !h->event.attr.inherit)
		err = pmu_event_set_page(&h->event, memory);
	if (err)
		process_unmap(process_of(table), h->address);
	return err;
}

long perf_mmap(struct perf_table *table, uint64_t handle, uint64_t data_pages, uint64_t prot)
{
	struct perf_handle *h = find(table, handle);
	void *memory;
	int err;

	if (!h)
		return no_handle(table, handle);
	err = check_mmap(table, h, data_pages, prot);
	if (err)
		return err;
	memory = page_alloc(1 + data_pages);
	if (!memory)
		return pmu_refuse(&table->why, ENOMEM, "no memory for a ring of %llu pages",
				  (unsigned long long)data_pages);
	h->address = PERF_RINGS + handle * PERF_RINGS_STRIDE;
	err = map(table, h, memory, data_pages, prot);
	if (err) {
		page_free(memory, 1 + data_pages);
		return pmu_refuse(&table->why, -err, "the ring is too small for one record");
	}
	h->pages = 1 + data_pages;
	table->ring_pages += h->pages;
	task_allow_rdpmc(sched_current());
	return (long)h->address;
}

int perf_munmap(struct perf_table *table, uint64_t handle)
{
	struct perf_handle *h = find(table, handle);

	if (!h)
		return no_handle(table, handle);
	if (!h->pages)
		return pmu_refuse(&table->why, EINVAL, "the event has no ring");
	unmap(table, h);
	return 0;
}

static void close(struct perf_table *table, unsigned i)
{
	struct perf_handle *h = table->handle[i];

	unmap(table, h);
	pmu_event_close(&h->event);
	table->handle[i] = NULL;
	page_free(h, HANDLE_PAGES);
}

int perf_close(struct perf_table *table, uint64_t handle)
{
	if (!find(table, handle))
		return no_handle(table, handle);
	close(table, (unsigned)handle);
	return 0;
}

void perf_close_all(struct perf_table *table)
{
	for (unsigned i = 0; i < PERF_HANDLES_MAX; i++)
		if (table->handle[i])
			close(table, i);
	table->why.text[0] = '\0';
}

/* --- Operations on output --- */

int perf_set_output(struct perf_table *table, uint64_t handle, int64_t to)
{
	struct perf_handle *h = find(table, handle), *other = find(table, (uint64_t)to);

	if (!h)
		return no_handle(table, handle);
	if (to != -1 && !other)
		return no_handle(table, (uint64_t)to);
	if (h->pages > 1)
		return pmu_refuse(&table->why, EINVAL, "the event has a ring of its own");
	if (to == -1)
		return pmu_event_set_output(&h->event, NULL);
	return pmu_event_redirect(&h->event, &other->event, &table->why);
}

int perf_pause_output(struct perf_table *table, uint64_t handle, bool paused)
{
	struct perf_handle *h = find(table, handle);

	if (!h)
		return no_handle(table, handle);
	if (!h->event.rb)
		return pmu_refuse(&table->why, EINVAL, "the event has no ring");
	rb_pause(h->event.rb, paused);
	return 0;
}

/* The one that the event has stays in use until the new one is complete. */
int perf_set_filter(struct perf_table *table, uint64_t handle, const char *text)
{
	struct perf_handle *h = find(table, handle);
	struct pmu_parse_error error;
	struct pmu_filter made;

	if (!h)
		return no_handle(table, handle);
	if (!h->event.tracepoint)
		return pmu_refuse(&table->why, EINVAL, "only tracepoints have filters");
	if (pmu_filter_parse(&made, h->event.tracepoint, text, &error))
		return pmu_refuse(&table->why, EINVAL, "column %zu: %s", error.column, error.text);
	pmu_event_set_filter(&h->event, NULL, NULL);
	h->filter = made;
	return pmu_event_set_filter(&h->event, &h->filter, &table->why);
}
