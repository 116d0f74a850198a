// SPDX-License-Identifier: BSD-2-Clause
/*
 * syscall_perf.c - performance events for ring 3: reads the arguments, each once, and hands them to
 * rt/perf/perf.c and the event core. On the kernel stack, interrupts off.
 */
#include "rt/perf/syscall_perf.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "lib/reason.h"
#include "rt/perf/perf.h"
#include "rt/task/sched.h"

#include <linux/errno.h>
#include <stddef.h>

/* One read with PERF_FORMAT_GROUP: a whole table of handles, each with value, id and lost. */
#define READ_MAX   ((3 + 3 * PERF_HANDLES_MAX) * sizeof(uint64_t))
#define FILTER_MAX 512 /* characters of a filter, the zero included */

/* Of several threads one at a time. */
#define LOCKED(call)                                           \
	do {                                                   \
		struct perf_table *const table = perf_table(); \
		long result;                                   \
                                                               \
		perf_lock(table);                              \
		result = (call);                               \
		perf_unlock(table);                            \
		return result;                                 \
	} while (0)

static int refuse_memory(const char *what)
{
	return refuse(&perf_table()->why, EFAULT, "%s lies where the program has no memory", what);
}

/* Bytes behind what the runtime knows must be zero. */
static int check_rest(uint64_t from, size_t bytes, struct reason *why)
{
	uint8_t chunk[64];

	for (size_t n; bytes; from += n, bytes -= n) {
		n = bytes < sizeof(chunk) ? bytes : sizeof(chunk);
		if (copy_from_user(chunk, from, n))
			return refuse_memory("attr");
		for (size_t i = 0; i < n; i++)
			if (chunk[i])
				return refuse(why, E2BIG,
					      "attr has fields that this runtime does not know");
	}
	return 0;
}

/* As the kernel's copy_struct_from_user(); the size is read once, whatever becomes of it later. */
static int read_attr(struct perf_event_attr *attr, uint64_t from)
{
	const uint64_t size_at = from + offsetof(struct perf_event_attr, size);
	struct reason *why = &perf_table()->why;
	const uint32_t known = sizeof(*attr);
	uint32_t size, copied;
	int err;

	if (copy_from_user(&size, size_at, sizeof(size)))
		return refuse_memory("attr");
	size = size ? size : PERF_ATTR_SIZE_VER0;
	copied = size < known ? size : known;
	if (size < PERF_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		err = refuse(why, E2BIG, "attr.size %u is not between %u and %llu", size,
			     PERF_ATTR_SIZE_VER0, PAGE_SIZE);
	else
		err = check_rest(from + copied, size - copied, why);
	if (err == -E2BIG)
		copy_to_user(size_at, &known, sizeof(known));
	if (err)
		return err;
	memset(attr, 0, sizeof(*attr));
	if (copy_from_user(attr, from, copied))
		return refuse_memory("attr");
	attr->size = copied;
	return 0;
}

static long open_event(uint64_t from, const struct perf_open *args)
{
	struct perf_event_attr attr;
	int err = read_attr(&attr, from);

	return err ? err : perf_open(perf_table(), &attr, args);
}

static struct pmu_event *handle_event(long handle, int *err)
{
	struct perf_table *table = perf_table();
	struct pmu_event *e = perf_event(table, (uint64_t)handle);

	*err = e ? 0 : refuse(&table->why, EBADF, "there is no handle %ld", handle);
	return e;
}

static long read_event(long handle, uint64_t buffer, uint64_t bytes)
{
	uint64_t values[READ_MAX / sizeof(uint64_t)];
	size_t room = (size_t)bytes < sizeof(values) ? (size_t)bytes : sizeof(values);
	int n;
	struct pmu_event *e = handle_event(handle, &n);

	if (!e)
		return n;
	n = pmu_event_read_format(e, values, room);
	if (n == -ENOSPC)
		return refuse(&perf_table()->why, ENOSPC, "the values do not fit into %lu bytes",
			      (unsigned long)bytes);
	if (n > 0 && copy_to_user((uint64_t)buffer, values, (size_t)n))
		return refuse_memory("the buffer");
	return n;
}

/* --- PERF_EVENT_IOC_... --- */

static int refuse_argument(const char *what)
{
	return refuse(&perf_table()->why, EINVAL, "%s", what);
}

static int of_event_or_group(struct pmu_event *e, uint64_t flags,
			     void (*event)(struct pmu_event *e), void (*group)(struct pmu_event *e))
{
	if (flags & ~(uint64_t)PERF_IOC_FLAG_GROUP)
		return refuse_argument("the only flag is PERF_IOC_FLAG_GROUP");
	(flags & PERF_IOC_FLAG_GROUP ? group : event)(e);
	return 0;
}

static long ioc_enable(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)handle;
	return of_event_or_group(e, arg, pmu_event_enable, pmu_group_enable);
}

static long ioc_disable(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)handle;
	return of_event_or_group(e, arg, pmu_event_disable, pmu_group_disable);
}

