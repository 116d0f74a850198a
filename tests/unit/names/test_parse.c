// SPDX-License-Identifier: BSD-2-Clause
/* test_parse.c - the event parser: what each text means, and where each bad one is wrong. */
#include "lib/glob.h"
#include "pmu/names/parse.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX 64

static struct pmu_event_spec specs[MAX];
static struct pmu_parse_error err;

#define HW    PERF_TYPE_HARDWARE
#define SW    PERF_TYPE_SOFTWARE
#define CACHE PERF_TYPE_HW_CACHE
#define RAW   PERF_TYPE_RAW

/* What modifiers set, as letters: U and K exclude user and kernel, H hv, X host, Y guest, I idle; D
 * is pinned, E exclusive. */
static const char *excludes(const struct perf_event_attr *attr)
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

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct good *g = &good[i];
		int n = pmu_parse_events(g->text, specs, MAX, &err);

		if (n != 1)
			fail_msg("%s: %d, column %zu: %s", g->text, n, err.column, err.text);
		if (specs[0].attr.type != g->type || specs[0].attr.config != g->config)
			fail_msg("%s: type %u config 0x%llx", g->text, specs[0].attr.type,
				 (unsigned long long)specs[0].attr.config);
		assert_string_equal(specs[0].name, g->name ? g->name : g->text);
		assert_string_equal(excludes(&specs[0].attr), g->excludes);
		assert_int_equal(specs[0].attr.size, sizeof(struct perf_event_attr));
		assert_int_equal(specs[0].group, PMU_NO_GROUP);
	}
}

struct bad {
	const char *text;
	size_t column;
	const char *sentence; /* a part of it */
};

