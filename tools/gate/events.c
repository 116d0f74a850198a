// SPDX-License-Identifier: BSD-2-Clause
/* events.c - see events.h. */
#include "tools/gate/events.h"

#include <stdbool.h>
#include <string.h>

static const struct common_event {
	const char *name;  /* the gate's */
	const char *uarch; /* NULL: any other */
	const char *event; /* stat's */
} common_events[] = {
	{"loads", "hsw", "mem_uops_retired.all_loads"},
	{"stores", "hsw", "mem_uops_retired.all_stores"},
	{"loads", "zen4", "ls_dispatch.ld_dispatch"},
	{"stores", "zen4", "ls_dispatch.store_dispatch"},
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

/* What stands behind a name: modifiers, or fields between slashes. */
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
