// SPDX-License-Identifier: BSD-2-Clause
/*
 * selfmon.c - a program that measures itself: it opens events, reads them by system call and by
 * RDPMC, and samples itself into its own ring. It checks that all of these agree exactly. Its exit
 * status is the number of checks that failed.
 */
#include "apps/workloads/crt.h"
#include "apps/workloads/text_line.h"
#include "include/perf0/selfread.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define RING_PAGES 8
#define PERIOD     1009
#define WAKEUP     16
#define POLL_MS    50

static void say(struct line *l)
{
	line_text(l, "\n");
	line_print(l);
}

/* Returns 1 for a check that failed. */
static int check(const char *what, uint64_t got, uint64_t wanted)
{
	struct line l = {.n = 0};

	line_text(&l, "selfmon: ");
	line_text(&l, what);
	line_text(&l, ": ");
	line_number(&l, got);
	if (got != wanted) {
		line_text(&l, ", wanted ");
		line_number(&l, wanted);
	}
	say(&l);
	return got != wanted;
}

/* Two instructions a turn. */
static void turn(uint64_t turns)
{
	__asm__ volatile("1: dec %[turns]\n\t"
			 "jnz 1b"
			 : [turns] "+r"(turns)
			 :
			 : "cc");
}

static struct perf_event_attr instructions(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

static uint64_t read_event_count(long event)
{
	uint64_t value = 0;

	linux_read(event, &value, sizeof(value));
	return value;
}

/* The event's count over so many turns, from enabling to disabling it. */
static __attribute__((noinline)) uint64_t count(long event, uint64_t turns)
{
	linux_ioctl(event, PERF_EVENT_IOC_RESET, 0);
	linux_ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	turn(turns);
	linux_ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	return read_event_count(event);
}

static int check_counting(long event, uint64_t turns)
{
	uint64_t once = count(event, turns);

	return check("instructions of the turns", count(event, 2 * turns) - once, 2 * turns);
}

/* Reads by system call and by RDPMC: before, in the middle and after. */
static int check_rdpmc(long event, uint64_t turns)
{
	long address = ring_map(event, 0, PROT_READ);
	const volatile struct perf_event_mmap_page *page = (const void *)address;
	uint64_t first, second, third, between;
	int failed = 0;

	if (address < 0)
		return check("mapping a control page", (uint64_t)-address, 0);
	linux_ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	first = selfread_value(page);
	turn(turns);
	second = selfread_value(page);
	turn(2 * turns);
	third = selfread_value(page);
	between = read_event_count(event);
	failed += check("RDPMC: instructions of the turns", third - second - (second - first),
			2 * turns);
	failed += check("RDPMC: not beyond the next read", third < between, true);
	failed += check("RDPMC: the next read is right behind", between - third < 64, true);
	linux_ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	failed += check("the page of an event that does not count", selfread_value(page),
			read_event_count(event));
	failed += check("unmapping", (uint64_t)-ring_unmap(page, 0), 0);
	return failed;
}

struct found {
	uint64_t samples, others, outside, period;
};

/* Takes the records up to the head, and frees their room. PERIOD is the sample's second word. */
static struct found read_ring(struct perf_event_mmap_page *page)
{
	const uint8_t *data = (const uint8_t *)page + page->data_offset;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = page->data_tail;
	struct found f = {0};

	while (at < head) {
		const struct perf_event_header *h = (const void *)(data + at % page->data_size);
		const uint64_t *word = (const uint64_t *)(h + 1);

		if (h->type == PERF_RECORD_SAMPLE) {
			f.samples++;
			f.outside += word[0] < WORKLOAD_BASE || word[0] >= WORKLOAD_HEAP;
			f.period += word[1];
		} else {
			f.others++;
		}
		at += h->size;
	}
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
	return f;
}

/* Reads the ring after each of several passes. A sample is 24 bytes. */
static int check_sampling(uint64_t turns)
{
	struct perf_event_attr attr = instructions();
	struct perf_event_mmap_page *page;
	struct found all = {0};
	uint64_t counted;
	int failed = 0;
	long event;

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	event = linux_perf_event_open(&attr, 0, -1, -1, 0);
	page = (void *)ring_map(event, RING_PAGES, PROT_READ | PROT_WRITE);
	if ((long)page < 0)
		return check("mapping a ring", (uint64_t) - (long)page, 0);
	linux_ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	for (int pass = 0; pass < 4; pass++) {
		struct found f;

		turn(turns);
		f = read_ring(page);
		all.samples += f.samples;
		all.others += f.others;
		all.outside += f.outside;
		all.period += f.period;
	}
	linux_ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	all.samples += read_ring(page).samples;
	counted = read_event_count(event);
	failed += check("samples of its own", all.samples, counted / PERIOD);
	failed += check("records that are no samples", all.others, 0);
	failed += check("samples outside of its code", all.outside, 0);
	failed += check("closing", (uint64_t)-linux_close(event), 0);
	return failed;
}

/* Leader and sibling start and stop together, and are read together. */
static int check_group(uint64_t turns)
{
	struct perf_event_attr attr = instructions();
	uint64_t values[3] = {0};
	long leader, sibling;
	int failed = 0;

	attr.read_format = PERF_FORMAT_GROUP;
	leader = linux_perf_event_open(&attr, 0, -1, -1, 0);
	attr.disabled = 0;
	sibling = linux_perf_event_open(&attr, 0, -1, leader, 0);
	linux_ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	turn(turns);
	linux_ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	failed += check("bytes of a group", (uint64_t)linux_read(leader, values, sizeof(values)),
			sizeof(values));
	failed += check("members of the group", values[0], 2);
	failed += check("what the second counted more", values[2] - values[1], 0);
	linux_close(sibling);
	linux_close(leader);
	return failed;
}

/* The thread that is measured. */
static _Noreturn void watched_thread(uint64_t turns)
{
	turn(turns);
	linux_exit_thread();
}

/*
 * Samples of another thread of the process, which come while this one sleeps: it is told after so
 * many, every time. The thread gets the CPU when this one sleeps, or by the end of a time slice.
 */
static int check_thread(uint64_t turns)
{
	struct perf_event_attr attr = instructions();
	struct perf_event_mmap_page *page;
	struct thread thread;
	uint64_t samples = 0, told = 0;
	int failed = 0;
	long tid, event, news;

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	attr.wakeup_events = WAKEUP;
	attr.disabled = 0;
	tid = thread_start(&thread, TASK_ENTRY(watched_thread), turns, 0, 0);
	if (tid < 0)
		return check("a thread", (uint64_t)-tid, 0);
	event = linux_perf_event_open(&attr, tid, -1, -1, 0);
	page = (void *)ring_map(event, RING_PAGES, PROT_READ | PROT_WRITE);
	if ((long)page < 0)
		return check("a ring of a thread", (uint64_t) - (long)page, 0);
	failed += check("polling without waiting", (uint64_t)linux_poll(event, POLLIN, 0), 0);
	while ((news = linux_poll(event, POLLIN, POLL_MS)) == POLLIN) {
		samples += read_ring(page).samples;
		told++;
	}
	samples += read_ring(page).samples;
	failed += check("how polling ended", (uint64_t)news, POLLHUP);
	failed += check("samples of the thread", samples, read_event_count(event) / PERIOD);
	failed += check("told of each few of them", told >= samples / (2 * WAKEUP), true);
	thread_join(&thread);
	failed += check("closing", (uint64_t)-linux_close(event), 0);
	return failed;
}

/* Prints the sentence that gives the reason. */
static int check_refused(const char *what, long result, long error)
{
	struct line l = {.n = 0};
	long n;

	line_text(&l, "selfmon: ");
	line_text(&l, what);
	line_text(&l, ": ");
	n = perf0_last_reason(l.text + l.n, sizeof(l.text) - l.n - 1);
	l.n += n > 0 ? (size_t)n : 0;
	say(&l);
	return check(what, (uint64_t)-result, (uint64_t)error);
}

static int check_refusals(long event)
{
	struct perf_event_attr attr = instructions();
	struct {
		struct perf_event_attr attr;
		uint64_t more;
	} larger = {attr, 1};
	int failed = 0;

	attr.exclude_kernel = 0;
	failed += check_refused("ring 0", linux_perf_event_open(&attr, 0, -1, -1, 0), EACCES);
	attr.exclude_kernel = 1;
	failed += check_refused("a CPU", linux_perf_event_open(&attr, -1, 0, -1, 0), EACCES);
	failed += check_refused("neither a task nor a CPU",
				linux_perf_event_open(&attr, -1, -1, -1, 0), EINVAL);
	failed +=
		check_refused("no such CPU", linux_perf_event_open(&attr, -1, 4711, -1, 0), EINVAL);
	failed +=
		check_refused("no such flag", linux_perf_event_open(&attr, -1, 0, -1, 16), EINVAL);
	attr.sample_type = 1ull << 63;
	attr.exclude_kernel = 0;
	failed +=
		check_refused("no such field", linux_perf_event_open(&attr, 0, -1, -1, 0), EINVAL);
	attr = instructions();
	failed += check_refused("no task", linux_perf_event_open(&attr, 4711, -1, -1, 0), ESRCH);
	failed += check_refused("no file", linux_read(-1, &attr, 8), EBADF);
	failed += check_refused("memory that is not mapped",
				linux_perf_event_open((const void *)16, 0, -1, -1, 0), EFAULT);
	failed += check_refused("memory of ring 0",
				linux_read(event, (void *)0xffff800000200000, 8), EFAULT);
	failed += check_refused("three pages", ring_map(event, 3, PROT_READ), EINVAL);
	failed += check_refused("no room", linux_read(event, &attr, 7), ENOSPC);
	failed += check_refused("no operation", linux_ioctl(event, 4711, 0), ENOTTY);
	larger.attr.size = sizeof(larger);
	failed += check_refused("a larger attr", linux_perf_event_open(&larger.attr, 0, -1, -1, 0),
				E2BIG);
	failed += check("the size that is known", larger.attr.size, sizeof(attr));
	return failed;
}

/* An event that excludes the host has nothing to count: it opens, is on its counter, stays at 0. */
static int check_guests(uint64_t turns)
{
	struct perf_event_attr attr = instructions();
	uint64_t values[3] = {1, 0, 1};
	long event;
	int failed;

	attr.disabled = 0;
	attr.exclude_host = 1;
	attr.exclude_idle = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	event = linux_perf_event_open(&attr, 0, -1, -1, 0);
	turn(turns);
	failed = check("bytes of guests' count", (uint64_t)linux_read(event, values, 24), 24);
	failed += check("instructions of guests", values[0], 0);
	failed += check("time on the counter, less time enabled", values[2] - values[1], 0);
	failed += check("no time at all", !values[1], 0);
	linux_close(event);
	return failed;
}

static void workload_selfmon(uint64_t turns)
{
	struct perf_event_attr attr = instructions();
	long event = linux_perf_event_open(&attr, 0, -1, -1, 0);
	int failed = 0;

	if (event < 0)
		linux_exit_group(check_refused("opening an event", event, 0));
	failed += check_counting(event, turns);
	failed += check_rdpmc(event, turns);
	failed += check_sampling(turns);
	failed += check_group(turns);
	failed += check_thread(turns);
	failed += check_guests(turns);
	failed += check_refusals(event);
	failed += check("closing the last event", (uint64_t)-linux_close(event), 0);
	linux_exit_group(failed);
}

static const struct workload selfmon = {
	.name = "selfmon",
	.usage = "[N]",
	.summary =
		"measures itself by events of its own over loops of N turns (100000), and checks",
	.entry = WORKLOAD_CODE(workload_selfmon),
	.params = {{"N", WORKLOAD_NUMBER, 100000, 1, UINT64_MAX / 16}},
};
WORKLOAD_ENTRY(selfmon);
