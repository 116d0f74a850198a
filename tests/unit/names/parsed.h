/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parsed.h - shared by the tests of the event parser.
 */
#ifndef TESTS_PARSED_H
#define TESTS_PARSED_H

#include "lib/glob.h"
#include "pmu/names/parse.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define MAX 64

static struct pmu_event_spec specs[MAX];
static struct pmu_parse_error err;

#define HW    PERF_TYPE_HARDWARE
#define SW    PERF_TYPE_SOFTWARE
#define CACHE PERF_TYPE_HW_CACHE
#define RAW   PERF_TYPE_RAW

/* The exclusions that modifiers set, as letters: U and K exclude user and kernel, H hv, X host,
 * Y guest, I idle; D is pinned, E exclusive. */
static inline const char *excludes(const struct perf_event_attr *attr)
{
	static char text[16];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s%s", attr->exclude_user ? "U" : "",
		 attr->exclude_kernel ? "K" : "", attr->exclude_hv ? "H" : "",
		 attr->exclude_host ? "X" : "", attr->exclude_guest ? "Y" : "",
		 attr->pinned ? "D" : "", attr->exclusive ? "E" : "",
		 attr->exclude_idle ? "I" : "");
	return text;
}

struct good {
	const char *text;
	const char *name; /* NULL: the text */
	uint32_t type;
	uint64_t config;
	const char *excludes;
};

