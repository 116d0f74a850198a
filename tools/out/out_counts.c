// SPDX-License-Identifier: BSD-2-Clause
/*
 * out_counts.c - prints counts for programs: the columns of `perf stat -x,` and the objects of
 * `perf stat -j`. Counts are scaled to the time for which they were enabled. The stream has no
 * derived figures, so their columns are empty. With several CPUs, each count names its CPU, as with
 * perf's -A.
 */
#include "tools/out/out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/perf0/truth.h"
#include "tools/util/plainbuf.h"

#define NSEC_PER_MSEC UINT64_C(1000000)

/* A value as perf stat prints it. */
struct cell {
	char value[40];
	const char *unit;
};

/* Recognises the clocks, with or without modifiers. */
static bool is_clock_name(const char *name)
{
	static const char *const clocks[] = {"task-clock", "cpu-clock"};

	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(clocks[i]);

		if (!strncmp(name, clocks[i], n) && (!name[n] || name[n] == ':'))
			return true;
	}
	return false;
}

/*
 * Formats a value with perf's number of decimals. A count has none in CSV and 6 in JSON,
 * milliseconds have 2 and 6.
 */
static struct cell cell_of(const struct stream_count *count, bool json)
{
	bool clock = is_clock_name(count->name);
	struct cell cell = {.unit = clock ? "msec" : ""};
	uint64_t value;

	if (count->count.error || !count->count.time_running) {
		snprintf(cell.value, sizeof(cell.value), "<not %s>",
			 count->count.error ? "supported" : "counted");
		return cell;
	}
	value = stream_scaled_count(&count->count);
	if (!clock)
		snprintf(cell.value, sizeof(cell.value), "%" PRIu64 "%s", value,
			 json ? ".000000" : "");
	else if (json)
		snprintf(cell.value, sizeof(cell.value), "%" PRIu64 ".%06" PRIu64,
			 value / NSEC_PER_MSEC, value % NSEC_PER_MSEC);
	else
		snprintf(cell.value, sizeof(cell.value), "%.2f", (double)value / NSEC_PER_MSEC);
	return cell;
}

static double percent_counted(const struct wire_count *c)
{
	return c->time_enabled ? 100.0 * (double)c->time_running / (double)c->time_enabled : 100.0;
}

static bool has_cpu_counts(const struct stream_command *command)
{
	for (size_t i = 0; i < command->ncounts; i++)
		if (command->counts[i].count.cpu)
			return true;
	return false;
}

int out_csv(struct buf *out, const struct out_source *source, struct reason *why)
{
	const struct stream_command *command = source->command;
	const bool with_cpus = has_cpu_counts(command);
	const char *x = source->separator;

	(void)why;
	for (size_t i = 0; i < command->ncounts; i++) {
		const struct stream_count *count = &command->counts[i];
		const struct cell cell = cell_of(count, false);

		if (with_cpus)
			buf_printf(out, "CPU%" PRIu32 "%s", count->count.cpu, x);
		buf_printf(out, "%s%s%s%s", cell.value, x, cell.unit, x);
		plain_add_csv(out, count->name, x);
		if (count->cgroup) {
			buf_printf(out, "%s", x);
			plain_add_csv(out, count->cgroup, x);
		}
		buf_printf(out, "%s%" PRIu64 "%s%.2f%s%s\n", x, count->count.time_running, x,
			   percent_counted(&count->count), x, x);
	}
	return 0;
}

/* Adds a figure of the noise line as `stat -j` prints it, except `quiet`. */
static void add_figure(struct buf *out, const char *figure, size_t n)
{
	const size_t key = strcspn(figure, "=");
	char *name = copy_text(figure, key), *value = copy_text(figure + key + 1, n - key - 1);

	plain_add_json(out, name);
	buf_printf(out, " : ");
	if (!strcmp(name, "quiet"))
		buf_printf(out, "%s", strcmp(value, "yes") ? "false" : "true");
	else
		plain_add(out, value, strlen(value));
	free(name);
	free(value);
}

/* Adds each of "; reason; reason". */
static void add_reasons(struct buf *out, const char *at)
{
	buf_printf(out, ", \"disturbed_by\" : [");
	for (const char *comma = ""; at; comma = ", ") {
		const char *next = strstr(at + 2, "; ");
		char *reason = copy_text(at + 2, next ? (size_t)(next - at - 2) : strlen(at + 2));

		buf_printf(out, "%s", comma);
		plain_add_json(out, reason);
		free(reason);
		at = next;
	}
	buf_printf(out, "]");
}

/* Adds the line "noise: VERDICT; key=value key=value; reason; reason" as `stat -j` prints it. */
static void add_noise(struct buf *out, const struct stream_command *command)
{
	const char *at = strstr(command->noise, "; ");
	const char *reasons = at ? strstr(at + 2, "; ") : NULL;
	const char *stop = reasons ? reasons : command->noise + strlen(command->noise);

	buf_printf(out, "{\"noise\" : {\"verdict\" : \"%s\"",
		   command->noise_flags & WIRE_NOISE_PASS ? "PASS" : "DISTURBED");
	for (at = at ? at + 2 : stop; at < stop;) {
		const size_t n = strcspn(at, " ;");

		if (memchr(at, '=', n)) {
			buf_printf(out, ", ");
			add_figure(out, at, n);
		}
		at += n + (at[n] == ' ');
	}
	add_reasons(out, reasons);
	buf_printf(out, "}}\n");
}

int out_json(struct buf *out, const struct out_source *source, struct reason *why)
{
	const struct stream_command *command = source->command;
	const bool with_cpus = has_cpu_counts(command);

	(void)why;
	for (size_t i = 0; i < command->ncounts; i++) {
		const struct stream_count *count = &command->counts[i];
		const struct cell cell = cell_of(count, true);

		buf_printf(out, "{");
		if (with_cpus)
			buf_printf(out, "\"cpu\" : \"%" PRIu32 "\", ", count->count.cpu);
		buf_printf(out, "\"counter-value\" : \"%s\", \"unit\" : \"%s\", \"event\" : ",
			   cell.value, cell.unit);
		plain_add_json(out, count->name);
		if (count->cgroup) {
			buf_printf(out, ", \"cgroup\" : ");
			plain_add_json(out, count->cgroup);
		}
		buf_printf(out,
			   ", \"event-runtime\" : %" PRIu64 ", \"pcnt-running\" : %.2f, "
			   "\"metric-value\" : 0.000000, \"metric-unit\" : \"\"",
			   count->count.time_running, percent_counted(&count->count));
		if (*truth_name(count->count.truth))
			buf_printf(out, ", \"truth\" : \"%s\"", truth_name(count->count.truth));
		buf_printf(out, "}\n");
	}
	if (command->noise)
		add_noise(out, command);
	return 0;
}
