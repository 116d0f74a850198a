// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf.c - see rt/perf/perf.h.
 *
 * A ring is memory of the runtime's that ring 3 sees, too, and may write: of what stands there
 * nothing is believed. The event core reads data_tail alone, and whatever that is, records stay
 * within the ring.
 */
#include "rt/perf/perf.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/lock.h"
#include "lib/trace.h"
#include "pmu/names/filter.h"
#include "lib/reason.h"
#include "rb/rb.h"
#include "rt/mem/mapped_memory.h"
#include "rt/syscall/syscall.h"
#include "rt/task/sched.h"
#include "rt/vectors.h"

#include <asm/poll.h>
#include <linux/errno.h>
#include <linux/mman.h>
#include <stddef.h>

struct perf_handle {
	struct pmu_event event;
	struct pmu_filter filter;
	struct rb rb;
	struct mapped_memory ring;
	size_t pages; /* in ring 3's memory: control page and data; 0: none */
	uint64_t address;

	bool due;         /* its ring's reader is to be told, and was not yet */
	uint32_t sleeper; /* the task that waits for that, then it is on the list; 0: none */
	bool woken;       /* it was woken, and is on its way */
	struct perf_handle *next_awaited;
};

#define HANDLE_PAGES ((sizeof(struct perf_handle) + PAGE_SIZE - 1) / PAGE_SIZE)

_Static_assert(!offsetof(struct perf_handle, event), "a handle's address is its event's");
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

void perf_allow_system(bool allow)
{
	allow_system = allow;
}

/* A CPU that holds the lock may call others, so a CPU that waits for it serves such calls. */
void perf_lock(struct perf_table *table)
{
	while (__atomic_exchange_n(&table->busy, 1, __ATOMIC_ACQUIRE))
		smp_serve();
}

void perf_unlock(struct perf_table *table)
{
	__atomic_store_n(&table->busy, 0, __ATOMIC_RELEASE);
}

static struct perf_handle *find_handle(const struct perf_table *table, uint64_t handle)
{
	return handle < PERF_HANDLES_MAX ? table->handle[handle] : NULL;
}

/* --- What a program may measure --- */

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
	const uint32_t pid = args->task > 0 ? pmu_task_pid(args->task) : 0;

	(void)attr;
	return pid && pid != sched_current()->pid;
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

static bool of_namespaces(const struct perf_event_attr *attr, const struct perf_open *args)
{
	(void)args;
	return attr->namespaces;
}

static const struct limit limits[] = {
	{of_cpus, "a program may measure its own tasks, not CPUs or sets of tasks"},
	{of_others, "that task is of another process"},
	{in_ring_0, "a program may not measure ring 0: exclude_kernel (modifier u) is missing"},
	{of_tracepoints, "that tracepoint is the system's"},
	{of_namespaces, "namespaces are the system's"},
	{with_ring_0, "samples may not have physical addresses, nor registers of ring 0"},
};

static int check_allowed(const struct perf_event_attr *attr, const struct perf_open *args,
			 struct reason *why)
{
	for (size_t i = 0; !allow_system && i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].beyond(attr, args))
			return refuse(why, EACCES, "%s; --allow-system lifts that",
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
	return refuse(&table->why, EBADF, "there is no handle %lld", (long long)handle);
}

int perf_open(struct perf_table *table, const struct perf_event_attr *attr,
	      const struct perf_open *args)
{
	struct perf_handle *leader = NULL, *h;
	int n = free_handle(table);
	int err = pmu_event_check(attr, args->task, args->cpu, args->flags, &table->why);

	if (!err)
		err = check_allowed(attr, args, &table->why);
	if (err)
		return err;
	if (args->group != -1) {
		leader = find_handle(table, (uint64_t)(int64_t)args->group);
		if (!leader)
			return no_handle(table, (uint64_t)(int64_t)args->group);
	}
	if (n < 0)
		return refuse(&table->why, EMFILE, "a process has %d handles, all are in use",
			      PERF_HANDLES_MAX);
	h = page_alloc_user(HANDLE_PAGES);
	if (!h)
		return refuse(&table->why, ENOMEM, "no memory for the event");
	err = pmu_event_open(&h->event, attr, args->task, args->cpu, leader ? &leader->event : NULL,
			     args->flags, &table->why);
	if (err) {
		page_free(h, HANDLE_PAGES);
		return err;
	}
	table->handle[n] = h;
	return n;
}