static const struct good good[] = {
	{"cycles", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cpu-cycles", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"instructions", NULL, HW, PERF_COUNT_HW_INSTRUCTIONS, ""},
	{"cache-references", NULL, HW, PERF_COUNT_HW_CACHE_REFERENCES, ""},
	{"cache-misses", NULL, HW, PERF_COUNT_HW_CACHE_MISSES, ""},
	{"branches", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, ""},
	{"branch-instructions", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, ""},
	{"branch-misses", NULL, HW, PERF_COUNT_HW_BRANCH_MISSES, ""},
	{"bus-cycles", NULL, HW, PERF_COUNT_HW_BUS_CYCLES, ""},
	{"stalled-cycles-frontend", NULL, HW, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND, ""},
	{"idle-cycles-backend", NULL, HW, PERF_COUNT_HW_STALLED_CYCLES_BACKEND, ""},
	{"ref-cycles", NULL, HW, PERF_COUNT_HW_REF_CPU_CYCLES, ""},
	{"cpu-clock", NULL, SW, PERF_COUNT_SW_CPU_CLOCK, ""},
	{"task-clock", NULL, SW, PERF_COUNT_SW_TASK_CLOCK, ""},
	{"faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS, ""},
	{"page-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS, ""},
	{"cs", NULL, SW, PERF_COUNT_SW_CONTEXT_SWITCHES, ""},
	{"migrations", NULL, SW, PERF_COUNT_SW_CPU_MIGRATIONS, ""},
	{"minor-faults", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS_MIN, ""},
	{"dummy", NULL, SW, PERF_COUNT_SW_DUMMY, ""},
	{"L1-dcache-loads", NULL, CACHE, 0x000000, ""},
	{"L1-dcache-load-misses", NULL, CACHE, 0x010000, ""},
	{"L1-dcache-store-misses", NULL, CACHE, 0x010100, ""},
	{"L1-icache-load-misses", NULL, CACHE, 0x010001, ""},
	{"LLC-prefetches", NULL, CACHE, 0x000202, ""},
	{"dTLB-stores", NULL, CACHE, 0x000103, ""},
	{"iTLB-load-misses", NULL, CACHE, 0x010004, ""},
	{"branch-loads", NULL, CACHE, 0x000005, ""},
	{"node-store-misses", NULL, CACHE, 0x010106, ""},
	{"r1a8", NULL, RAW, 0x1a8, ""},
	{"r01d1", NULL, RAW, 0x1d1, ""},
	{"rC0", NULL, RAW, 0xc0, ""},
	{"rffffffffffffffff", NULL, RAW, UINT64_MAX, ""},
	{"cycles:u", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"cycles:k", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "UH"},
	{"cycles:h", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "UK"},
	{"cycles:uk", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "H"},
	{"cycles:ukh", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles:G", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "X"},
	{"cycles:H", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "Y"},
	{"cycles:GH", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles:uD", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KHD"},
	{"cycles:e", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "E"},
	{"r1a8:u", NULL, RAW, 0x1a8, "KH"},
	{"cpu-clock:u", NULL, SW, PERF_COUNT_SW_CPU_CLOCK, "KH"},
	{"cpu/event=0xc0/", NULL, RAW, 0xc0, ""},
	{"cpu/event=0xc0,umask=0x1/u", NULL, RAW, 0x1c0, "KH"},
	{"cpu/event=192/k", NULL, RAW, 0xc0, "UH"},
	{"cpu/event=0x120,umask=1/", NULL, RAW, 0x100000120, ""},
	{"cpu/event=0xc0,cmask=1,inv,edge,any/", NULL, RAW, 0x1a400c0, ""},
	{"cpu/event=0xc0,inv=0,edge=1/", NULL, RAW, 0x400c0, ""},
	{"cpu/umask=2,event=0xb1/", NULL, RAW, 0x2b1, ""},
	{"cpu/config=0x1a8/", NULL, RAW, 0x1a8, ""},
	{"cpu/event=0xc0,name=my.insns/", "my.insns", RAW, 0xc0, ""},
	{"cpu/name=x,event=0xc0/u", "x:u", RAW, 0xc0, "KH"},
	{"cpu/event=0xc0,pc,in_tx,in_tx_cp/", NULL, RAW, 0x3000800c0, ""},
	{"cpu/r1a8/", NULL, RAW, 0x1a8, ""},
	{"cpu/r0x1a8,name=x/u", "x:u", RAW, 0x1a8, "KH"},
	{"cycles//", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles//u", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"cycles/name=c/u", "c:u", HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"r1a8/name=x,period=7/", "x", RAW, 0x1a8, ""},
	{"LLC-loads/name=x/", "x", CACHE, 0x000002, ""},
	{"r0x12", NULL, RAW, 0x12, ""},
	{"r0xffffffffffffffff", NULL, RAW, UINT64_MAX, ""},
	{"cycles:p", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "Y"},
	{"cycles:ppGu", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KHX"},
	{"cycles:kppH", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "UHY"},
	{"cycles:pup", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KHY"},
	{"cycles:IeDu", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, "KHDEI"},
	{"cycles:HkGhu", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cgroup-switches", NULL, SW, PERF_COUNT_SW_CGROUP_SWITCHES, ""},
	{"bpf-output", NULL, SW, PERF_COUNT_SW_BPF_OUTPUT, ""},
	{"L1-dcache", NULL, CACHE, 0x000000, ""},
	{"l1d-loads", NULL, CACHE, 0x000000, ""},
	{"L1-data-write-refs", NULL, CACHE, 0x000100, ""},
	{"l1-d-misses", NULL, CACHE, 0x010000, ""},
	{"L2-miss-store", NULL, CACHE, 0x010102, ""},
	{"LLC-speculative-read-misses", NULL, CACHE, 0x010202, ""},
	{"Data-TLB-stores-ops", NULL, CACHE, 0x000103, ""},
	{"i-tlb-read-access", NULL, CACHE, 0x000004, ""},
	{"bpu-load-Reference", NULL, CACHE, 0x000005, ""},
	{"branches-misses", NULL, CACHE, 0x010005, ""},
	{"branch", NULL, CACHE, 0x000005, ""},
	{"node", NULL, CACHE, 0x000006, ""},
	{" cycles", "cycles", HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cycles:u \t\n", "cycles:u", HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"cpu/cycles/", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"cpu/branches/u", NULL, HW, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "KH"},
	{"cpu/ event = 0xc0 , umask=1 /u", NULL, RAW, 0x1c0, "KH"},
	{"cpu/event=0xc0,name=a:b-c.d/", "a:b-c.d", RAW, 0xc0, ""},
	{"cpu/event=0xc0,name='a=b,c:[1]'/u", "a=b,c:[1]:u", RAW, 0xc0, "KH"},
	{"cpu/event=0xc0,name='cpu_core/A/'/u", "cpu_core/A/u", RAW, 0xc0, "KH"},
	{"cpu/event=0xc0, name = x /k", "x:k", RAW, 0xc0, "UH"},
	{"0:0", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
	{"0 : 1:u", "0 : 1:u", HW, PERF_COUNT_HW_INSTRUCTIONS, "KH"},
	{"1:2", NULL, SW, PERF_COUNT_SW_PAGE_FAULTS, ""},
	{"3:0x10002", NULL, CACHE, 0x010002, ""},
	{"0x4:0xffffffffffffffff:k", NULL, RAW, UINT64_MAX, "UH"},
	{"4:0x1a8/name=x/u", "x:u", RAW, 0x1a8, "KH"},
	{"cycles : u", "cycles:u", HW, PERF_COUNT_HW_CPU_CYCLES, "KH"},
	{"cycles/inherit/", NULL, HW, PERF_COUNT_HW_CPU_CYCLES, ""},
};

#endif
