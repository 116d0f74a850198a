// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace.c - the hits of tracepoints over a workload, a line each, by their own print formats. They
 * are written into a ring as raw samples; nothing is printed before the workload has ended.
 */
#include "apps/evset.h"
#include "arch/x86/paging.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rb/rb.h"
#include "rt/command.h"
#include "rt/print.h"
#include "rt/task.h"

#include <stddef.h>

#define DEFAULT_EVENTS "raw_syscalls:*"
#define DEFAULT_PAGES  1024 /* 4 MiB */
#define MAX_PAGES      16384
#define MAX_TIMEOUT    3600000 /* ms */
#define LINE_MAX       2048
#define READ_PAGES     16 /* the largest record, and more */

/* What a sample of SAMPLE_TYPE is. */
#define SAMPLE_TYPE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time; /* ns */
	uint32_t cpu, reserved;
	uint64_t period; /* the weight of the hit: with it in samples, each hit is one */
	uint32_t size;   /* bytes of the entry behind it */
	uint8_t entry[];
} __attribute__((packed));

static struct evset set;

static void make_attrs(void)
{
	for (unsigned i = 0; i < set.n; i++) {
		struct perf_event_attr *attr = &set.entry[i].spec.attr;

		attr->sample_type = SAMPLE_TYPE;
		attr->sample_period = 1;
	}
}

/* Every event is a tracepoint. */
static bool check_events(void)
{
	for (unsigned i = 0; i < set.n; i++) {
		const struct evset_entry *e = &set.entry[i];

		if (e->spec.attr.type == PERF_TYPE_TRACEPOINT)
			continue;
		err("trace: %s is no tracepoint; `list` shows those that there are\n",
		    e->spec.name);
		return false;
	}
	return true;
}

static const char *name_of(uint32_t tid)
{
	return tid ? task_comm() : "swapper";
}

static void print_hit(const struct sample *s)
{
	static char line[LINE_MAX];
	const struct trace_entry *entry = (const void *)s->entry;
	const struct trace_event *event = trace_by_id(entry->type);
	const uint64_t us = s->time / 1000;

	trace_print(event, entry, s->size, line, sizeof(line));
	out("%16s %5u [%03u] %5llu.%06llu: %s:%s: ", name_of(s->tid), s->tid, s->cpu,
	    (unsigned long long)(us / 1000000), (unsigned long long)(us % 1000000), event->system,
	    event->name);
	out_text(line, strlen(line));
	out("\n");
}

static void print_all(struct rb *rb, uint8_t *buffer)
{
	size_t n;

	while ((n = rb_read(rb, buffer, READ_PAGES * PAGE_SIZE)))
		for (size_t at = 0; at < n;) {
			const struct sample *s = (const void *)(buffer + at);

			if (s->header.type == PERF_RECORD_SAMPLE)
				print_hit(s);
			at += s->header.size;
		}
}

static void print_books(uint64_t refused)
{
	struct pmu_books sum = {0};

	for (unsigned i = 0; i < set.n; i++) {
		sum.overflows += set.entry[i].event.books.overflows;
		sum.lost += set.entry[i].event.books.lost;
	}
	out("[ trace: %llu hits, %llu lost, %llu refused inside of another ]\n",
	    (unsigned long long)sum.overflows, (unsigned long long)sum.lost,
	    (unsigned long long)refused);
}

static int trace_into(const struct workload_call *call, struct rb *rb, uint8_t *buffer,
		      uint64_t timeout_ns)
{
	const uint64_t refused = trace_refused();
	struct task_outcome outcome;

	for (unsigned i = 0; i < set.n; i++)
		pmu_event_set_output(&set.entry[i].event, rb);
	evset_start(&set);
	task_run(call, timeout_ns, &outcome);
	evset_stop(&set);
	print_all(rb, buffer);
	print_books(trace_refused() - refused);
	if (outcome.end != TASK_EXITED)
		err("trace: workload '%s' ended: %s\n", call->title, outcome.why);
	return outcome.status;
}

static int open_and_trace(const struct workload_call *call, uint64_t pages, uint64_t timeout_ns)
{
	uint8_t *memory = page_alloc(1 + pages + READ_PAGES);
	struct rb rb;
	int status = STATUS_FAILED;

	if (!memory) {
		err("trace: no memory for a ring of %llu pages; try a smaller -m\n",
		    (unsigned long long)pages);
		return STATUS_FAILED;
	}
	rb_init(&rb, memory, pages);
	if (evset_open(&set) == set.n)
		status = trace_into(call, &rb, memory + (1 + pages) * PAGE_SIZE, timeout_ns);
	else
		evset_complain(&set, "trace");
	evset_close(&set);
	page_free(memory, 1 + pages + READ_PAGES);
	return status;
}

static uint64_t power_of_two(uint64_t n)
{
	uint64_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static int run(int argc, char **argv)
{
	struct option_list events = {0};
	uint64_t pages = DEFAULT_PAGES, timeout_ms = 0;
	struct targets_options targets = {0};
	const struct option options[] = {
		{'e', EVSET_EVENT, OPTION_LIST, &events, 0, 0},
		{0, EVSET_FILTER, OPTION_LIST, &events, 0, 0},
		{'m', "mmap-pages", OPTION_NUMBER, &pages, 1, MAX_PAGES},
		{0, "timeout", OPTION_NUMBER, &timeout_ms, 1, MAX_TIMEOUT},
		{'a', "all-cpus", OPTION_FLAG, &targets.all_cpus, 0, 0},
		{'C', "cpu", OPTION_TEXT, &targets.cpus, 0, 0},
		{.name = NULL},
	};
	struct workload_call call;
	int i = options_read(argc, argv, options);

	if (i < 0 || evset_parse(&set, argv[0], &events, DEFAULT_EVENTS) || !check_events() ||
	    evset_target(&set, argv[0], &targets) ||
	    workload_parse(argv[0], argc - i, argv + i, &call))
		return STATUS_USAGE;
	make_attrs();
	return open_and_trace(&call, power_of_two(pages), timeout_ms * NSEC_PER_MS);
}

static const struct command trace_command = {
	.name = "trace",
	.usage = "[-e LIST [--filter EXPR]] [-m PAGES] [-a | -C CPUS] [--timeout MS] [--] WORKLOAD "
		 "[ARGS]",
	.summary = "prints each hit of tracepoints over a workload",
	.help = "  -e, --event LIST       tracepoints, or patterns of them (" DEFAULT_EVENTS ")\n"
		"      --filter EXPR      of the one before it, only hits for which EXPR holds:\n"
		"                         field == != < <= > >= & number, field == != ~ text,\n"
		"                         && || ! and brackets\n"
		"  -m, --mmap-pages N     ring of N pages of 4 KiB, rounded up to a power of two "
		"(1024)\n"
		"  -a, --all-cpus         whatever runs on any CPU while the workload does\n"
		"  -C, --cpu LIST         whatever runs on these CPUs meanwhile, as 0-2,4\n"
		"      --timeout MS       ends the workload after MS milliseconds\n",
	.run = run,
};
COMMAND(trace_command);