/* --- Waiting --- */

/* Handles that a task waits for, under their lock; NMIs read their number, too. */
static struct {
	struct lock lock;
	struct perf_handle *first;
	unsigned n;
} awaited;

static struct perf_handle *handle_of(struct rb *rb)
{
	return (struct perf_handle *)((uint8_t *)rb - offsetof(struct perf_handle, rb));
}

/* Called by the event that writes into `rb`; NMI context. The interrupt that it asks for is
 * perf_wake(). */
static void note_wakeup(struct rb *rb)
{
	(void)__atomic_exchange_n(&handle_of(rb)->due, true, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&awaited.n, __ATOMIC_SEQ_CST))
		apic_send_self(VECTOR_WORK);
}

/* Its ring, or the one of another event that it writes into. */
static bool *due_of(const struct perf_handle *h)
{
	struct rb *rb = h->event.out.rb;

	return rb ? &handle_of(rb)->due : NULL;
}

static bool has_news(const struct perf_handle *h)
{
	const bool *due = due_of(h);

	return (due && __atomic_load_n(due, __ATOMIC_ACQUIRE)) || pmu_event_hung_up(&h->event);
}

static long take_news(struct perf_handle *h)
{
	bool *due = due_of(h);
	long news = pmu_event_hung_up(&h->event) ? POLLHUP : 0;

	if (due && __atomic_exchange_n(due, false, __ATOMIC_ACQ_REL))
		news |= POLLIN;
	return news;
}

static void await_wakeup(struct perf_handle *h, uint32_t tid)
{
	lock_take(&awaited.lock);
	h->sleeper = tid;
	h->woken = false;
	h->next_awaited = awaited.first;
	awaited.first = h;
	__atomic_add_fetch(&awaited.n, 1, __ATOMIC_SEQ_CST);
	lock_release(&awaited.lock);
}

static void await_no_more(struct perf_handle *h)
{
	struct perf_handle **at = &awaited.first;

	lock_take(&awaited.lock);
	while (*at != h)
		at = &(*at)->next_awaited;
	*at = h->next_awaited;
	__atomic_sub_fetch(&awaited.n, 1, __ATOMIC_SEQ_CST);
	h->sleeper = 0;
	lock_release(&awaited.lock);
}

/* It has the CPU again: something came, or the time is over, or the handle is gone. */
static long end_poll(struct task *t)
{
	struct perf_table *table = &t->process->perf;
	struct perf_handle *h;
	long news = -EBADF;

	t->polling = false;
	h = find_handle(table, t->polls);
	if (h && h->sleeper == t->tid) {
		await_no_more(h);
		news = take_news(h);
	}
	return news;
}

static int wake_poller(struct task *t, void *arg)
{
	(void)arg;
	if (t->polling)
		sched_wake(t);
	return 0;
}

static void wake_sleeper(uint32_t tid)
{
	task_with((int)tid, wake_poller, NULL);
}

/* Some at a time. A woken task takes its handle off the list itself, when it has the CPU. */
void perf_wake(void)
{
	uint32_t tids[16];
	const unsigned most = sizeof(tids) / sizeof(tids[0]);
	unsigned n = 0;

	lock_take(&awaited.lock);
	for (struct perf_handle *h = awaited.first; h && n < most; h = h->next_awaited) {
		if (h->woken || !has_news(h))
			continue;
		h->woken = true;
		tids[n++] = h->sleeper;
	}
	lock_release(&awaited.lock);
	for (unsigned i = 0; i < n; i++)
		wake_sleeper(tids[i]);
	if (n == most)
		apic_send_self(VECTOR_WORK);
}

/* A record that comes while the task goes to sleep is seen by the last look, or wakes the task. */
long perf_poll(struct perf_table *table, uint64_t handle, uint64_t ns)
{
	struct perf_handle *h = find_handle(table, handle);
	struct task *t = sched_current();
	long news;

	if (t->again)
		return end_poll(t);
	if (!h)
		return no_handle(table, handle);
	news = take_news(h);
	if (news || !ns)
		return news;
	if (h->sleeper)
		return refuse(&table->why, EBUSY, "another thread waits for handle %llu",
			      (unsigned long long)handle);
	t->polls = handle;
	t->polling = true;
	await_wakeup(h, t->tid);
	sched_prepare_sleep(0, true);
	if (has_news(h)) {
		sched_stay_awake();
		t->polling = false;
		await_no_more(h);
		return take_news(h);
	}
	if (ns != PERF_POLL_FOREVER)
		hrtimer_start(&t->timer, ns);
	return syscall_sleep();
}