static const struct bad bad[] = {
	{"", 1, "an event is missing"},
	{",", 1, "an event is missing"},
	{"cycles,", 8, "an event is missing"},
	{",cycles", 1, "an event is missing"},
	{"cycles,,cycles", 8, "an event is missing"},
	{"cycle", 1, "there is no event 'cycle'"},
	{"Cycles", 1, "there is no event 'Cycles'"},
	{"cyclesx", 1, "there is no event 'cyclesx'"},
	{"instructions,nonsense", 14, "there is no event 'nonsense'"},
	{"iTLB-stores", 1, "there is no event"},
	{"cycles;branches", 7, "';' does not belong here"},
	{"cycles}", 7, "'}' does not belong here"},
	{"cycles:", 8, "a modifier is missing"},
	{"cycles:,branches", 8, "a modifier is missing"},
	{"cycles:x", 8, "there is no modifier 'x'"},
	{"cycles:ux", 9, "there is no modifier 'x'"},
	{"cycles:uu", 9, "modifier 'u' is given too often"},
	{"cycles:pppp", 11, "modifier 'p' is given too often"},
	{"cycles:u:k", 9, "there is no modifier ':'"},
	{"cycles:U", 8, "there is no modifier 'U'"},
	{"r", 1, "there is no event 'r'"},
	{"rg1", 1, "there is no event 'rg1'"},
	{"r12x", 1, "there is no event 'r12x'"},
	{"r11112222333344445", 1, "at most 16 digits"},
	{"R1a8", 1, "there is no event 'R1a8'"},
	{"cpu/", 5, "a term is missing"},
	{"cpu//", 5, "a term is missing"},
	{"cpu", 1, "there is no event 'cpu'"},
	{"cpu/event=0xc0", 15, "',' or '/' is missing"},
	{"cpu/event=0xc0,/", 16, "a term is missing"},
	{"cpu/event/", 10, "'=' is missing after 'event'"},
	{"cpu/event=/", 11, "event takes a decimal or 0x hexadecimal number"},
	{"cpu/event=0x/", 11, "takes a decimal or 0x"},
	{"cpu/event=c0/", 11, "takes a decimal or 0x"},
	{"cpu/event=0xc0g/", 11, "takes a decimal or 0x"},
	{"cpu/event=-1/", 11, "takes a decimal or 0x"},
	{"cpu/event=12a/", 11, "takes a decimal or 0x"},
	{"cpu/event=0x1000/", 11, "event is from 0 to 0xfff"},
	{"cpu/event=0xc0,umask=0x100/", 22, "umask is from 0 to 0xff"},
	{"cpu/event=0xc0,umask=256/", 22, "umask is from 0 to 0xff"},
	{"cpu/event=0xc0,cmask=99999999999999999999999/", 22, "cmask is from 0 to 0xff"},
	{"cpu/event=0xc0,cmask=0x10000000000000000/", 22, "cmask is from 0 to 0xff"},
	{"cpu/event=0xc0,inv=2/", 20, "inv is from 0 to 0x1"},
	{"cpu/event=0xc0,period=0/", 23, "period is from 1"},
	{"cpu/event=0xc0,event=0xc1/", 16, "'event' is one term too many"},
	{"cpu/event=0xc0,inv,inv/", 20, "'inv' is one term too many"},
	{"cpu/event=0xc0,bogus=1/", 16, "there is no term 'bogus'"},
	{"cpu/event=0xc0,cycles/", 16, "a generic event takes no other fields beside it"},
	{"cpu/cpu-clock/", 5, "there is no term 'cpu-clock'"},
	{"cpu/L1-dcache-loads/", 5, "there is no term 'L1-dcache-loads'"},
	{"cpu/cycles,umask=1/", 5, "a generic event takes no other fields beside it"},
	{"cpu/cycles,instructions/", 12, "'instructions' is one term too many"},
	{"cpu/config=1,umask=1/", 14, "config= says it all"},
	{"cpu/umask=1,config=1/", 13, "config= says it all"},
	{"cpu/name=x/", 11, "no event is named here"},
	{"cpu/name=,event=1/", 10, "a name is missing"},
	{"cpu/event=0xc0/x", 16, "there is no modifier 'x'"},
	{"cpu/event=0xc0/:u", 16, "there is no modifier ':'"},
	{"gpu/event=1/", 1, "there is no PMU 'gpu'"},
	{"uncore_imc_0/cas_count_read/", 1, "there is no PMU 'uncore_imc_0'"},
	{"/event=1/", 1, "an event is missing"},
	{"{", 2, "an event is missing"},
	{"{}", 2, "an event is missing"},
	{"{cycles", 8, "'}' is missing"},
	{"{cycles,}", 9, "an event is missing"},
	{"{cycles,branches", 17, "'}' is missing"},
	{"{cycles}branches", 9, "'b' does not belong here"},
	{"{cycles}u", 9, "'u' does not belong here"},
	{"{cycles}:", 10, "a modifier is missing"},
	{"{cycles}:q", 10, "there is no modifier 'q'"},
	{"{cycles,{branches}}", 9, "groups do not nest"},
	{"{cycles:u,nope}:k", 11, "there is no event 'nope'"},
	{"cycles\x80", 7, "does not belong here"},
	{" ", 2, "an event is missing"},
	{"cycles ,", 9, "an event is missing"},
	{"cycles , ,branches", 10, "an event is missing"},
	{"cycles  branches", 9, "'b' does not belong here"},
	{"{cycles branches}", 9, "'}' is missing"},
	{"{ }", 3, "an event is missing"},
	{"{ cycles", 9, "'}' is missing"},
	{"{cycles }}", 10, "'}' does not belong here"},
	{"{cycles} }", 10, "'}' does not belong here"},
	{"{cycles}:u:k", 11, "there is no modifier ':'"},
	{"{cycles}:uu", 11, "modifier 'u' is given too often"},
	{"{cycles}:ppppp", 13, "modifier 'p' is given too often"},
	{"{cycles:pp}:pp", 14, "modifier 'p' is given too often"},
	{"{cycles:P}:p", 12, "modifiers 'P' and 'p' contradict each other"},
	{"{cycles:p}:P", 12, "modifiers 'p' and 'P' contradict each other"},
	{"{cycles,branches:pp}:pp", 23, "modifier 'p' is given too often"},
	{"{cycles:x}", 9, "there is no modifier 'x'"},
	{"{cycles:}", 9, "a modifier is missing after ':'"},
	{"{cycles:,branches}", 9, "a modifier is missing after ':'"},
	{"{cycles,:u}", 9, "an event is missing"},
	{"{cycles::u}", 9, "there is no modifier ':'"},
	{"{,cycles}", 2, "an event is missing"},
	{"{cycles,,branches}", 9, "an event is missing"},
	{"{cycles},", 10, "an event is missing"},
	{"{cycles},{", 11, "an event is missing"},
	{"{cycles},{}", 11, "an event is missing"},
	{"{cycles},{branches", 19, "'}' is missing"},
	{"{cycles}{branches}", 9, "'{' does not belong here"},
	{"{cycles}:u{branches}", 11, "there is no modifier '{'"},
	{"{cycles}:b", 10, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"{r}", 2, "there is no event 'r'"},
	{"{rx}", 2, "there is no event 'rx'"},
	{"{cpu/}", 6, "a term is missing"},
	{"{cpu/event=1}", 13, "',' or '/' is missing after a term"},
	{"{cpu/event=1/", 14, "'}' is missing"},
	{"{cpu/event=1,}", 14, "a term is missing"},
	{"{cpu/event=1/u,}", 16, "an event is missing"},
	{"{mem:}", 6, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"{sched:sched_switch}", 2,
	 "there is no event 'sched:sched_switch': there are no tracepoints here"},
	{"{cycles,sched:sched_switch,branches}", 9,
	 "there is no event 'sched:sched_switch': there are no tracepoints here"},
	{"{nope}", 2, "there is no event 'nope'"},
	{"{nope:u}", 2, "there is no event 'nope'"},
	{"{cycles,nope}:u", 9, "there is no event 'nope'"},
	{"{{}", 2, "groups do not nest"},
	{"{{}}", 2, "groups do not nest"},
	{"}{", 1, "an event is missing"},
	{"}", 1, "an event is missing"},
	{"{cycles}/u", 9, "'/' does not belong here"},
	{"{cycles}/name=x/", 9, "'/' does not belong here"},
	{"cycles:pP", 9, "modifiers 'p' and 'P' contradict each other"},
	{"cycles:Pp", 9, "modifiers 'P' and 'p' contradict each other"},
	{"cycles:ppP", 10, "modifiers 'p' and 'P' contradict each other"},
	{"cycles:PP", 9, "modifier 'P' is given too often"},
	{"cycles:DD", 9, "modifier 'D' is given too often"},
	{"cycles:ee", 9, "modifier 'e' is given too often"},
	{"cycles:SS", 9, "modifier 'S' is given too often"},
	{"cycles:WW", 9, "modifier 'W' is given too often"},
	{"cycles:II", 9, "modifier 'I' is given too often"},
	{"cycles:GG", 9, "modifier 'G' is given too often"},
	{"cycles:HH", 9, "modifier 'H' is given too often"},
	{"cycles:kk", 9, "modifier 'k' is given too often"},
	{"cycles:hh", 9, "modifier 'h' is given too often"},
	{"cycles:uku", 10, "modifier 'u' is given too often"},
	{"cycles:pppup", 12, "modifier 'p' is given too often"},
	{"cycles:bu", 8, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"cycles:ub", 9, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"cycles:0", 8, "there is no modifier '0'"},
	{"cycles:1", 8, "there is no modifier '1'"},
	{"cycles:d", 8, "there is no modifier 'd'"},
	{"cycles:E", 8, "there is no modifier 'E'"},
	{"cycles:g", 8, "there is no modifier 'g'"},
	{"cycles:i", 8, "there is no modifier 'i'"},
	{"cycles:s", 8, "there is no modifier 's'"},
	{"cycles:w", 8, "there is no modifier 'w'"},
	{"cycles:K", 8, "there is no modifier 'K'"},
	{"cycles:-u", 8, "there is no modifier '-'"},
	{"cycles:u-", 9, "there is no modifier '-'"},
	{"cycles:.u", 8, "there is no modifier '.'"},
	{"cycles:u/", 9, "there is no modifier '/'"},
	{"cycles:u}", 9, "'}' does not belong here"},
	{"cycles:u{", 9, "there is no modifier '{'"},
	{"cycles:u=1", 9, "there is no modifier '='"},
	{"cycles::u", 8, "there is no modifier ':'"},
	{"cycles::", 8, "there is no modifier ':'"},
	{"cycles:u,", 10, "an event is missing"},
	{"cycles:u;", 9, "there is no modifier ';'"},
	{"r1a8:", 6, "a modifier is missing after ':'"},
	{"r1a8:q", 6, "there is no modifier 'q'"},
	{"r1a8:uu", 7, "modifier 'u' is given too often"},
	{"r1a8:u:k", 7, "there is no modifier ':'"},
	{"r0x", 1, "there is no event 'r0x'"},
	{"r0xg", 1, "there is no event 'r0xg'"},
	{"r0x1g", 1, "there is no event 'r0x1g'"},
	{"r-1", 1, "there is no event 'r-1'"},
	{"r1.2", 1, "there is no event 'r1.2'"},
	{"r1_2", 1, "there is no event 'r1_2'"},
	{"ra8h", 1, "there is no event 'ra8h'"},
	{"r0x11112222333344445", 1, "a raw event has at most 16 digits"},
	{"r00000000000000001", 1, "a raw event has at most 16 digits"},
	{"r1a8,", 6, "an event is missing"},
	{"r1a8 r1a9", 6, "'r' does not belong here"},
	{"r1a8;", 5, "';' does not belong here"},
	{"r1a8/umask=1/", 6, "the fields of an event stand in cpu/.../ only"},
	{"r1a8/event=1/", 6, "the fields of an event stand in cpu/.../ only"},
	{"r1a8/name=/", 11, "a name is missing after 'name='"},
	{"r1a8/name=x", 12, "',' or '/' is missing after a term"},
	{"r1a8/period=0/", 13, "period is from 1 to 0x7fffffffffffffff"},
	{"r1a8/,/", 6, "a term is missing"},
	{"cycles/", 8, "a term is missing"},
	{"cycles/name", 12, "'=' is missing after 'name'"},
	{"cycles/name/", 12, "'=' is missing after 'name'"},
	{"cycles/name=x", 14, "',' or '/' is missing after a term"},
	{"cycles/name=x,", 15, "a term is missing"},
	{"cycles/name=x,/", 15, "a term is missing"},
	{"cycles/name=x,name=y/", 15, "'name' is one term too many"},
	{"cycles/umask=1/", 8, "the fields of an event stand in cpu/.../ only"},
	{"cycles/event=0xc0/", 8, "the fields of an event stand in cpu/.../ only"},
	{"cycles/config=1/", 8, "a named event takes no config= beside it"},
	{"cycles/inv/", 8, "the fields of an event stand in cpu/.../ only"},
	{"cycles/cycles/", 8, "'cycles' is one term too many"},
	{"cycles/branches/", 8, "'branches' is one term too many"},
	{"cycles/bogus/", 8, "there is no term 'bogus' of PMU cpu"},
	{"cycles/period=1,freq=1/", 17, "either period= or freq=, not both"},
	{"cycles/freq=1,period=1/", 15, "either period= or freq=, not both"},
	{"cycles/freq=0/", 13, "freq is from 1 to 0x7fffffffffffffff"},
	{"cycles/freq=x/", 13, "freq takes a decimal or 0x hexadecimal number"},
	{"cycles/period=-1/", 15, "period takes a decimal or 0x hexadecimal number"},
	{"cycles/period=9223372036854775808/", 15, "period is from 1 to 0x7fffffffffffffff"},
	{"cycles/period=1,period=2/", 17, "'period' is one term too many"},
	{"cycles//q", 9, "there is no modifier 'q'"},
	{"cycles//uu", 10, "modifier 'u' is given too often"},
	{"cycles//:u", 9, "there is no modifier ':'"},
	{"cycles///", 9, "there is no modifier '/'"},
	{"faults/event=1/", 8, "the fields of an event stand in cpu/.../ only"},
	{"cpu-clock/umask=1/", 11, "the fields of an event stand in cpu/.../ only"},
	{"L1-dcache-loads/umask=1/", 17, "the fields of an event stand in cpu/.../ only"},
	{"cpu/ /", 6, "a term is missing"},
	{"cpu/event=1//", 13, "there is no modifier '/'"},
	{"cpu/event=1/,", 14, "an event is missing"},
	{"cpu/event=1/uu", 14, "modifier 'u' is given too often"},
	{"cpu/event=1/pP", 14, "modifiers 'p' and 'P' contradict each other"},
	{"cpu/event=1/u:k", 14, "there is no modifier ':'"},
	{"cpu/event=1/b", 13, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"cpu/event=1}", 12, "',' or '/' is missing after a term"},
	{"cpu/event=1,umask/", 18, "'=' is missing after 'umask'"},
	{"cpu/event=1,umask=/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=x/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=0x/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=0xg/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=-1/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=+1/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=1.5/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=1e1/", 19, "umask takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,umask=99999999999999999999/", 19, "umask is from 0 to 0xff"},
	{"cpu/event=1,umask=0x10000000000000000/", 19, "umask is from 0 to 0xff"},
	{"cpu/event=1,umask=1,umask=1/", 21, "'umask' is one term too many"},
	{"cpu/event=1,cmask=256/", 19, "cmask is from 0 to 0xff"},
	{"cpu/event=1,cmask/", 18, "'=' is missing after 'cmask'"},
	{"cpu/event=1,cmask=1,cmask=2/", 21, "'cmask' is one term too many"},
	{"cpu/event=1,inv=/", 17, "inv takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,inv=x/", 17, "inv takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,inv=10/", 17, "inv is from 0 to 0x1"},
	{"cpu/event=1,inv=0,inv/", 19, "'inv' is one term too many"},
	{"cpu/event=1,edge=2/", 18, "edge is from 0 to 0x1"},
	{"cpu/event=1,edge,edge/", 18, "'edge' is one term too many"},
	{"cpu/event=1,any=2/", 17, "any is from 0 to 0x1"},
	{"cpu/event=1,any,any/", 17, "'any' is one term too many"},
	{"cpu/event=1,pc=2/", 16, "pc is from 0 to 0x1"},
	{"cpu/event=1,pc,pc/", 16, "'pc' is one term too many"},
	{"cpu/event=1,in_tx=2/", 19, "in_tx is from 0 to 0x1"},
	{"cpu/event=1,in_tx,in_tx/", 19, "'in_tx' is one term too many"},
	{"cpu/event=1,in_tx_cp=2/", 22, "in_tx_cp is from 0 to 0x1"},
	{"cpu/event=4096/", 11, "event is from 0 to 0xfff"},
	{"cpu/event=0xfff1/", 11, "event is from 0 to 0xfff"},
	{"cpu/event=18446744073709551616/", 11, "event is from 0 to 0xfff"},
	{"cpu/event=0x,umask=1/", 11, "event takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,event=2/", 13, "'event' is one term too many"},
	{"cpu/event,umask=1/", 10, "'=' is missing after 'event'"},
	{"cpu/event==1/", 11, "event takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1=1/", 12, "',' or '/' is missing after a term"},
	{"cpu/=1/", 5, "a term is missing"},
	{"cpu/,/", 5, "a term is missing"},
	{"cpu/,event=1/", 5, "a term is missing"},
	{"cpu/event=1,,umask=1/", 13, "a term is missing"},
	{"cpu/umask/", 10, "'=' is missing after 'umask'"},
	{"cpu/Event=1/", 5, "there is no term 'Event' of PMU cpu"},
	{"cpu/EVENT=1/", 5, "there is no term 'EVENT' of PMU cpu"},
	{"cpu/event:1/", 10, "'=' is missing after 'event'"},
	{"cpu/event=1:umask=1/", 12, "',' or '/' is missing after a term"},
	{"cpu/event=1;umask=1/", 12, "',' or '/' is missing after a term"},
	{"cpu/event=1{/", 12, "',' or '/' is missing after a term"},
	{"cpu/config/", 11, "'=' is missing after 'config'"},
	{"cpu/config=/", 12, "config takes a decimal or 0x hexadecimal number"},
	{"cpu/config=x/", 12, "config takes a decimal or 0x hexadecimal number"},
	{"cpu/config=0x10000000000000000/", 12, "config is from 0 to 0xffffffffffffffff"},
	{"cpu/config=1,config=2/", 14, "'config' is one term too many"},
	{"cpu/config=1,event=1/", 14, "config= says it all: no other fields beside it"},
	{"cpu/config=1,inv/", 14, "config= says it all: no other fields beside it"},
	{"cpu/inv,config=1/", 9, "config= says it all: no other fields beside it"},
	{"cpu/config=1,cycles/", 14, "a named event takes no config= beside it"},
	{"cpu/cycles,config=1/", 12, "a named event takes no config= beside it"},
	{"cpu/cycles,cycles/", 12, "'cycles' is one term too many"},
	{"cpu/cycles=1/", 11, "',' or '/' is missing after a term"},
	{"cpu/cycles,edge/", 5, "a generic event takes no other fields beside it"},
	{"cpu/config1=1/", 14, "no event is named here"},
	{"cpu/config1=1,name=x/", 21, "no event is named here"},
	{"cpu/config2=1/", 14, "no event is named here"},
	{"cpu/config3=1/", 5, "there is no term 'config3' of PMU cpu"},
	{"cpu/event=1,config1=/", 21, "config1 takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,config1=1,config1=2/", 23, "'config1' is one term too many"},
	{"cpu/event=1,config1=1,offcore_rsp=2/", 23, "'offcore_rsp' is one term too many"},
	{"cpu/event=1,offcore_rsp=1,ldlat=3/", 27, "'ldlat' is one term too many"},
	{"cpu/event=1,offcore_rsp=/", 25, "offcore_rsp takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,offcore_rsp=0x10000000000000000/", 25,
	 "offcore_rsp is from 0 to 0xffffffffffffffff"},
	{"cpu/event=1,ldlat=0x10000/", 19, "ldlat is from 0 to 0xffff"},
	{"cpu/event=1,ldlat=65536/", 19, "ldlat is from 0 to 0xffff"},
	{"cpu/event=1,ldlat/", 18, "'=' is missing after 'ldlat'"},
	{"cpu/event=1,frontend=0x1000000/", 22, "frontend is from 0 to 0xffffff"},
	{"cpu/event=1,frontend=/", 22, "frontend takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,config2=x/", 21, "config2 takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,period=/", 20, "period takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,period=x/", 20, "period takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,period=0x8000000000000000/", 20, "period is from 1 to 0x7fffffffffffffff"},
	{"cpu/event=1,freq=/", 18, "freq takes a decimal or 0x hexadecimal number"},
	{"cpu/event=1,freq=0/", 18, "freq is from 1 to 0x7fffffffffffffff"},
	{"cpu/event=1,freq=10,period=10/", 21, "either period= or freq=, not both"},
	{"cpu/event=1,name/", 17, "'=' is missing after 'name'"},
	{"cpu/event=1,name=/", 18, "a name is missing after 'name='"},
	{"cpu/event=1,name=a,name=b/", 20, "'name' is one term too many"},
	{"cpu/event=1,name=a b/", 20, "',' or '/' is missing after a term"},
	{"cpu/event=1,name=\"a\"/", 18, "a name is missing after 'name='"},
	{"cpu/period=1/", 13, "no event is named here"},
	{"cpu/freq=1/", 11, "no event is named here"},
	{"cpu/name=x,period=1/", 20, "no event is named here"},
	{"cpu/faults/", 5, "there is no term 'faults' of PMU cpu"},
	{"cpu/dummy/", 5, "there is no term 'dummy' of PMU cpu"},
	{"cpu/LLC-loads/", 5, "there is no term 'LLC-loads' of PMU cpu"},
	{"cpu/r1a8,r1a9/", 10, "'r1a9' is one term too many"},
	{"cpu/r1a8,config=1/", 10, "'config' is one term too many"},
	{"cpu/r1a8,umask=1/", 10, "config= says it all"},
	{"cpu/cycles,r1a8/", 12, "'r1a8' is one term too many"},
	{"cpu/r1a8=1/", 9, "',' or '/' is missing after a term"},
	{"cpu/r11112222333344445/", 5, "at most 16 digits"},
	{"cpu/cycle/", 5, "there is no term 'cycle' of PMU cpu"},
	{"cpu/umask=1,bogus/", 13, "there is no term 'bogus' of PMU cpu"},
	{"cpu/umask=1,bogus=1/", 13, "there is no term 'bogus' of PMU cpu"},
	{"cpu/umask=1", 12, "',' or '/' is missing after a term"},
	{"cpu/umask=1,", 13, "a term is missing"},
	{"cpu/umask", 10, "'=' is missing after 'umask'"},
	{"cpu/u", 5, "there is no term 'u' of PMU cpu"},
	{"cpux/event=1/", 1, "there is no PMU 'cpux': it is called cpu"},
	{"CPU/event=1/", 1, "there is no PMU 'CPU': it is called cpu"},
	{"cpu_core/event=1/", 1, "there is no PMU 'cpu_core': it is called cpu"},
	{"cpu_atom/event=1/", 1, "there is no PMU 'cpu_atom': it is called cpu"},
	{"cpu0/event=1/", 1, "there is no PMU 'cpu0': it is called cpu"},
	{"amd_iommu_0/x/", 1, "there is no PMU 'amd_iommu_0': it is called cpu"},
	{"cstate_core/c6-residency/", 1, "there is no PMU 'cstate_core': it is called cpu"},
	{"power/energy-all/", 7, "there is no term 'energy-all' of PMU power"},
	{"power/event=256/", 13, "event"},
	{"msr/tsc", 8, "',' or '/' is missing"},
	{"software/config=1/", 1, "there is no PMU 'software': it is called cpu"},
	{".../event=1/", 1, "there is no PMU '...': it is called cpu"},
	{"mem", 1, "there is no event 'mem'"},
	{"mem:", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:u", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem::", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem::rw", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:/4", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:x", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:0x", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:0xg", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:main", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:-1", 5, "the address of mem: takes a decimal or 0x hexadecimal number"},
	{"mem:0x1000:", 12, "an access (r, w, x) is missing after ':'"},
	{"mem:0x1000:,cycles", 12, "an access (r, w, x) is missing after ':'"},
	{"mem:0x1000:q", 12, "an access is r, w or x, not 'q'"},
	{"mem:0x1000:rr", 13, "access 'r' is given twice"},
	{"mem:0x1000:rwr", 14, "access 'r' is given twice"},
	{"mem:0x1000:rwxx", 15, "access 'x' is given twice"},
	{"mem:0x1000:rwx:", 16, "a modifier is missing after ':'"},
	{"mem:0x1000:rw:q", 15, "there is no modifier 'q'"},
	{"mem:0x1000:rw:uu", 16, "modifier 'u' is given too often"},
	{"mem:0x1000:rw:u:k", 16, "there is no modifier ':'"},
	{"mem:0x1000:R", 12, "an access is r, w or x, not 'R'"},
	{"mem:0x1000/", 12, "the length of a breakpoint takes a decimal or 0x hexadecimal number"},
	{"mem:0x1000/:w", 12,
	 "the length of a breakpoint takes a decimal or 0x hexadecimal number"},
	{"mem:0x1000/0", 12, "the length of a breakpoint is from 1 to 0x8"},
	{"mem:0x1000/3", 12, "a breakpoint is 1, 2, 4 or 8 bytes long"},
	{"mem:0x1000/5:w", 12, "a breakpoint is 1, 2, 4 or 8 bytes long"},
	{"mem:0x1000/6:w", 12, "a breakpoint is 1, 2, 4 or 8 bytes long"},
	{"mem:0x1000/9", 12, "the length of a breakpoint is from 1 to 0x8"},
	{"mem:0x1000/16:w", 12, "the length of a breakpoint is from 1 to 0x8"},
	{"mem:0x1000/4/4", 13, "'/' does not belong here"},
	{"mem:0x1000/x:w", 12,
	 "the length of a breakpoint takes a decimal or 0x hexadecimal number"},
	{"mem:0x1000/4w", 12,
	 "the length of a breakpoint takes a decimal or 0x hexadecimal number"},
	{"mem:0x1001", 5, "the address is not a multiple of 4, its length"},
	{"mem:0x1001:w", 5, "the address is not a multiple of 4, its length"},
	{"mem:0x1002/4:w", 12, "the address is not a multiple of 4, its length"},
	{"mem:0x1004/8:rw", 12, "the address is not a multiple of 8, its length"},
	{"mem:0x1001/2:r", 12, "the address is not a multiple of 2, its length"},
	{"mem:0x10000000000000000:w", 5, "the address of mem: is from 0 to 0xffffffffffffffff"},
	{"mem:18446744073709551616", 5, "the address of mem: is from 0 to 0xffffffffffffffff"},
	{"mem:0x1000 rw", 12, "'r' does not belong here"},
	{"mem:0x1000;", 11, "';' does not belong here"},
	{"mem:0x1000}", 11, "'}' does not belong here"},
	{"mem/0x1000/", 1, "there is no PMU 'mem': it is called cpu"},
	{"Mem:0x1000:rw", 1, "there is no event 'Mem:0x1000': there are no tracepoints here"},
	{"sched:sched_switch:u", 1,
	 "there is no event 'sched:sched_switch': there are no tracepoints here"},
	{"syscalls:sys_enter_read", 1,
	 "there is no event 'syscalls:sys_enter_read': there are no tracepoints here"},
	{"syscalls:*", 10, "tracepoints are named one by one, without '*'"},
	{"irq:irq_handler_entry,cycles", 1,
	 "there is no event 'irq:irq_handler_entry': there are no tracepoints here"},
	{"cycles,irq:*", 12, "tracepoints are named one by one, without '*'"},
	{"kmem:kmalloc/name=x/", 1,
	 "there is no event 'kmem:kmalloc': there are no tracepoints here"},
	{"sched:", 1, "there is no event 'sched'"},
	{"-1:2", 1, "there is no event '-1'"},
	{".sched:x", 1, "there is no event '.sched'"},
	{"sched:u", 1, "there is no event 'sched'"},
	{"sched:,", 1, "there is no event 'sched'"},
	{"probe:x", 1, "there is no event 'probe:x': there are no tracepoints here"},
	{"uprobes:abc:k", 1, "there is no event 'uprobes:abc': there are no tracepoints here"},
	{"cycle:u", 1, "there is no event 'cycle'"},
	{"instruction", 1, "there is no event 'instruction'"},
	{"inst:k", 1, "there is no event 'inst'"},
	{"L1-dcache-", 1, "there is no event 'L1-dcache-'"},
	{"L1-dcache-bogus", 1, "there is no event 'L1-dcache-bogus'"},
	{"L1-dcache-loads-", 1, "there is no event 'L1-dcache-loads-'"},
	{"L1-dcache--loads", 1, "there is no event 'L1-dcache--loads'"},
	{"L1-dcache-loads-stores", 1, "there is no event 'L1-dcache-loads-stores'"},
	{"L1-dcache-loads-misses-misses", 1, "there is no event 'L1-dcache-loads-misses-misses'"},
	{"L1-dcache-misses-misses", 1, "there is no event 'L1-dcache-misses-misses'"},
	{"L1-dcache-loads-x", 1, "there is no event 'L1-dcache-loads-x'"},
	{"L1-icache-stores", 1, "there is no event 'L1-icache-stores'"},
	{"L1-icache-store-misses", 1, "there is no event 'L1-icache-store-misses'"},
	{"L1i-loads", 1, "there is no event 'L1i-loads'"},
	{"l1-dcache-loads", 1, "there is no event 'l1-dcache-loads'"},
	{"LLC-", 1, "there is no event 'LLC-'"},
	{"LLC-load-misse", 1, "there is no event 'LLC-load-misse'"},
	{"llc-loads", 1, "there is no event 'llc-loads'"},
	{"L3-loads", 1, "there is no event 'L3-loads'"},
	{"iTLB-prefetches", 1, "there is no event 'iTLB-prefetches'"},
	{"iTLB-store-misses", 1, "there is no event 'iTLB-store-misses'"},
	{"branch-stores", 1, "there is no event 'branch-stores'"},
	{"branch-prefetches", 1, "there is no event 'branch-prefetches'"},
	{"bpu-write", 1, "there is no event 'bpu-write'"},
	{"dtlb-loads", 1, "there is no event 'dtlb-loads'"},
	{"nodes", 1, "there is no event 'nodes'"},
	{"node-loads-loads", 1, "there is no event 'node-loads-loads'"},
	{"branch-miss-branch", 1, "there is no event 'branch-miss-branch'"},
	{"-L1-dcache", 1, "there is no event '-L1-dcache'"},
	{"loads", 1, "there is no event 'loads'"},
	{"misses", 1, "there is no event 'misses'"},
	{"load-misses", 1, "there is no event 'load-misses'"},
	{"cpu-cycle", 1, "there is no event 'cpu-cycle'"},
	{"cpu_cycles", 1, "there is no event 'cpu_cycles'"},
	{"cycles_", 1, "there is no event 'cycles_'"},
	{"cycles.", 1, "there is no event 'cycles.'"},
	{"cycles-", 1, "there is no event 'cycles-'"},
	{"-cycles", 1, "there is no event '-cycles'"},
	{".cycles", 1, "there is no event '.cycles'"},
	{"_", 1, "there is no event '_'"},
	{"-", 1, "there is no event '-'"},
	{".", 1, "there is no event '.'"},
	{":", 1, "an event is missing"},
	{":u", 1, "an event is missing"},
	{"=", 1, "an event is missing"},
	{"/", 1, "an event is missing"},
	{"//", 1, "an event is missing"},
	{"/u", 1, "an event is missing"},
	{";", 1, "an event is missing"},
	{"*", 1, "an event is missing"},
	{"cycles*", 7, "'*' does not belong here"},
	{"cycles?", 7, "'?' does not belong here"},
	{"(cycles)", 1, "an event is missing"},
	{"[cycles]", 1, "an event is missing"},
	{"\"cycles\"", 1, "an event is missing"},
	{"'cycles'", 1, "an event is missing"},
	{"cycles|branches", 7, "'|' does not belong here"},
	{"cycles&branches", 7, "'&' does not belong here"},
	{"cycles+branches", 7, "'+' does not belong here"},
	{"cycles=1", 7, "'=' does not belong here"},
	{"cycles@u", 7, "'@' does not belong here"},
	{"cycles#", 7, "'#' does not belong here"},
	{"cycles\\", 7, "'\\' does not belong here"},
	{"cycles\\,branches", 7, "'\\' does not belong here"},
	{"cycles%", 7, "'%' does not belong here"},
	{"0", 1, "there is no event '0'"},
	{"1", 1, "there is no event '1'"},
	{"0x3c", 1, "there is no event '0x3c'"},
	{"-1", 1, "there is no event '-1'"},
	{"instructions,cycles:z,branches", 21, "there is no modifier 'z'"},
	{"instructions,cycles:u,branches:", 32, "a modifier is missing after ':'"},
	{"instructions,cycles:u,cpu/event=1,branches", 43, "',' or '/' is missing after a term"},
	{"instructions:u,cycles:k,r1a8:kk", 31, "modifier 'k' is given too often"},
	{"dummy:", 7, "a modifier is missing after ':'"},
	{"dummy/", 7, "a term is missing"},
	{"bpf-outputs", 1, "there is no event 'bpf-outputs'"},
	{"duration-time", 1, "there is no event 'duration-time'"},
	{"task-clock:b", 12, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"\xc3\xa9", 1, "an event is missing"},
	{"cycles:\xc3\xa9", 8, "there is no modifier '\xc3'"},
	{"cpu/\xc3\xa9/", 5, "a term is missing"},
	{"cycles:b", 8, "modifier 'b' (count by BPF) is not supported: there is no BPF"},
	{"cycles:u branches", 10, "'b' does not belong here"},
	{"{{cycles}}", 2, "groups do not nest"},
	{"cpu/bogus/", 5, "there is no term 'bogus' of PMU cpu"},
	{"cpu/event=1,name='a/", 20, "there is no '/' in a name"},
	{"cpu/event=1,name='a", 20, "a closing ' is missing"},
	{"cpu/event=1,name=''/", 19, "a name is missing after 'name='"},
	{"cpu/event=1,name='a b'/", 20, "there is no ' ' in a name"},
	{"cpu/event=1,name='a'b/", 21, "',' or '/' is missing after a term"},
	{"cpu/event = /", 13, "event takes a decimal or 0x hexadecimal number"},
	{"cpu/event = 0x1000 /", 13, "event is from 0 to 0xfff"},
	{"cpu/event=1 umask=1/", 13, "',' or '/' is missing after a term"},
	{"cpu/event=1 , /", 15, "a term is missing"},
	{"cpu/event=1,percore/", 13, "'percore' would add up hyper-threads"},
	{"cycles/percore/", 8, "'percore' would add up hyper-threads"},
	{"cycles/call-graph=fp/", 8, "'call-graph' is an option of the whole command"},
	{"cycles/stack-size=8/", 8, "'stack-size' is an option of the whole command"},
	{"cycles/time/", 8, "'time' is an option of the whole command"},
	{"cycles/no-overwrite/", 8, "'no-overwrite' is an option of the whole command"},
	{"cycles/branch_type=any/", 8, "'branch_type' is not supported"},
	{"cycles/inherit=2/", 16, "inherit is from 0 to 0x1"},
	{"cycles/inherit,no-inherit/", 16, "'no-inherit' is one term too many"},
	{"cycles/config1=1,ldlat=3/", 18, "'ldlat' is one term too many"},
	{"cycles/metric-id=x/", 8, "there is no term 'metric-id' of PMU cpu"},
	{"r1a8/cmask=1/", 6, "the fields of an event stand in cpu/.../ only"},
	{"0:", 3, "the config of an event takes a decimal or 0x hexadecimal number"},
	{"0:x", 3, "the config of an event takes a decimal or 0x hexadecimal number"},
	{"0:-1", 3, "the config of an event takes a decimal or 0x hexadecimal number"},
	{"0:10", 3, "type 0 has no event 0xa"},
	{"1:99", 3, "type 1 has no event 0x63"},
	{"3:0x7", 3, "type 3 has no event 0x7"},
	{"3:0x30000", 3, "type 3 has no event 0x30000"},
	{"3:0x300", 3, "type 3 has no event 0x300"},
	{"3:0x1000000", 3, "type 3 has no event 0x1000000"},
	{"2:5", 1, "tracepoints are written SYSTEM:NAME"},
	{"5:0x1000", 1, "breakpoints are written mem:ADDRESS"},
	{"6:0", 1, "there is no event type 6"},
	{"4294967296:0", 1, "the type of an event is from 0 to 0xffffffff"},
	{"0a:0", 1, "the type of an event takes a decimal or 0x hexadecimal number"},
	{"4:0x10000000000000000", 3, "the config of an event is from 0 to 0xffffffffffffffff"},
	{"0:0:", 5, "a modifier is missing after ':'"},
	{"0:0:0", 5, "there is no modifier '0'"},
	{"0:0/umask=1/", 5, "the fields of an event stand in cpu/.../ only"},
	{"cycles{branches}", 7, "',' is missing between an event and a group"},
	{"r1a8{branches}", 5, "',' is missing between an event and a group"},
	{"cycles:{branches}", 7, "',' is missing between an event and a group"},
	{"L1-dcache {branches}", 11, "',' is missing between an event and a group"},
	{"name:{cycles}", 5, "no ':' between the name of a group and its brace"},
	{"name : {cycles}", 6, "no ':' between the name of a group and its brace"},
	{"3name{cycles}", 1, "the name of a group has no '3' there"},
	{".name{cycles}", 1, "the name of a group has no '.' there"},
	{"my-name{cycles}", 3, "the name of a group has no '-' there"},
	{"abcdefghijklmnopqrstuvwxyz012345{cycles}", 1,
	 "the name of a group has at most 31 characters"},
	{"name{", 6, "an event is missing"},
	{"name{}", 6, "an event is missing"},
	{"name{cycles", 12, "'}' is missing"},
	{"name{cycles}}", 13, "'}' does not belong here"},
	{"name{cycles}:", 14, "a modifier is missing after ':'"},
	{"name{cycles,other{branches}}", 13, "groups do not nest"},
	{"{cycles,name{branches}}", 9, "groups do not nest"},
	{"name cycles", 1, "there is no event 'name'"},
	{"'a b'{cycles}", 1, "an event is missing"},
	{"duration_time", 1, "there is no event 'duration_time': stat tells the time elapsed"},
	{"duration_time:u", 1, "there is no event 'duration_time': stat tells the time elapsed"},
	{"cycles,user_time", 8, "there is no event 'user_time': task-clock is"},
	{"system_time", 1, "there is no event 'system_time': task-clock is"},
	{"cpu_core/cycles/", 1, "it is called cpu where all cores are alike"},
	{"cycles,cpu_atom/event=1/", 8, "it is called cpu where all cores are alike"},
	{"cpu_atom", 1, "there is no event 'cpu_atom'"},
	{"sched:sched_sw*", 15, "tracepoints are named one by one, without '*'"},
	{"sched:[ab]", 7, "tracepoints are named one by one, without '['"},
	{"cycles : x", 10, "there is no modifier 'x'"},
	{"cycles : u k", 12, "'k' does not belong here"},
	{"{cycles} : ", 12, "a modifier is missing after ':'"},
};

static void test_bad(void **state)
{
	unsigned failed = 0;

	(void)state;
	assert_true(sizeof(bad) / sizeof(bad[0]) >= 300);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct bad *b = &bad[i];
		int n = pmu_parse_events(b->text, specs, MAX, &err);

		if (n == -EINVAL && err.column == b->column && strstr(err.text, b->sentence))
			continue;
		print_error("'%s' gives %d, column %zu: %s\n", b->text, n, err.column, err.text);
		failed++;
	}
	assert_int_equal(failed, 0);
}

