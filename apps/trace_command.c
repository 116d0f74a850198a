// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace_command.c - prints the hits of tracepoints over a workload, a line each, by their own print
 * formats. Hits are written into a ring for each CPU as raw samples. After the workload's end they
 * are printed in order of time.
 */
#include "apps/measure/evset.h"
#include "apps/measure/rings.h"
#include "arch/x86/mem/paging.h"
#include "lib/plain.h"
#include "lib/time.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/base/tracepoints.h"
#include "linux/task/task.h"

#include <stddef.h>

#define DEFAULT_EVENTS "raw_syscalls:*"
#define LINE_MAX       2048
#define READ_PAGES     16 /* more than the largest record */

/* The fields of a sample, as struct sample has them. */
#define SAMPLE_TYPE                                                                      \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time; /* ns */
	uint32_t cpu, reserved;
	uint64_t period; /* the weight of the hit; samples that have it count each hit as one */
	uint32_t size;   /* bytes of the entry after it */
	uint8_t entry[];
} __attribute__((packed));

/* Records that were read from one ring and are not printed yet. */
struct reader {
	struct rb *rb;
	size_t at, end; /* bytes of `buffer` */
	uint8_t buffer[READ_PAGES * PAGE_SIZE];
};

static struct evset set;
static struct rings rings;

static void make_trace_attrs(void)
{
	for (unsigned i = 0; i < set.n; i++) {
		struct perf_event_attr *attr = &set.entry[i].spec.attr;

		attr->sample_type = SAMPLE_TYPE;
		attr->sample_period = 1;
	}
}

/* Checks that every event is a tracepoint. */
static bool all_tracepoints(void)
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

static const char *task_name(uint32_t tid)
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
	out("%16s %5u [%03u] %5llu.%06llu: %s:%s: ", PLAIN(task_name(s->tid)), s->tid, s->cpu,
	    (unsigned long long)(us / 1000000), (unsigned long long)(us % 1000000), event->system,
	    event->name);
	print_plain(line);
	out("\n");
}

/* The next hit of one ring; NULL: there are no more. */
static const struct sample *next_hit(struct reader *r)
{
	for (;;) {
		const struct sample *s = (const void *)(r->buffer + r->at);

		if (r->at < r->end && s->header.type == PERF_RECORD_SAMPLE)
			return s;
		if (r->at < r->end) {
			r->at += s->header.size;
			continue;
		}
		r->at = 0;
		r->end = rb_read(r->rb, r->buffer, sizeof(r->buffer));
		if (!r->end)
			return NULL;
	}
}

/* The ring with the oldest hit; NULL: none has any. */
static struct reader *find_oldest_hit(struct reader *readers)
{
	struct reader *first = NULL;
	uint64_t time = 0;

	for (unsigned i = 0; i < rings.n; i++) {
		const struct sample *s = next_hit(&readers[i]);

		if (!s || (first && s->time >= time))
			continue;
		first = &readers[i];
		time = s->time;
	}
	return first;
}

static void print_all(struct reader *readers)
{
	struct reader *r;

	for (unsigned i = 0; i < rings.n; i++)
		readers[i].rb = &rings.ring[i].rb;
	while ((r = find_oldest_hit(readers))) {
		const struct sample *s = next_hit(r);

		print_hit(s);
		r->at += s->header.size;
	}
}

static void print_trace_books(uint64_t refused)
{
	struct pmu_books sum = {0};

	for (unsigned i = 0; i < set.n; i++) {
		const struct pmu_books books = evset_books(&set, i);

		sum.overflows += books.overflows;
		sum.lost += books.lost;
	}
	out("[ trace: %llu hits, %llu lost, %llu refused inside of another ]\n",
	    (unsigned long long)sum.overflows, (unsigned long long)sum.lost,
	    (unsigned long long)refused);
}

static int trace_into(const struct workload_call *call, struct reader *readers, uint64_t timeout_ns)
{
	const uint64_t refused = trace_refused_everywhere();
	struct task_outcome outcome;

	rings_connect(&rings, &set);
	evset_start(&set);
	task_run(call, timeout_ns, &outcome);
	evset_stop(&set);
	print_all(readers);
	print_trace_books(trace_refused_everywhere() - refused);
	if (outcome.end != TASK_EXITED)
		err("trace: workload '%s' ended: %s\n", call->title, outcome.why);
	return outcome.status;
}

static int open_and_trace(const struct workload_call *call, uint64_t timeout_ns)
{
	const size_t pages = (rings.n * sizeof(struct reader) + PAGE_SIZE - 1) / PAGE_SIZE;
	struct reader *readers = page_alloc(pages);
	int status = STATUS_FAILED;

	if (!readers) {
		err("trace: no memory to read %u rings\n", rings.n);
		return STATUS_FAILED;
	}
	if (evset_open(&set) == set.n)
		status = trace_into(call, readers, timeout_ns);
	else
		evset_complain(&set, "trace");
	evset_close(&set);
	page_free(readers, pages);
	return status;
}

static uint64_t power_of_two(uint64_t n)
{
	uint64_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static int run_trace(int argc, char **argv)
{
	struct option_list events = {0};
	uint64_t pages = 0, timeout_ms = 0;
	struct targets_options targets = {0};
	const struct option_target targets_of[] = {
		{OPT_EVENT, &events},
		{OPT_FILTER, &events},
		{OPT_TRACE_PAGES, &pages},
		{OPT_TIMEOUT, &timeout_ms},
		{OPT_ALL_CPUS, &targets.all_cpus},
		{OPT_CPUS, &targets.cpus},
	};
	const struct option_targets sets[] = {OPTION_TARGETS(targets_of)};
	struct rings_options wanted = {.pages = 0};
	struct workload_call call;
	int i = options_read(IMAGE_TRACE, argc, argv, sets, 1), status;

	if (i < 0 || evset_parse(&set, argv[0], &events, DEFAULT_EVENTS) || !all_tracepoints() ||
	    evset_target(&set, argv[0], &targets) ||
	    workload_parse(argv[0], argc - i, argv + i, &call))
		return STATUS_USAGE;
	make_trace_attrs();
	wanted.pages = power_of_two(pages);
	if (rings_alloc(&rings, argv[0], &set, &wanted))
		return STATUS_FAILED;
	status = open_and_trace(&call, timeout_ms * NSEC_PER_MS);
	rings_free(&rings);
	return status;
}

static const struct command trace_command = {
	.name = "trace",
	.usage = "[-e LIST [--filter EXPR]] [-m PAGES] [-a | -C CPUS] [--timeout MS] [--] WORKLOAD "
		 "[ARGS]",
	.summary = "prints each hit of tracepoints over a workload",
	.help = "LIST is of tracepoints, or patterns of them; without -e: " DEFAULT_EVENTS ".\n",
	.options = IMAGE_TRACE,
	.operands = {.kind = OPERANDS_WORKLOAD},
	.run = run_trace,
};
COMMAND(trace_command);
