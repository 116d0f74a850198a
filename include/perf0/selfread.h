/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * selfread.h - code of ring 3 reads one of its own events without a system call, by the event's
 * control page (struct perf_event_mmap_page), RDPMC and RDTSC.
 *
 * Ring 0, which writes the page, makes `lock` odd, writes, and makes it even again. So values that
 * are read between two equal even values of `lock` are consistent. If `index` is not 0, the event
 * is on counter index - 1, and its value is `offset` + the counter. The counter has pmc_width bits,
 * the top one is the sign. SDM vol. 2, "RDPMC"; perf_event_open(2), "mmap layout".
 */
#ifndef PERF0_SELFREAD_H
#define PERF0_SELFREAD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct selfread {
	uint64_t value;
	uint64_t time_enabled,
		time_running; /* ns; where they differ, the estimate is value * enabled / running */
	bool live;            /* false: the event is on no counter, and `value` is its last count */
	uint32_t again;       /* how often the read was repeated because the page changed */
};

static inline uint64_t selfread_rdpmc(uint32_t counter)
{
	uint64_t low, high; /* the instruction clears the upper halves of both registers */

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return high << 32 | low;
}

static inline uint64_t selfread_rdtsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* Sign-extends the value of RDPMC. */
static inline uint64_t selfread_signed(uint64_t raw, unsigned width)
{
	const unsigned unused = 64 - width;

	return (uint64_t)((int64_t)(raw << unused) >> unused);
}

/*
 * selfread_value() - the count alone, in 14 instructions if the event is on a counter. For an event
 * that takes turns with others it is the unscaled count; selfread_all() also has the times to scale
 * it by. Ring 3, called by the task that the event counts.
 *
 * `lock` is only compared, as in perf_event_open(2): a task never sees its page half-written,
 * because its own CPU writes it, or writes it while the task does not run. Counter index - 1 is
 * below 0 if there is no counter. A shift by -width equals a shift by 64 - width.
 */
static inline uint64_t selfread_value(const volatile struct perf_event_mmap_page *page)
{
	uint64_t value, low, counter, high;
	uint32_t lock;

	__asm__ volatile("1: mov %[page_lock], %[lock]\n\t"
			 "mov %[page_index], %%ecx\n\t"
			 "sub $1, %%ecx\n\t"
			 "jb 3f\n\t"
			 "rdpmc\n\t"
			 "shl $32, %%rdx\n\t"
			 "lea (%%rax, %%rdx), %[value]\n\t"
			 "movzwl %[page_width], %%ecx\n\t"
			 "neg %%ecx\n\t"
			 "shl %%cl, %[value]\n\t"
			 "sar %%cl, %[value]\n"
			 "2: add %[page_offset], %[value]\n\t"
			 "cmp %[page_lock], %[lock]\n\t"
			 "jne 1b\n\t"
			 ".subsection 1\n"
			 "3: xor %k[value], %k[value]\n\t"
			 "jmp 2b\n\t"
			 ".previous"
			 : [lock] "=&r"(lock), [value] "=&r"(value), "=&a"(low), "=&d"(high),
			   "=&c"(counter)
			 : [page_lock] "m"(page->lock), [page_index] "m"(page->index),
			   [page_width] "m"(page->pmc_width), [page_offset] "m"(page->offset)
			 : "cc", "memory");
	return value;
}

/*
 * The ns since the page's times were updated, computed in two parts so that no product overflows.
 */
static inline uint64_t selfread_since(const volatile struct perf_event_mmap_page *page)
{
	const uint64_t tsc = selfread_rdtsc();
	const unsigned shift = page->time_shift;
	const uint64_t high = tsc >> shift, low = tsc & ((1ull << shift) - 1);

	return page->time_offset + high * page->time_mult + (low * page->time_mult >> shift);
}

/* selfread_all() - the count and both times of one moment. Ring 3. */
static inline struct selfread selfread_all(const volatile struct perf_event_mmap_page *page)
{
	struct selfread r = {.again = UINT32_MAX};
	uint32_t lock, index;

	do {
		uint64_t since;

		r.again++;
		lock = page->lock;
		__asm__ volatile("" : : : "memory");
		index = page->index;
		r.time_enabled = page->time_enabled;
		r.time_running = page->time_running;
		since = page->cap_user_time ? selfread_since(page) : 0;
		r.time_enabled += since;
		r.time_running += index ? since : 0;
		r.value = (uint64_t)page->offset;
		r.live = index;
		if (index)
			r.value += selfread_signed(selfread_rdpmc(index - 1), page->pmc_width);
		__asm__ volatile("" : : : "memory");
	} while (page->lock != lock || lock & 1);
	return r;
}

#endif