static long ioc_reset(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)handle;
	return of_event_or_group(e, arg, pmu_event_reset, pmu_group_reset);
}

static long ioc_refresh(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)handle;
	if (pmu_event_refresh(e, arg))
		return refuse_argument(
			"only an event that samples and is not inherited has a limit");
	return 0;
}

static long ioc_period(long handle, struct pmu_event *e, uint64_t arg)
{
	uint64_t period;

	(void)handle;
	if (copy_from_user(&period, arg, sizeof(period)))
		return refuse_memory("the period");
	if (pmu_event_set_period(e, period))
		return refuse_argument("the event does not sample, or not with such a period");
	return 0;
}

static long ioc_id(long handle, struct pmu_event *e, uint64_t arg)
{
	const uint64_t id = pmu_event_id(e);

	(void)handle;
	return copy_to_user(arg, &id, sizeof(id)) ? refuse_memory("the id") : 0;
}

static long ioc_set_output(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)e;
	return perf_set_output(perf_table(), (uint64_t)handle, (int64_t)arg);
}

static long ioc_pause_output(long handle, struct pmu_event *e, uint64_t arg)
{
	(void)e;
	return perf_pause_output(perf_table(), (uint64_t)handle, arg);
}

/* Up to the zero at its end, wherever that is. */
static int read_filter_text(char text[FILTER_MAX], uint64_t from)
{
	for (size_t i = 0; i < FILTER_MAX; i++) {
		if (copy_from_user(&text[i], from + i, 1))
			return refuse_memory("the filter");
		if (!text[i])
			return 0;
	}
	return refuse_argument("a filter has less than 512 characters");
}

static long ioc_set_filter(long handle, struct pmu_event *e, uint64_t arg)
{
	char text[FILTER_MAX];
	int err = read_filter_text(text, arg);

	(void)e;
	return err ? err : perf_set_filter(perf_table(), (uint64_t)handle, text);
}

static long ioc_modify_attributes(long handle, struct pmu_event *e, uint64_t arg)
{
	struct perf_event_attr attr;
	int err = read_attr(&attr, arg);

	(void)handle;
	return err ? err : pmu_event_modify_attributes(e, &attr, &perf_table()->why);
}

static const struct {
	uint32_t request;
	long (*fn)(long handle, struct pmu_event *e, uint64_t arg);
} requests[] = {
	{PERF_EVENT_IOC_ENABLE, ioc_enable},
	{PERF_EVENT_IOC_DISABLE, ioc_disable},
	{PERF_EVENT_IOC_RESET, ioc_reset},
	{PERF_EVENT_IOC_REFRESH, ioc_refresh},
	{PERF_EVENT_IOC_PERIOD, ioc_period},
	{PERF_EVENT_IOC_ID, ioc_id},
	{PERF_EVENT_IOC_SET_OUTPUT, ioc_set_output},
	{PERF_EVENT_IOC_PAUSE_OUTPUT, ioc_pause_output},
	{PERF_EVENT_IOC_SET_FILTER, ioc_set_filter},
	{PERF_EVENT_IOC_MODIFY_ATTRIBUTES, ioc_modify_attributes},
};

static long operate(long handle, uint64_t request, uint64_t arg)
{
	int err;
	struct pmu_event *e = handle_event(handle, &err);

	if (!e)
		return err;
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (requests[i].request == request)
			return requests[i].fn(handle, e, arg);
	return refuse(&perf_table()->why, ENOTTY, "there is no operation 0x%llx",
		      (unsigned long long)request);
}

/* --- The calls --- */

long syscall_perf_open(uint64_t attr, const struct perf_open *args)
{
	LOCKED(open_event(attr, args));
}

/*
 * Most often a task reads its own event, and asks only for its count. A process of one thread has
 * no other that would have to be locked out.
 */
long syscall_perf_read(long handle, uint64_t buffer, uint64_t bytes)
{
	const struct process *p = sched_running->process;
	const struct pmu_event *e = perf_event(&p->perf, (uint64_t)handle);
	uint64_t count;

	if (p->threads == 1 && e && bytes >= sizeof(count) && pmu_event_read_count(e, &count) &&
	    !put_user(buffer, count))
		return sizeof(count);
	LOCKED(read_event(handle, buffer, bytes));
}

long syscall_perf_ioctl(long handle, uint64_t request, uint64_t arg)
{
	LOCKED(operate(handle, request, arg));
}

long syscall_perf_close(long handle)
{
	LOCKED(perf_close(perf_table(), (uint64_t)handle));
}

long syscall_perf_mmap(long handle, uint64_t data_pages, uint64_t prot)
{
	LOCKED(perf_mmap(perf_table(), (uint64_t)handle, data_pages, prot));
}

long syscall_perf_munmap(long handle)
{
	LOCKED(perf_munmap(perf_table(), (uint64_t)handle));
}

long syscall_perf_poll(long handle, uint64_t ns)
{
	LOCKED(perf_poll(perf_table(), (uint64_t)handle, ns));
}
