// SPDX-License-Identifier: BSD-2-Clause
/* perf_ioctl.c - PERF_EVENT_IOC_...: one row each. */
#include "linux/perf/perf_parts.h"

#include "arch/x86/cpu/user.h"
#include "linux/task/sched.h"

#define FILTER_MAX 512 /* characters of a filter, the zero included */

static int refuse_argument(const char *what)
{
	return refuse(perf_refusal(), EINVAL, "%s", what);
}

static int refuse_memory(const char *what)
{
	return refuse(perf_refusal(), EFAULT, "%s lies where the program has no memory", what);
}

/* --- Counting --- */

/* As in Linux, other flags are ignored: with a two-argument ioctl(2) the register holds any
 * value. */
static int of_event_or_group(struct pmu_event *e, uint64_t flags,
			     void (*event)(struct pmu_event *e), void (*group)(struct pmu_event *e))
{
	(flags & PERF_IOC_FLAG_GROUP ? group : event)(e);
	return 0;
}

static long ioc_enable(struct perf_file *p, uint64_t arg)
{
	return of_event_or_group(&p->event, arg, pmu_event_enable, pmu_group_enable);
}

static long ioc_disable(struct perf_file *p, uint64_t arg)
{
	return of_event_or_group(&p->event, arg, pmu_event_disable, pmu_group_disable);
}

static long ioc_reset(struct perf_file *p, uint64_t arg)
{
	return of_event_or_group(&p->event, arg, pmu_event_reset, pmu_group_reset);
}

static long ioc_refresh(struct perf_file *p, uint64_t arg)
{
	if (pmu_event_refresh(&p->event, arg))
		return refuse_argument(
			"only an event that samples and is not inherited has a limit");
	return 0;
}

static long ioc_period(struct perf_file *p, uint64_t arg)
{
	uint64_t period;

	if (copy_from_user(&period, arg, sizeof(period)))
		return refuse_memory("the period");
	if (pmu_event_set_period(&p->event, period))
		return refuse_argument("the event does not sample, or not with such a period");
	return 0;
}

static long ioc_modify_attributes(struct perf_file *p, uint64_t arg)
{
	struct perf_event_attr attr;
	int err = perf_read_attr(&attr, arg);

	return err ? err : pmu_event_modify_attributes(&p->event, &attr, perf_refusal());
}

static long ioc_id(struct perf_file *p, uint64_t arg)
{
	const uint64_t id = pmu_event_id(&p->event);

	return copy_to_user(arg, &id, sizeof(id)) ? refuse_memory("the id") : 0;
}

/* --- Output --- */

static int redirect(struct perf_file *p, const struct perf_file *to)
{
	int err = pmu_event_redirect(&p->event, &to->event, perf_refusal());

	if (!err)
		perf_ring_join(p, to->ring);
	return err;
}

/* `to` NULL: records go nowhere. */
static int set_output_locked(struct perf_file *p, int fd, const struct file *to)
{
	if (fd != -1 && !(to && perf_of(to)))
		return refuse(perf_refusal(), EBADF, "file descriptor %d is no performance event",
			      fd);
	if (p->ring && p->ring->owner == p)
		return refuse_argument("the event has a ring of its own");
	if (to)
		return redirect(p, perf_of(to));
	perf_ring_leave(p);
	return 0;
}

/* Drops the reference to the other event without the turn: if it is the last one, the release
 * takes the turn. */
static int set_output(struct perf_file *p, int fd)
{
	struct file *to = fd == -1 ? NULL : fd_get(sched_current()->process->files, fd);
	int err;

	perf_lock();
	err = set_output_locked(p, fd, to);
	perf_unlock();
	file_put(to);
	return err;
}

static long ioc_pause_output(struct perf_file *p, uint64_t arg)
{
	if (pmu_event_pause_output(&p->event, arg))
		return refuse_argument("the event has no ring");
	return 0;
}

/* --- Filters --- */

/* Reads up to the terminating zero, and no byte behind it. */
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

/* The old filter stays in use until the new one is complete. */
static int set_filter(struct perf_file *p, const char *text)
{
	struct pmu_parse_error error;
	struct pmu_filter made;

	if (!p->event.tracepoint)
		return refuse_argument("only tracepoints have filters");
	if (pmu_filter_parse(&made, p->event.tracepoint, text, &error))
		return refuse(perf_refusal(), EINVAL, "column %zu: %s", error.column, error.text);
	pmu_event_set_filter(&p->event, NULL, NULL);
	p->filter = made;
	return pmu_event_set_filter(&p->event, &p->filter, perf_refusal());
}

static long ioc_set_filter(struct perf_file *p, uint64_t arg)
{
	char text[FILTER_MAX];
	int err = read_filter_text(text, arg);

	return err ? err : set_filter(p, text);
}

static long ioc_bpf(struct perf_file *p, uint64_t arg)
{
	(void)p;
	(void)arg;
	return refuse(perf_refusal(), EOPNOTSUPP, "there are no BPF programs");
}

/* --- The rows --- */

static const struct {
	unsigned request;
	long (*fn)(struct perf_file *p, uint64_t arg);
} requests[] = {
	{PERF_EVENT_IOC_ENABLE, ioc_enable},
	{PERF_EVENT_IOC_DISABLE, ioc_disable},
	{PERF_EVENT_IOC_RESET, ioc_reset},
	{PERF_EVENT_IOC_REFRESH, ioc_refresh},
	{PERF_EVENT_IOC_PERIOD, ioc_period},
	{PERF_EVENT_IOC_ID, ioc_id},
	{PERF_EVENT_IOC_PAUSE_OUTPUT, ioc_pause_output},
	{PERF_EVENT_IOC_SET_FILTER, ioc_set_filter},
	{PERF_EVENT_IOC_MODIFY_ATTRIBUTES, ioc_modify_attributes},
	{PERF_EVENT_IOC_SET_BPF, ioc_bpf},
	{PERF_EVENT_IOC_QUERY_BPF, ioc_bpf},
};

static long dispatch_ioctl(struct perf_file *p, unsigned request, uint64_t argument)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (requests[i].request == request)
			return requests[i].fn(p, argument);
	return refuse(perf_refusal(), ENOTTY, "there is no operation 0x%x", request);
}

long perf_ioctl(struct file *f, unsigned request, uint64_t argument)
{
	long result;

	if (request == PERF_EVENT_IOC_SET_OUTPUT)
		return set_output(perf_of(f), (int)argument);
	perf_lock();
	result = dispatch_ioctl(perf_of(f), request, argument);
	perf_unlock();
	return result;
}
