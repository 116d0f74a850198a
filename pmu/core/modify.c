// SPDX-License-Identifier: BSD-2-Clause
/* modify.c - changes the address, type or length of an open breakpoint. */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "lib/reason.h"
#include "pmu/attr/attr.h"
#include "pmu/core/control.h"
#include "pmu/state/remote.h"

#include <linux/errno.h>

static void set_breakpoint(struct perf_event_attr *attr, const struct perf_event_attr *from)
{
	attr->bp_addr = from->bp_addr;
	attr->bp_len = from->bp_len;
	attr->bp_type = from->bp_type;
	attr->disabled = from->disabled;
}

/* True where `to` differs from `from` only in members that may change. */
static bool only_breakpoint_differs(const struct perf_event_attr *from,
				    const struct perf_event_attr *to)
{
	struct perf_event_attr changed = *from;

	set_breakpoint(&changed, to);
	return !memcmp(&changed, to, sizeof(changed));
}

static int check_modified_attr(const struct pmu_event *e, const struct perf_event_attr *attr,
			       struct reason *why)
{
	if (attr->type != e->attr.type)
		return refuse(why, EINVAL, "the type of an event cannot be modified");
	if (!pmu_kind_of(attr->type)->check_modified)
		return refuse(why, EOPNOTSUPP, "only breakpoints can be modified");
	if (!only_breakpoint_differs(&e->attr, attr))
		return refuse(why, EINVAL,
			      "nothing of a breakpoint can be modified but its address, type "
			      "and length");
	return pmu_kind_of(attr->type)->check_modified(attr, why);
}

struct modification {
	struct pmu_event *e;
	const struct perf_event_attr *to;
};

/* Runs where the context is active. */
static void modify_in_context(void *arg)
{
	const struct modification *m = arg;

	set_breakpoint(&m->e->attr, m->to);
}

/* Disables the events meanwhile: the debug register changes between a stop and a start. */
static void modify_family(struct pmu_event *e, const struct perf_event_attr *to)
{
	struct modification m = {e, to};

	pmu_disable_within(e);
	pmu_in_context(e->context, modify_in_context, &m);
	for (m.e = e->family.children; m.e; m.e = m.e->family.next_child)
		pmu_in_context(m.e->context, modify_in_context, &m);
	if (!to->disabled)
		pmu_enable_within(e);
}

int pmu_event_modify_attributes(struct pmu_event *e, const struct perf_event_attr *attr,
				struct reason *why)
{
	struct perf_event_attr to;
	int err = pmu_copy_attr(&to, attr, why);

	if (err)
		return err;
	pmu_operation_begin();
	err = check_modified_attr(e, &to, why);
	if (!err)
		modify_family(e, &to);
	pmu_operation_end();
	return err;
}