struct listed {
	const char *name;
	int group;
	const char *excludes;
};

static void check_list(const char *text, const struct listed *rows, int n)
{
	int got = pmu_parse_events(text, specs, MAX, &err);

	if (got != n)
		fail_msg("%s: %d, column %zu: %s", text, got, err.column, err.text);
	for (int i = 0; i < n; i++) {
		assert_string_equal(specs[i].name, rows[i].name);
		assert_int_equal(specs[i].group, rows[i].group);
		assert_string_equal(excludes(&specs[i].attr), rows[i].excludes);
	}
}

static void test_lists_and_groups(void **state)
{
	(void)state;
	check_list("cycles,instructions:u,cpu-clock",
		   (struct listed[]){{"cycles", PMU_NO_GROUP, ""},
				     {"instructions:u", PMU_NO_GROUP, "KH"},
				     {"cpu-clock", PMU_NO_GROUP, ""}},
		   3);
	check_list("{cycles,branches:u},r1a8,{instructions}:k",
		   (struct listed[]){{"cycles", 0, ""},
				     {"branches:u", 0, "KH"},
				     {"r1a8", PMU_NO_GROUP, ""},
				     {"instructions:k", 1, "UH"}},
		   4);
	check_list("{cycles:u,branches}:k",
		   (struct listed[]){{"cycles:uk", 0, "H"}, {"branches:k", 0, "UH"}}, 2);
	check_list(" { cycles , branches:u } , r1a8 ",
		   (struct listed[]){
			   {"cycles", 0, ""}, {"branches:u", 0, "KH"}, {"r1a8", PMU_NO_GROUP, ""}},
		   3);
	check_list("{cycles} : k, name{ branches } :u",
		   (struct listed[]){{"cycles:k", 0, "UH"}, {"branches:u", 1, "KH"}}, 2);
	check_list("{cycles,branches}:D",
		   (struct listed[]){{"cycles:D", 0, "D"}, {"branches:D", 0, ""}}, 2);
	check_list("{cycles,cpu/event=0xc0,umask=0/}:u",
		   (struct listed[]){{"cycles:u", 0, "KH"}, {"cpu/event=0xc0,umask=0/u", 0, "KH"}},
		   2);
}