void perf_task_gone(struct task *t)
{
	struct perf_table *table = &t->process->perf;
	struct perf_handle *h;

	if (!t->polling)
		return;
	perf_lock(table);
	h = find_handle(table, t->polls);
	if (h && h->sleeper == t->tid)
		await_no_more(h);
	perf_unlock(table);
}

/* --- Rings --- */

/* No event writes into `rb` any more. */
static void detach_all(struct perf_table *table, const struct rb *rb)
{
	for (int i = 0; i < PERF_HANDLES_MAX; i++) {
		struct perf_handle *h = table->handle[i];

		if (h && h->event.out.rb == rb)
			pmu_event_set_output(&h->event, NULL);
	}
}

static void unmap_ring(struct perf_table *table, struct perf_handle *h, struct mm *memory)
{
	if (!h->pages)
		return;
	pmu_event_set_page(&h->event, NULL);
	if (h->pages > 1)
		detach_all(table, &h->rb);
	mm_unmap(memory, h->address, h->pages * PAGE_SIZE);
	mapped_memory_give(&h->ring);
	table->ring_pages -= h->pages;
	h->pages = 0;
}

static int check_mmap(struct perf_table *table, const struct perf_handle *h, uint64_t data_pages,
		      uint64_t prot)
{
	struct reason *why = &table->why;

	if (data_pages & (data_pages - 1))
		return refuse(why, EINVAL, "a ring has 2^n data pages, or none");
	if (prot != PROT_READ && prot != (PROT_READ | PROT_WRITE))
		return refuse(why, EINVAL, "a ring is readable, and may be writable");
	if (h->event.attr.inherit && h->event.cpu == -1)
		return refuse(why, EINVAL,
			      "children of any CPU cannot all write into one ring: an event "
			      "with a ring is not inherited, or for one CPU");
	if (h->pages || (data_pages && h->event.out.rb))
		return refuse(why, EBUSY, "the event has a ring already");
	if (data_pages >= PERF_RINGS_MAX_PAGES ||
	    table->ring_pages + 1 + data_pages > PERF_RINGS_MAX_PAGES)
		return refuse(why, EPERM, "the rings of a process have %d pages at most",
			      PERF_RINGS_MAX_PAGES);
	return 0;
}

static int make_ring(struct perf_handle *h, void *memory, uint64_t data_pages, bool overwrite)
{
	unsigned mode = overwrite ? RB_OVERWRITE : 0;

	rb_init(&h->rb, memory, data_pages);
	h->rb.wakeup = note_wakeup;
	if (h->event.attr.write_backward)
		mode |= RB_BACKWARD;
	if (mode)
		rb_set_mode(&h->rb, mode);
	return pmu_event_set_output(&h->event, &h->rb);
}

/* Everything or nothing: after a failure no event writes there, and no mapping shows it. */
static int map_ring(struct perf_table *table, struct perf_handle *h, void *memory,
		    uint64_t data_pages, uint64_t prot)
{
	const bool writable = prot & PROT_WRITE;
	struct mm_request request = {
		.address = h->address,
		.bytes = (1 + data_pages) * PAGE_SIZE,
		.prot = PROT_READ | (writable ? PROT_WRITE : 0),
		.flags = MAP_FIXED_NOREPLACE | MAP_SHARED | MAP_POPULATE,
		.area = AREA_UNCOPIED,
	};
	long at;
	int err = 0;

	request.from = mapped_get(&h->ring.mapped);
	at = mm_map(process_of(table)->mm, &request);
	if (at < 0)
		return (int)at;
	h->rb.page = memory;
	if (data_pages)
		err = make_ring(h, memory, data_pages, !writable);
	if (!err && !h->event.attr.inherit)
		err = pmu_event_set_page(&h->event, memory);
	if (!err)
		return 0;
	if (data_pages)
		pmu_event_set_output(&h->event, NULL);
	mm_unmap(process_of(table)->mm, h->address, (1 + data_pages) * PAGE_SIZE);
	return err;
}

