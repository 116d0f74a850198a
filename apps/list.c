// SPDX-License-Identifier: BSD-2-Clause
/* list.c - prints the names of the events that this machine can count, with the PMU's counters for
 * them, and the metrics that are made of them. */
#include "apps/measure/metric_files.h"
#include "apps/measure/command_options.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/trace.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/kinds.h"
#include "pmu/names/listwords.h"
#include "pmu/names/parse.h"
#include "pmu/api/pmu.h"
#include "rt/console/command.h"
#include "rt/print/print.h"
#include "rt/base/machine.h"
#include "linux/perf/perf.h"
#include "linux/task/task.h"

#include <stdbool.h>

static const char *kind_of_type(uint32_t type)
{
	switch (type) {
	case PERF_TYPE_HARDWARE:
		return "Hardware event";
	case PERF_TYPE_SOFTWARE:
		return "Software event";
	default:
		return "Hardware cache event";
	}
}

static bool contains_text(const char *text, const char *part)
{
	return !part || (text && strstr(text, part));
}

/* An event is supported if it can be opened for a task or for this CPU, as with perf list. */
static bool is_supported(uint32_t type, uint64_t config, uint64_t period)
{
	const struct perf_event_attr attr = {
		.type = type,
		.config = config,
		.sample_period = period,
		.size = sizeof(attr),
		.disabled = 1,
	};

	return perf_can_open(&attr, TASK_PID, -1) ||
	       perf_can_open(&attr, -1, (int)task_current()->cpu);
}

static unsigned listed; /* lines so far */
static unsigned wanted; /* kinds of events, LIST_... */

static unsigned list_kind_of_type(uint32_t type)
{
	switch (type) {
	case PERF_TYPE_HARDWARE:
		return LIST_HARDWARE;
	case PERF_TYPE_SOFTWARE:
		return LIST_SOFTWARE;
	default:
		return LIST_CACHE;
	}
}

static void list_line(const char *name, const char *what)
{
	out("  %-50s [%s]\n", name, what);
	listed++;
}

static void list_event_names(const char *part)
{
	const struct pmu_event_name *e;

	for (size_t i = 0; (e = pmu_event_names(i)); i++) {
		char names[96];

		if (!contains_text(e->name, part) && !(e->alias && contains_text(e->alias, part)))
			continue;
		if (!(wanted & list_kind_of_type(e->type)) || !is_supported(e->type, e->config, 0))
			continue;
		fmt_print(names, sizeof(names), "%s%s%s", e->name, e->alias ? " OR " : "",
			  e->alias ? e->alias : "");
		list_line(names, kind_of_type(e->type));
	}
}

/* Lists the names that a hybrid CPU has for one kind of cores. */
static void list_names_of(const char *pmu, uint8_t core, const char *part)
{
	const struct pmu_event_name *e;

	for (size_t i = 0; (e = pmu_event_names(i)); i++) {
		struct perf_event_attr attr = {.type = e->type, .config = e->config};
		char name[96];

		fmt_print(name, sizeof(name), "%s/%s/", pmu, e->name);
		if (!kinds_is_generic(&attr) || !contains_text(name, part))
			continue;
		kinds_set(&attr, core);
		if (is_supported(attr.type, attr.config, 0))
			list_line(name, "Kernel PMU event");
	}
}

static void list_kinds(const char *part)
{
	if (!machine_caps()->hybrid)
		return;
	list_names_of("cpu_core", UARCH_CORE, part);
	list_names_of("cpu_atom", UARCH_ATOM, part);
}

static void list_memory(const char *part)
{
	const struct uarch *uarch = uarch_by_name(pmu_info()->uarch);
	const struct uarch_named *m;

	for (size_t i = 0; uarch && (m = uarch_named_event(uarch, i)); i++) {
		char names[64];

		if (!contains_text(m->name, part) || !is_supported(PERF_TYPE_RAW, m->select, 0))
			continue;
		fmt_print(names, sizeof(names), "%s OR cpu/%s/", m->name, m->name);
		list_line(names, "Kernel PMU event");
	}
}

static void list_tracepoints(const char *part)
{
	const struct trace_event *e = NULL;

	while ((e = trace_after(e))) {
		char name[96];

		fmt_print(name, sizeof(name), "%s:%s", e->system, e->name);
		if (contains_text(name, part))
			list_line(name, "Tracepoint event");
	}
}

#define ANY_PERIOD (1 << 20)

static void list_events_of(const struct dynamic_pmu *p, const char *part)
{
	for (const struct dynamic_event *e = p->events; e && e->name; e++) {
		char name[64];

		fmt_print(name, sizeof(name), "%s/%s/", p->name, e->name);
		if (contains_text(name, part) && is_supported(p->type, p->config | e->config, 0))
			list_line(name, p->what);
	}
}