static void test_group_names(void **state)
{
	(void)state;
	assert_int_equal(
		pmu_parse_events("a.1{cycles,branches}:u,{r1} , _b {r2},r3", specs, MAX, &err), 5);
	assert_string_equal(specs[0].group_name, "a.1");
	assert_string_equal(specs[1].group_name, "a.1");
	assert_string_equal(specs[2].group_name, "");
	assert_string_equal(specs[3].group_name, "_b");
	assert_string_equal(specs[4].group_name, "");
	assert_int_equal(specs[3].group, 2);
	assert_int_equal(
		pmu_parse_events("abcdefghijklmnopqrstuvwxyz01234{cycles}", specs, MAX, &err), 1);
	assert_string_equal(specs[0].group_name, "abcdefghijklmnopqrstuvwxyz01234");
}

/* --- With a microarchitecture and somebody who knows names --- */

static int find_foreign(void *ctx, const char *text, size_t n, struct perf_event_attr *attr,
			size_t *taken, struct pmu_parse_error *error)
{
	(void)ctx;
	if (n >= 5 && !memcmp(text, "wrong", 5)) {
		snprintf(error->text, sizeof(error->text), "wrong indeed");
		return -EINVAL;
	}
	if (n < 7 || memcmp(text, "foreign", 7))
		return 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = 0x20348;
	*taken = 7;
	return 1;
}

