// SPDX-License-Identifier: BSD-2-Clause
/*
 * growth.c - work of one size, for tests/bench/growth, which counts its instructions at several
 * sizes: growth KIND SIZE TIMES.
 *
 *	perf, fair  TIMES slices of SIZE groups by that policy; the shares are known before
 *	assign      TIMES assignments of SIZE events to 48 counters
 *	ring        TIMES records of 48 bytes through a ring of SIZE pages
 *	pack        TIMES samples packed; SIZE distinct addresses
 *	tasks       SIZE processes that exist at the same time, TIMES times
 *	memory      prints the bytes of an event, of a task's part of the event core, and of a
 *process
 */
#include "lib/bits.h"
#include "lib/format/pack.h"
#include "pmu/api/event.h"
#include "pmu/api/pmu_task.h"
#include "pmu/sched/assign.h"
#include "pmu/sched/tick.h"
#include "rb/rb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GROUPS     64
#define RING_PAGES 1024
#define TASKS      500 /* a machine has at most 512 */

/* --- Slices --- */

static struct pmu_tick_event events[GROUPS][4];
static struct pmu_tick_group groups[GROUPS];
static struct pmu_tick_context context;
static struct pmu_fair fair = {.at_once = true};
static struct pmu_tick tick = {.counters = 0xff,
			       .limits = PMU_UNLIMITED,
			       .assign = PMU_ASSIGN_DEFAULT,
			       .contexts = {[PMU_TICK_TASK] = &context}};

static void run_groups(unsigned n, unsigned each, unsigned times)
{
	static const uint64_t kinds[] = {0xff, 0x0f, 0x04, 0xff, 0xf0, 0xff};

	for (unsigned g = 0; g < n && g < GROUPS; g++) {
		groups[g] = (struct pmu_tick_group){.enabled = true};
		for (unsigned i = 0; i < 1 + g % each; i++) {
			events[g][i] = (struct pmu_tick_event){
				.constraint =
					pmu_constraint(each > 1 ? kinds[(g + i) % 6] : 0xff, false),
				.hardware = true,
				.enabled = true,
				.counter = PMU_NO_COUNTER};
			pmu_tick_append(&groups[g], &events[g][i]);
		}
		pmu_tick_insert(&context, &groups[g]);
	}
	while (times--) {
		pmu_tick(&tick);
		pmu_tick_next(&tick);
	}
}

static void run_perf(unsigned n, unsigned times)
{
	run_groups(n, 1, times);
}

static void run_fair(unsigned n, unsigned times)
{
	tick.fair = &fair;
	run_groups(n, 4, times);
}

static void run_assign(unsigned n, unsigned times)
{
	struct pmu_constraint wanted[PMU_COUNTERS];
	struct pmu_assign_job job = {
		.events = wanted, .n = n, .general_max = PMU_NO_LIMIT, .flags = PMU_ASSIGN_DEFAULT};
	uint8_t index[PMU_COUNTERS];

	for (unsigned i = 0; i < n && i < PMU_COUNTERS; i++)
		wanted[i] = pmu_constraint(bits_low(32) >> i % 4, false);
	while (times--)
		if (!pmu_assign_greedy(&job, index))
			abort();
}

/* --- Records --- */

static uint8_t storage[(1 + RING_PAGES) * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));

static void run_ring(unsigned pages, unsigned times)
{
	static uint8_t out[RB_PAGE_SIZE];
	static struct rb ring;
	struct rb_writer w;

	rb_init(&ring, storage, pages);
	for (unsigned i = 0; i < times; i++) {
		if (!rb_begin(&w, &ring, 16))
			abort();
		rb_put(&w, 9 | 16ull << 48);
		rb_put(&w, i);
		rb_end(&w);
		if (i % 64 == 63)
			while (rb_read(&ring, out, sizeof(out)))
				;
	}
}

static void ignore_frame(void *ctx, enum wire_type type, const void *payload, size_t n)
{
	(void)ctx;
	(void)type;
	(void)payload;
	(void)n;
}

static void run_pack(unsigned addresses, unsigned times)
{
	static struct packer packer;
	struct {
		struct perf_event_header header;
		uint64_t id, ip, tid, time, cpu, period;
	} sample = {.header = {.type = PERF_RECORD_SAMPLE, .misc = 2, .size = sizeof(sample)},
		    .id = 1,
		    .tid = 1ull << 32 | 1,
		    .period = 20011};
	uint64_t seed = 1;

	packer_init(&packer, ignore_frame, NULL);
	while (times--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		sample.ip = 0x401000 + (seed >> 33) % addresses * 4;
		sample.time += 320000 + (seed >> 40) % 1000;
		packer_add(&packer, &sample.header);
	}
	packer_flush(&packer);
}

/* --- Processes --- */

static int gate[2];
static pid_t children[TASKS];

static void begin_tasks(unsigned n)
{
	char byte;

	if (pipe(gate))
		abort();
	for (unsigned i = 0; i < n && i < TASKS; i++) {
		children[i] = fork();
		if (children[i] < 0)
			abort();
		if (children[i])
			continue;
		close(gate[1]);
		_exit(read(gate[0], &byte, 1) != 0);
	}
}

static void end_tasks(void)
{
	close(gate[1]);
	close(gate[0]);
	while (wait(NULL) > 0)
		;
}

static void run_tasks(unsigned n, unsigned times)
{
	while (times--) {
		begin_tasks(n);
		end_tasks();
	}
}

static long free_kib(void)
{
	static char text[4096];
	FILE *f = fopen("/proc/meminfo", "r");
	char *line;
	size_t n;

	if (!f)
		abort();
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	line = strstr(text, "MemFree:");
	return line ? strtol(line + 8, NULL, 10) : 0;
}

static void print_memory(unsigned n, unsigned times)
{
	long before, with;

	run_tasks(n, times);
	before = free_kib();
	begin_tasks(n);
	with = free_kib();
	end_tasks();
	printf("growth.bytes_an_event %zu\ngrowth.bytes_a_task_of_the_core %zu\n"
	       "growth.bytes_a_process %ld\n",
	       sizeof(struct pmu_event), sizeof(struct pmu_task), (before - with) * 1024 / n);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(unsigned size, unsigned times);
	} kinds[] = {{"perf", run_perf},      {"fair", run_fair}, {"assign", run_assign},
		     {"ring", run_ring},      {"pack", run_pack}, {"tasks", run_tasks},
		     {"memory", print_memory}};

	for (size_t i = 0; argc == 4 && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name)) {
			kinds[i].run((unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]));
			return 0;
		}
	fprintf(stderr, "usage: growth KIND SIZE TIMES\n");
	return 2;
}