/* Lists PMUs with types of their own; some of them do nothing but sample. */
static void list_dynamic(const char *part)
{
	const struct dynamic_pmu *p;

	for (size_t i = 0; (p = dynamic_pmu(i)); i++) {
		char name[64];

		list_events_of(p, part);
		if (p->events)
			continue;
		fmt_print(name, sizeof(name), "%s//", p->name);
		if (contains_text(name, part) && (is_supported(p->type, p->config, 0) ||
						  is_supported(p->type, p->config, ANY_PERIOD)))
			list_line(name, p->what);
	}
}

static void list_times(const char *part)
{
	for (unsigned time = PMU_RUN_ELAPSED; time < PMU_RUN_TIMES; time++)
		if (contains_text(pmu_run_time_name(time), part))
			list_line(pmu_run_time_name(time), "Tool event");
}

static void list_metric(const struct metrics_row *row)
{
	char name[METRICS_NAME_MAX + 1];

	fmt_print(name, sizeof(name), "%.*s", (int)row->name.n, row->name.at);
	out("  %-32s %.*s\n", name, (int)row->about.n, row->about.at);
}

static void list_metrics_of(const struct metrics *m, uint8_t group)
{
	bool any = false;

	for (unsigned i = 0; i < m->nrows; i++) {
		if (m->row[i].group != group || m->row[i].is_helper)
			continue;
		if (!any && group != METRICS_NO_GROUP)
			out("\n%.*s: %.*s\n", (int)m->group[group].name.n, m->group[group].name.at,
			    (int)m->group[group].about.n, m->group[group].about.at);
		any = true;
		list_metric(&m->row[i]);
	}
}

static int list_metrics(const char *command)
{
	const struct metrics *m = metrics_known(command);

	if (!m)
		return STATUS_FAILED;
	for (unsigned g = 0; g < m->ngroups; g++)
		list_metrics_of(m, (uint8_t)g);
	list_metrics_of(m, METRICS_NO_GROUP);
	return 0;
}

/* Lists the metrics with `part` in their name. */
static void list_metrics_with(const char *command, const char *part)
{
	const struct metrics *m = metrics_known(command);

	for (unsigned i = 0; m && i < m->nrows; i++) {
		char name[METRICS_NAME_MAX + 1];

		fmt_print(name, sizeof(name), "%.*s", (int)m->row[i].name.n, m->row[i].name.at);
		if (m->row[i].is_helper || !strstr(name, part))
			continue;
		list_metric(&m->row[i]);
		listed++;
	}
}

/* Events of the kinds `wanted` with `part` in their name (NULL: all). */
static void list_events(const char *part)
{
	if (wanted & (LIST_HARDWARE | LIST_SOFTWARE | LIST_CACHE))
		list_event_names(part);
	if (wanted & LIST_TIMES)
		list_times(part);
	if (wanted & LIST_PMU) {
		list_kinds(part);
		if (!pmu_problem())
			list_memory(part);
		list_dynamic(part);
	}
	if (wanted & LIST_TRACEPOINT)
		list_tracepoints(part);
	if (wanted & LIST_RAW && !part && !pmu_problem()) {
		list_line("rNNN", "Raw event");
		list_line("cpu/event=N,umask=N,cmask=N,inv,edge,name=X/", "Raw event");
	}
}

static void list_heading(void)
{
	const struct pmu_info *info = pmu_info();
	const char *problem = pmu_problem();

	if (problem)
		out("No hardware events: %s\n\n", problem);
	else
		out("%s (%s), counters 0x%llx of %u bits%s%s\n\n", info->driver, info->uarch,
		    (unsigned long long)info->counters, info->width, *info->note ? "; " : "",
		    info->note);
}

static int run_list(int argc, char **argv)
{
	const int i = options_read(IMAGE_LIST, argc, argv, NULL, 0);
	const char *part = i >= 0 && i < argc ? argv[i] : NULL;

	if (i < 0)
		return STATUS_USAGE;
	wanted = part ? list_kind_of(part) : LIST_ALL;
	if (wanted == LIST_METRICS)
		return list_metrics(argv[0]);
	if (wanted)
		part = NULL;
	else
		wanted = LIST_ALL;
	list_heading();
	listed = 0;
	list_events(part);
	if (part)
		list_metrics_with(argv[0], part);
	if (listed)
		return 0;
	err("%s: no event that counts here has '%s' in its name\n", argv[0], argv[i]);
	return STATUS_USAGE;
}

static const struct command list = {
	.name = "list",
	.usage = "[PART | hw | sw | cache | pmu | tracepoint | raw | metrics]",
	.summary =
		"the events that this machine counts, those of a kind or with PART in their name; metrics for stat -M",
	.options = IMAGE_LIST,
	.operands = {.kind = OPERANDS_TEXT},
	.run = run_list,
};
COMMAND(list);