static bool find_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	(void)ctx;
	*id = 7;
	return n == 12 && !memcmp(text, "sched:switch", 12);
}

struct known {
	const char *uarch, *text, *name;
	uint32_t type;
	uint64_t config;
	size_t column; /* of the mistake, then `name` is its sentence; 0: none */
};

static void check_known(const struct known *k)
{
	const struct pmu_namer namer = {.find = find_foreign,
					.tracepoint = find_tracepoint,
					.uarch = uarch_by_name(k->uarch)};
	int n = pmu_parse_events_named(k->text, &namer, specs, MAX, &err);

	if (k->column && (n != -EINVAL || err.column != k->column || !strstr(err.text, k->name)))
		fail_msg("%s: %d, column %zu: %s", k->text, n, err.column, err.text);
	if (k->column)
		return;
	if (n != 1)
		fail_msg("%s: %d, column %zu: %s", k->text, n, err.column, err.text);
	assert_string_equal(specs[0].name, k->name);
	assert_int_equal(specs[0].attr.type, k->type);
	assert_int_equal(specs[0].attr.config, k->config);
}

static void test_named(void **state)
{
	static const struct known rows[] = {
		{"hsw", "foreign:u", "foreign:u", RAW, 0x20348, 0},
		{"hsw", "foreign/period=9/u", "foreign/period=9/u", RAW, 0x20348, 0},
		{"hsw", "cpu/foreign/", "cpu/foreign/", RAW, 0x20348, 0},
		{"hsw", "cpu/foreign,umask=1/", "cpu/foreign,umask=1/", RAW, 0x20148, 0},
		{"hsw", "cpu/edge,cmask=2,foreign/k", "cpu/edge,cmask=2,foreign/k", RAW, 0x2060348,
		 0},
		{"hsw", "cpu/cycles,cmask=1/", "cpu/cycles,cmask=1/", RAW, 0x100003c, 0},
		{"zen4", "cpu/cycles,umask=1,name=c/", "c", RAW, 0x176, 0},
		{"adl", "cpu_core/cycles/u", "cpu_core/cycles/u", HW, PERF_COUNT_HW_CPU_CYCLES, 0},
		{"adl", "cpu_core/event=0xd1,umask=1/", "cpu_core/event=0xd1,umask=1/", RAW, 0x1d1,
		 0},
		{"adl", "cpu/event=0xd1/", "cpu/event=0xd1/", RAW, 0xd1, 0},
		{"grt", "cpu_atom/event=0xd1/", "cpu_atom/event=0xd1/", RAW, 0xd1, 0},
		{"hsw", "sched:switch", "sched:switch", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "sched:switch:k", "sched:switch:k", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "sched:switch/name=x/", "x", PERF_TYPE_TRACEPOINT, 7, 0},
		{"hsw", "cycles,sched:wakeup", "no event or tracepoint 'sched:wakeup'", 0, 0, 8},
		{"hsw", "cpu/wrong/", "wrong indeed", 0, 0, 5},
		{"hsw", "cpu/foreign,foreign/", "'foreign' is one term too many", 0, 0, 13},
		{"hsw", "cpu/foreign:u/", "',' or '/' is missing after a term", 0, 0, 12},
		{"hsw", "cpu/foreign,config=1/", "a named event takes no config=", 0, 0, 13},
		{"hsw", "cpu/umask=1,stalled-cycles-backend/", "haswell has no such event", 0, 0,
		 13},
		{"hsw", "cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0, 1},
		{"spr", "r1,cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0,
		 4},
		{"adl", "cpu_atom/cycles/",
		 "'cpu_atom' is the PMU of other cores than those of "
		 "goldencove",
		 0, 0, 1},
		{"grt", "cpu_core/cycles/", "'cpu_core' is the PMU of other cores", 0, 0, 1},
		{"nosuch", "cpu_core/cycles/", "it is called cpu where all cores are alike", 0, 0,
		 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_known(&rows[i]);
}

static void test_precise_and_period(void **state)
{
	(void)state;
	assert_int_equal(pmu_parse_events("{cycles:p,branches}:pp", specs, MAX, &err), 2);
	assert_int_equal(specs[0].attr.precise_ip, 3);
	assert_int_equal(specs[1].attr.precise_ip, 2);
	assert_false(specs[0].most_precise);
	assert_int_equal(pmu_parse_events("cycles:P", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.precise_ip, 3);
	assert_true(specs[0].most_precise);
	assert_int_equal(pmu_parse_events("cpu/event=0xc0,freq=99/", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.sample_freq, 99);
	assert_true(specs[0].attr.freq);
	assert_int_equal(pmu_parse_events("cpu/event=0xc0,period=10007/", specs, MAX, &err), 1);
	assert_int_equal(specs[0].attr.sample_period, 10007);
	assert_int_equal(
		pmu_parse_events("r1/inherit/,r1/no-inherit/,r1/inherit=0/", specs, MAX, &err), 3);
	assert_true(specs[0].attr.inherit);
	assert_false(specs[1].attr.inherit);
	assert_false(specs[2].attr.inherit);
}

/* perf's names of Intel's memory events, where the microarchitecture is known to have them. */
static void test_memory_names(void **state)
{
	static const struct {
		const char *text;
		uint64_t config, config1;
	} rows[] = {
		{"cpu/mem-loads/P", 0x01cd, 3},           {"cpu/mem-loads,ldlat=30/P", 0x01cd, 30},
		{"cpu/ldlat=30,mem-loads/P", 0x01cd, 30}, {"mem-loads:P", 0x01cd, 3},
		{"cpu/mem-stores/P", 0x82d0, 0},
	};
	struct pmu_namer namer = {.uarch = uarch_by_name("skx")};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmu_parse_events_named(rows[i].text, &namer, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.type, PERF_TYPE_RAW);
		assert_int_equal(specs[0].attr.config, rows[i].config);
		assert_int_equal(specs[0].attr.config1, rows[i].config1);
		assert_true(specs[0].most_precise);
		assert_int_equal(pmu_parse_events(rows[i].text, specs, MAX, &err), -EINVAL);
	}
	namer.uarch = uarch_by_name("zen4");
	assert_int_equal(pmu_parse_events_named("mem-loads", &namer, specs, MAX, &err), -EINVAL);
}

static void test_group_modifiers(void **state)
{
	(void)state;
	assert_int_equal(pmu_parse_events("{cycles,branches}:SW,r1", specs, MAX, &err), 3);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(specs[i].weak);
		assert_int_equal(specs[i].attr.sample_type, PERF_SAMPLE_READ);
	}
	assert_false(specs[2].weak);
	assert_int_equal(specs[2].attr.sample_type, 0);
	assert_int_equal(pmu_parse_events("{cycles,branches:D}:e", specs, MAX, &err), 2);
	assert_false(specs[0].attr.pinned);
	assert_true(specs[1].attr.pinned); /* which opening refuses */
	assert_true(specs[0].attr.exclusive);
	assert_false(specs[1].attr.exclusive);
}

static void test_registers(void **state)
{
	static const struct {
		const char *text;
		uint64_t config1, config2;
	} rows[] = {
		{"cpu/event=0xb7,umask=1,offcore_rsp=0x3f80400091/", 0x3f80400091, 0},
		{"cpu/event=0xcd,umask=1,ldlat=30/", 30, 0},
		{"cpu/event=0xc6,umask=1,frontend=0x400106/", 0x400106, 0},
		{"cpu/config=1,config1=2,config2=3/", 2, 3},
		{"cpu/cycles,config1=0xffffffffffffffff/", UINT64_MAX, 0},
		{"r1b7/offcore_rsp=0x10001/", 0x10001, 0},
		{"cycles/config1=1,config2=2/u", 1, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(pmu_parse_events(rows[i].text, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.config1, rows[i].config1);
		assert_int_equal(specs[0].attr.config2, rows[i].config2);
	}
}

static void test_breakpoints(void **state)
{
	static const struct {
		const char *text, *name, *excludes;
		uint64_t address, length;
		uint32_t type;
	} rows[] = {
		{"mem:0x1000", NULL, "", 0x1000, 4, HW_BREAKPOINT_RW},
		{"mem:4096:rw", NULL, "", 0x1000, 4, HW_BREAKPOINT_RW},
		{"mem:0x1001/1:w", NULL, "", 0x1001, 1, HW_BREAKPOINT_W},
		{"mem:0x1002/2:r", NULL, "", 0x1002, 2, HW_BREAKPOINT_R},
		{"mem:0x1008/8:wr", NULL, "", 0x1008, 8, HW_BREAKPOINT_RW},
		{"mem:0x1003:x", NULL, "", 0x1003, 8, HW_BREAKPOINT_X},
		{"mem:0x1000:xwr", NULL, "", 0x1000, 8, HW_BREAKPOINT_RW | HW_BREAKPOINT_X},
		{"mem:0x1000/4:w:u", NULL, "KH", 0x1000, 4, HW_BREAKPOINT_W},
		{"{mem:0xfffffffffffffff8/8:w}:kD", "mem:0xfffffffffffffff8/8:w:kD", "UHD",
		 0xfffffffffffffff8, 8, HW_BREAKPOINT_W},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (pmu_parse_events(rows[i].text, specs, MAX, &err) != 1)
			fail_msg("%s: column %zu: %s", rows[i].text, err.column, err.text);
		assert_string_equal(specs[0].name, rows[i].name ? rows[i].name : rows[i].text);
		assert_string_equal(excludes(&specs[0].attr), rows[i].excludes);
		assert_int_equal(specs[0].attr.type, PERF_TYPE_BREAKPOINT);
		assert_int_equal(specs[0].attr.bp_addr, rows[i].address);
		assert_int_equal(specs[0].attr.bp_len, rows[i].length);
		assert_int_equal(specs[0].attr.bp_type, rows[i].type);
	}
}

static void test_room(void **state)
{
	char text[512] = "{cycles";

	(void)state;
	assert_int_equal(pmu_parse_events("cycles,cycles", specs, 2, &err), 2);
	assert_int_equal(pmu_parse_events("cycles,cycles", specs, 1, &err), -E2BIG);
	assert_int_equal(err.column, 8);
	assert_int_equal(pmu_parse_events("{cycles,cycles}", specs, 1, &err), -E2BIG);
	assert_int_equal(pmu_parse_events("cycles;", specs, 1, &err), -EINVAL);
	for (unsigned i = 0; i < 48; i++)
		strcat(text, ",r1");
	strcat(text, "}");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), -EINVAL);
	assert_non_null(strstr(err.text, "at most 48"));
}

static void test_long_name(void **state)
{
	char text[256] = "cpu/event=0xc0,name=";

	(void)state;
	memset(text + strlen(text), 'n', PMU_SPEC_NAME_MAX - 1);
	strcat(text, "/");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), 1);
	assert_int_equal(strlen(specs[0].name), PMU_SPEC_NAME_MAX - 1);
	strcat(text, "u");
	assert_int_equal(pmu_parse_events(text, specs, MAX, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 95 characters"));
}

/* Every name that is listed can be parsed, and its alias means the same. */
static void test_names(void **state)
{
	const struct pmu_event_name *name;
	size_t i;

	(void)state;
	for (i = 0; (name = pmu_event_names(i)); i++) {
		assert_int_equal(pmu_parse_events(name->name, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.type, name->type);
		assert_int_equal(specs[0].attr.config, name->config);
		if (!name->alias)
			continue;
		assert_int_equal(pmu_parse_events(name->alias, specs, MAX, &err), 1);
		assert_int_equal(specs[0].attr.config, name->config);
	}
	assert_true(i > 40);
	assert_null(pmu_event_names(SIZE_MAX));
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Cut, damaged and spliced texts: an answer, or a column inside of the text; nothing else. */
static void test_random(void **state)
{
	static const char alphabet[] = "{},:/=uk0x9rcpDeventumask-cycles '.*\t";
	uint64_t seed = 7;

	(void)state;
	for (unsigned round = 0; round < 30000; round++) {
		const char *from = good[next_random(&seed) % (sizeof(good) / sizeof(good[0]))].text;
		char text[128];
		size_t n = (size_t)snprintf(
			text, sizeof(text), "{%s,cpu/event=1/}:u,%s", from,
			good[next_random(&seed) % (sizeof(good) / sizeof(good[0]))].text);
		char *exact;
		int got;

		for (unsigned k = (unsigned)next_random(&seed) % 4; k > 0; k--)
			text[next_random(&seed) % n] =
				alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];
		text[next_random(&seed) % (n + 1)] = '\0';
		exact = strdup(text); /* so that a read past the end is seen */
		got = pmu_parse_events(exact, specs, MAX, &err);
		if (got < 0)
			assert_true(err.column >= 1 && err.column <= strlen(text) + 1 && *err.text);
		else
			assert_true(got >= 1 && got <= 64);
		free(exact);
	}
}

/* Tracepoints by a pattern: as if each that matches had been written, with the same modifiers. */
static const char *const some[] = {"irq:a", "sched:aa", "sched:ab", "sched:b"};

static bool match_some(void *ctx, const char *text, size_t n, size_t index, const char **name,
		       uint64_t *id)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
		if (!glob_match(some[i], strlen(some[i]), text, n) || index--)
			continue;
		*name = some[i];
		*id = 100 + i;
		return true;
	}
	return false;
}

static bool no_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	(void)ctx;
	(void)text;
	(void)n;
	(void)id;
	return false;
}

static void test_patterns(void **state)
{
	static const struct pmu_namer namer = {.tracepoint = no_tracepoint, .matching = match_some};
	static const struct {
		const char *text, *names;
	} rows[] = {
		{"sched:*", "sched:aa sched:ab+ sched:b+ "},
		{"sched:a?", "sched:aa sched:ab+ "},
		{"sched:[b-z]", "sched:b "},
		{"*:*", "irq:a sched:aa+ sched:ab+ sched:b+ "},
		{"*:*a", "irq:a sched:aa+ "},
		{"?rq:a", "irq:a "},
		{"[is]*:?", "irq:a sched:b+ "},
		{"s*:a*:k", "sched:aa:k sched:ab:k+ "},
		{"cycles, sched:a* ,irq:*:u,cs", "cycles sched:aa sched:ab+ irq:a:u cs "},
		{"{cycles,cs},irq:*", "cycles cs irq:a "},
	};
	static const struct {
		const char *text;
		size_t column;
		const char *why;
	} bad_rows[] = {
		{"sched:x*", 1, "no tracepoint matches 'sched:x*'"},
		{"cycles,nosuch:*", 8, "no tracepoint matches 'nosuch:*'"},
		{"sched:*:q", 9, "'q'"},
		{"sched:*/period=1/", 8, "a pattern of tracepoints takes no settings"},
		{"{cycles,sched:*}", 9, "the tracepoints of a group are named one by one"},
		{"{sched:*}", 2, "the tracepoints of a group are named one by one"},
		{"*", 1, "there is no event ''"},
		{"sched:aaa", 1, "there is no event or tracepoint 'sched:aaa'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int n = pmu_parse_events_named(rows[i].text, &namer, specs, MAX, &err);
		char names[256] = "";

		for (int k = 0; k < n; k++) {
			size_t at = strlen(names);

			snprintf(names + at, sizeof(names) - at, "%s%s ", specs[k].name,
				 specs[k].more ? "+" : "");
			if (specs[k].attr.type == PERF_TYPE_TRACEPOINT)
				assert_memory_equal(some[specs[k].attr.config - 100], specs[k].name,
						    strlen(some[specs[k].attr.config - 100]));
		}
		if (strcmp(names, rows[i].names))
			fail_msg("%s: '%s', column %zu: %s", rows[i].text, names, err.column,
				 err.text);
	}
	for (size_t i = 0; i < sizeof(bad_rows) / sizeof(bad_rows[0]); i++) {
		int n = pmu_parse_events_named(bad_rows[i].text, &namer, specs, MAX, &err);

		if (n != -EINVAL || err.column != bad_rows[i].column ||
		    !strstr(err.text, bad_rows[i].why))
			fail_msg("%s: %d, column %zu: %s", bad_rows[i].text, n, err.column,
				 err.text);
	}
	assert_int_equal(pmu_parse_events_named("sched:*", &namer, specs, 2, &err), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_lists_and_groups),
		cmocka_unit_test(test_group_names),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_precise_and_period),
		cmocka_unit_test(test_memory_names),
		cmocka_unit_test(test_group_modifiers),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_breakpoints),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_long_name),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
