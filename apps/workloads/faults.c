// SPDX-License-Identifier: BSD-2-Clause
/* faults.c - faults that the runtime repairs, a given number of each kind. */
#include "apps/workloads/crt.h"

#define PAGE      4096
#define RFLAGS_AC (1ull << 18)

/* Reads a byte of each page of a new mapping: of zeros (`fd` -1), or of a file. 1: it failed. */
static int touch_pages(uint64_t pages, long fd)
{
	const long at = linux_mmap(0, pages * PAGE, PROT_READ,
				   MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (at < 0)
		return 1;
	for (uint64_t i = 0; i < pages; i++)
		(void)*(volatile uint8_t *)((uint64_t)at + i * PAGE);
	return linux_munmap((uint64_t)at, pages * PAGE) != 0;
}

/* So many pages are mapped at a time at most, and the file has as many. */
#define AT_ONCE 32

static int touch_all(uint64_t pages, long fd)
{
	while (pages) {
		uint64_t n = pages < AT_ONCE ? pages : AT_ONCE;

		if (touch_pages(n, fd))
			return 1;
		pages -= n;
	}
	return 0;
}

static int touch_file(uint64_t pages)
{
	const long fd = linux_syscall3(__NR_memfd_create, (uint64_t) "faults", 0, 0);
	int bad = fd < 0 || linux_syscall3(__NR_ftruncate, (uint64_t)fd, AT_ONCE * PAGE, 0);

	bad = bad || touch_all(pages, fd);
	return linux_close(fd) || bad;
}

/* RFLAGS.AC is set meanwhile: with it, the CPU checks alignment. */
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

/* UMIP forbids SMSW in ring 3. */
static __attribute__((noinline)) int read_msw(void)
{
	uint64_t msw = 0;

	__asm__ volatile("smsw %0" : "=r"(msw));
	return msw & 1;
}

static void workload_faults(uint64_t minor, uint64_t major, uint64_t misaligned, uint64_t umip)
{
	uint64_t words[2] = {1, 2};
	int bad = touch_all(minor, -1);

	bad |= touch_file(major);
	__asm__ volatile("" : : "r"(words) : "memory");
	while (misaligned--)
		read_misaligned((const uint8_t *)words + 1);
	while (umip--)
		bad |= !read_msw();
	linux_exit_group(bad);
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
