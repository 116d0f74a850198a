// SPDX-License-Identifier: BSD-2-Clause
/* faults.c - faults that the runtime mends, so many of each kind. */
#include "apps/workloads/crt.h"

#include "include/perf0/task.h"

#define PAGE      4096
#define RFLAGS_AC (1ull << 18)

/* One byte of each page of a new mapping. Returns what all of them add up to; -1: no mapping. */
static long touch_pages(uint64_t pages, uint64_t flags)
{
	long at = perf_syscall(WORKLOAD_SYS_MAP, (long)(pages * PAGE), (long)flags, 0), sum = 0;

	if (at < 0)
		return -1;
	for (uint64_t i = 0; i < pages; i++)
		sum += *(volatile uint8_t *)(at + (long)(i * PAGE));
	return perf_syscall(WORKLOAD_SYS_UNMAP, at, (long)(pages * PAGE), 0) ? -1 : sum;
}

/* Some at a time: a mapping has 64 MiB at most. */
#define AT_ONCE 4096

static int touch_all(uint64_t pages, uint64_t flags)
{
	while (pages) {
		uint64_t n = pages < AT_ONCE ? pages : AT_ONCE;

		if (touch_pages(n, flags) < 0)
			return 1;
		pages -= n;
	}
	return 0;
}

/* With RFLAGS.AC set, where the CPU checks. */
static __attribute__((noinline)) void read_misaligned(const uint8_t *from)
{
	uint64_t value;

	__asm__ volatile("pushf\n\t"
			 "orq %[ac], (%%rsp)\n\t"
			 "popf\n\t"
			 "mov (%[from]), %[value]\n\t"
			 "pushf\n\t"
			 "andq %[no_ac], (%%rsp)\n\t"
			 "popf"
			 : [value] "=&r"(value)
			 : [from] "r"(from), [ac] "i"(RFLAGS_AC), [no_ac] "i"(~RFLAGS_AC)
			 : "memory", "cc");
}

/* What UMIP forbids. */
static __attribute__((noinline)) int read_msw(void)
{
	uint64_t msw = 0;

	__asm__ volatile("smsw %0" : "=r"(msw));
	return msw & 1;
}

static void workload_faults(uint64_t minor, uint64_t major, uint64_t misaligned, uint64_t umip)
{
	uint64_t words[2] = {1, 2};
	int bad = touch_all(minor, 0);

	bad |= touch_all(major, WORKLOAD_MAP_FILE | WORKLOAD_MAP_READ_ONLY);
	__asm__ volatile("" : : "r"(words) : "memory");
	while (misaligned--)
		read_misaligned((const uint8_t *)words + 1);
	while (umip--)
		bad |= !read_msw();
	user_exit(bad);
}

static const struct workload faults = {
	.name = "faults",
	.usage = "[MINOR] [MAJOR] [ALIGN] [EMULATE]",
	.summary = "touches MINOR pages (100) of zeros and MAJOR (10) of a file, reads misaligned "
		   "with AC set ALIGN times (10), and executes SMSW EMULATE times (10)",
	.entry = WORKLOAD_CODE(workload_faults),
	.params = {{"MINOR", WORKLOAD_NUMBER, 100, 0, 100000000},
		   {"MAJOR", WORKLOAD_NUMBER, 10, 0, 100000000},
		   {"ALIGN", WORKLOAD_NUMBER, 10, 0, UINT64_MAX},
		   {"EMULATE", WORKLOAD_NUMBER, 10, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(faults);