static int refuse_ring(struct perf_table *table, int err, uint64_t data_pages)
{
	if (err == -ENOMEM)
		return refuse(&table->why, ENOMEM, "no memory for a ring of %llu pages",
			      (unsigned long long)data_pages);
	return refuse(&table->why, -err, "the ring is too small for one record");
}

long perf_mmap(struct perf_table *table, uint64_t handle, uint64_t data_pages, uint64_t prot)
{
	struct perf_handle *h = find_handle(table, handle);
	void *memory;
	int err;

	if (!h)
		return no_handle(table, handle);
	err = check_mmap(table, h, data_pages, prot);
	if (err)
		return err;
	memory = page_alloc_user(1 + data_pages);
	if (!memory)
		return refuse_ring(table, -ENOMEM, data_pages);
	h->address = PERF_RINGS + handle * PERF_RINGS_STRIDE;
	mapped_memory_init(&h->ring, "anon_inode:[perf_event]", memory, 1 + data_pages);
	err = map_ring(table, h, memory, data_pages, prot);
	if (err) {
		mapped_memory_give(&h->ring);
		return refuse_ring(table, err, data_pages);
	}
	h->pages = 1 + data_pages;
	table->ring_pages += h->pages;
	task_allow_rdpmc(sched_current());
	return (long)h->address;
}

int perf_munmap(struct perf_table *table, uint64_t handle)
{
	struct perf_handle *h = find_handle(table, handle);

	if (!h)
		return no_handle(table, handle);
	if (!h->pages)
		return refuse(&table->why, EINVAL, "the event has no ring");
	unmap_ring(table, h, process_of(table)->mm);
	return 0;
}

static void close_handle(struct perf_table *table, unsigned i, struct mm *memory)
{
	struct perf_handle *h = table->handle[i];
	const uint32_t sleeper = h->sleeper;

	if (sleeper)
		await_no_more(h);
	unmap_ring(table, h, memory);
	pmu_event_close(&h->event);
	table->handle[i] = NULL;
	page_free(h, HANDLE_PAGES);
	if (sleeper)
		wake_sleeper(sleeper);
}

int perf_close(struct perf_table *table, uint64_t handle)
{
	if (!find_handle(table, handle))
		return no_handle(table, handle);
	close_handle(table, (unsigned)handle, process_of(table)->mm);
	return 0;
}

void perf_close_all(struct perf_table *table, struct mm *memory)
{
	for (unsigned i = 0; i < PERF_HANDLES_MAX; i++)
		if (table->handle[i])
			close_handle(table, i, memory);
	table->why.text[0] = '\0';
}

/* --- Operations on output --- */

int perf_set_output(struct perf_table *table, uint64_t handle, int64_t to)
{
	struct perf_handle *h = find_handle(table, handle),
			   *other = find_handle(table, (uint64_t)to);

	if (!h)
		return no_handle(table, handle);
	if (to != -1 && !other)
		return no_handle(table, (uint64_t)to);
	if (h->pages > 1)
		return refuse(&table->why, EINVAL, "the event has a ring of its own");
	if (to == -1)
		return pmu_event_set_output(&h->event, NULL);
	return pmu_event_redirect(&h->event, &other->event, &table->why);
}

int perf_pause_output(struct perf_table *table, uint64_t handle, bool paused)
{
	struct perf_handle *h = find_handle(table, handle);

	if (!h)
		return no_handle(table, handle);
	if (pmu_event_pause_output(&h->event, paused))
		return refuse(&table->why, EINVAL, "the event has no ring");
	return 0;
}

/* The one that the event has stays in use until the new one is complete. */
int perf_set_filter(struct perf_table *table, uint64_t handle, const char *text)
{
	struct perf_handle *h = find_handle(table, handle);
	struct pmu_parse_error error;
	struct pmu_filter made;

	if (!h)
		return no_handle(table, handle);
	if (!h->event.tracepoint)
		return refuse(&table->why, EINVAL, "only tracepoints have filters");
	if (pmu_filter_parse(&made, h->event.tracepoint, text, &error))
		return refuse(&table->why, EINVAL, "column %zu: %s", error.column, error.text);
	pmu_event_set_filter(&h->event, NULL, NULL);
	h->filter = made;
	return pmu_event_set_filter(&h->event, &h->filter, &table->why);
}
