// SPDX-License-Identifier: BSD-2-Clause
/* gate_events.c - see gate_events.h. */
#include "tools/gate/gate_events.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/events/events.h"
#include "tools/util/memory.h"

static const struct common_event {
	const char *name;  /* name in the gate */
	const char *uarch; /* NULL: all others */
	const char *event; /* name for stat */
} common_events[] = {
	{"loads", "hsw", "mem_uops_retired.all_loads"},
	{"stores", "hsw", "mem_uops_retired.all_stores"},
	{"loads", "zen4", "ls_dispatch.ld_dispatch"},
	{"stores", "zen4", "ls_dispatch.store_dispatch"},
	{"loads", "adl", "r81d0"}, /* libpfm4 has no names for these events of Golden Cove */
	{"stores", "adl", "r82d0"},
	{"loads", NULL, "mem_inst_retired.all_loads"},
	{"stores", NULL, "mem_inst_retired.all_stores"},
	{"syscalls", NULL, "raw_syscalls:sys_enter"},
};

#define NCOMMON (sizeof(common_events) / sizeof(common_events[0]))

static bool is_of(const struct common_event *e, const char *uarch)
{
	return !e->uarch || !strcmp(e->uarch, uarch);
}

static const struct common_event *find_common(const char *name, size_t n, const char *uarch)
{
	for (size_t i = 0; i < NCOMMON; i++)
		if (strlen(common_events[i].name) == n && !memcmp(common_events[i].name, name, n) &&
		    is_of(&common_events[i], uarch))
			return &common_events[i];
	return NULL;
}

/* Adds the text behind a name: modifiers, or fields between slashes. */
static const char *add_behind(struct buf *out, const char *list)
{
	bool in_fields = false;

	for (; *list && (in_fields || !strchr(",{", *list)); list++) {
		in_fields ^= *list == '/';
		buf_add(out, list, 1);
	}
	return list;
}

void gate_events_expand(struct buf *out, const char *list, const char *uarch)
{
	while (*list) {
		const size_t n = strcspn(list, ",{}:/ ");
		const struct common_event *e = find_common(list, n, uarch);
		size_t between;

		buf_printf(out, "%.*s", e ? (int)strlen(e->event) : (int)n, e ? e->event : list);
		list = add_behind(out, list + n);
		between = strspn(list, ",{ ");
		buf_add(out, list, between);
		list += between;
	}
}

/* --- Lists that fit the counters --- */

/* Numbers of general counters that any events can use at the same time, with hyper-threading on. */
static const struct {
	const char *uarch;
	unsigned counters;
} rooms[] = {
	{"hsw", 2}, /* beside an event of its erratum HSD29 */
	{"skx", 4}, {"icl", 8}, {"adl", 8}, {"zen4", 6},
};

static unsigned room_of(const struct guest_uarch *uarch)
{
	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
		if (!strcmp(rooms[i].uarch, uarch->name))
			return rooms[i].counters;
	return 1;
}

size_t gate_events_item(const char *list)
{
	bool in_fields = false;
	int depth = 0;
	size_t n;

	for (n = 0; list[n] && (list[n] != ',' || in_fields || depth); n++) {
		in_fields ^= list[n] == '/';
		depth += (list[n] == '{') - (list[n] == '}');
	}
	return n;
}

static int parse_list(const char *list, const struct guest_uarch *uarch,
		      struct pmu_event_spec specs[EVENTS_MOST])
{
	const struct registered *image = NULL;
	struct events_machine machine = {.uarch = uarch};
	struct reason ignored;

	if (!registered_read(&image, &ignored))
		machine.image = image;
	return events_parse(list, &machine, specs, EVENTS_MOST);
}

/*
 * Returns the number of counters that the events take. Software events, tracepoints and breakpoints
 * take none. Wrong events are reported by the machine's check.
 */
static unsigned counters_of(const char *item, const struct guest_uarch *uarch, unsigned *fixed)
{
	static struct pmu_event_spec specs[EVENTS_MOST];
	const int n = parse_list(item, uarch, specs);
	unsigned counters = 0;

	for (int i = 0; i < n; i++) {
		const struct perf_event_attr *attr = &specs[i].attr;
		const bool is_fixed = !uarch->amd && attr->type == PERF_TYPE_HARDWARE &&
				      attr->config == PERF_COUNT_HW_INSTRUCTIONS;

		*fixed += is_fixed;
		counters += !is_fixed && attr->type != PERF_TYPE_SOFTWARE &&
			    attr->type != PERF_TYPE_TRACEPOINT &&
			    attr->type != PERF_TYPE_BREAKPOINT;
	}
	return counters;
}

bool gate_events_need_counters(const char *list, const struct guest_uarch *uarch)
{
	unsigned fixed = 0;

	return counters_of(list, uarch, &fixed) || fixed;
}

static void add_list(struct gate_lists *out, struct buf *list)
{
	if (!list->size)
		return;
	out->list = memory_grow(out->list, out->n, sizeof(*out->list));
	out->list[out->n++] = copy_text(buf_text(list), list->size);
	list->size = 0;
}

void gate_events_split(struct gate_lists *out, const char *list, const struct guest_uarch *uarch)
{
	const unsigned room = room_of(uarch);
	struct buf part = {0};
	unsigned taken = 0, fixed_taken = 0;

	*out = (struct gate_lists){0};
	while (*list) {
		const size_t n = gate_events_item(list);
		char *item = copy_text(list, n);
		unsigned fixed = 0;
		const unsigned counters = counters_of(item, uarch, &fixed);

		if (taken + counters > room || fixed_taken + fixed > 1) {
			add_list(out, &part);
			taken = fixed_taken = 0;
		}
		taken += counters;
		fixed_taken += fixed;
		buf_printf(&part, "%s%s", part.size ? "," : "", item);
		free(item);
		list += n + (list[n] == ',');
	}
	add_list(out, &part);
	buf_free(&part);
}

void gate_events_free(struct gate_lists *lists)
{
	for (size_t i = 0; i < lists->n; i++)
		free(lists->list[i]);
	free(lists->list);
	*lists = (struct gate_lists){0};
}

const char *gate_events_name(const char *name, const char *uarch, struct buf *scratch)
{
	for (size_t i = 0; i < NCOMMON; i++) {
		const size_t n = strlen(common_events[i].event);

		if (strncmp(name, common_events[i].event, n) || (name[n] && name[n] != ':') ||
		    !is_of(&common_events[i], uarch))
			continue;
		scratch->size = 0;
		buf_printf(scratch, "%s%s", common_events[i].name, name + n);
		return buf_text(scratch);
	}
	return name;
}

bool gate_events_has(const char *list, const struct guest_uarch *uarch, const char *name, size_t n)
{
	static struct pmu_event_spec specs[EVENTS_MOST];
	const int count = parse_list(list, uarch, specs);
	struct buf scratch = {0};
	bool found = count < 0;

	for (int i = 0; i < count && !found; i++) {
		const char *own = gate_events_name(specs[i].name, uarch->name, &scratch);

		found = strlen(own) == n && !memcmp(own, name, n);
	}
	buf_free(&scratch);
	return found;
}
