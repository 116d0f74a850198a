// SPDX-License-Identifier: BSD-2-Clause
/* record_fields.c - see record_fields.h. The options follow perf-record(1). */
#include "apps/measure/record_fields.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/sampled.h"
#include "pmu/uarch/uarch.h"
#include "rt/print/print.h"

#include <linux/errno.h>
#include <stddef.h>

static struct {
	bool callchain, data, physical, data_page, code_page, weight, raw;
	bool time, period, cpu;
	bool switches, stat, no_inherit;
	bool any_branch;
	const char *clock;                 /* of -k; NULL: not given */
	const char *branches;              /* of -j; NULL: not given */
	const char *how;                   /* of --call-graph; NULL: not given */
	const char *interrupted, *of_user; /* registers; "" all, NULL: none */
	uint64_t frames;                   /* 0: as many as there can be */

	/* fields_settle() computes these from the options above. */
	uint64_t interrupted_mask, user_mask;
	uint64_t branch_mask; /* 0: none */
	bool calls;           /* by the CPU's records */
	int clockid;
	uint32_t stack; /* bytes; 0: none */
} want;

static const struct option_target targets[] = {
	{OPT_CALL_CHAINS, &want.callchain},    {OPT_CALL_GRAPH, &want.how},
	{OPT_MAX_STACK, &want.frames},         {OPT_BRANCH_ANY, &want.any_branch},
	{OPT_BRANCH_FILTER, &want.branches},   {OPT_DATA, &want.data},
	{OPT_PHYS_DATA, &want.physical},       {OPT_DATA_PAGE_SIZE, &want.data_page},
	{OPT_CODE_PAGE_SIZE, &want.code_page}, {OPT_WEIGHT, &want.weight},
	{OPT_RAW_SAMPLES, &want.raw},          {OPT_INTR_REGS, &want.interrupted},
	{OPT_USER_REGS, &want.of_user},        {OPT_CLOCKID, &want.clock},
	{OPT_TIMESTAMP, &want.time},           {OPT_PERIOD, &want.period},
	{OPT_SAMPLE_CPU, &want.cpu},           {OPT_SWITCH_EVENTS, &want.switches},
	{OPT_READ_STAT, &want.stat},           {OPT_NO_INHERIT, &want.no_inherit},
};
const struct option_targets fields_targets = {targets, sizeof(targets) / sizeof(targets[0])};

void fields_reset(void)
{
	memset(&want, 0, sizeof(want));
}

/* The branch fields that perf asks for when the CPU records the chain of callers. */
#define CALLS                                                                                    \
	(PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK | PERF_SAMPLE_BRANCH_NO_FLAGS | \
	 PERF_SAMPLE_BRANCH_NO_CYCLES | PERF_SAMPLE_BRANCH_HW_INDEX)

static void settle_branches(void)
{
	if (want.any_branch)
		want.branch_mask = PERF_SAMPLE_BRANCH_ANY;
	else if (want.branches)
		branch_filter_read(want.branches, &want.branch_mask, NULL);
	else if (want.calls)
		want.branch_mask = CALLS;
}

int fields_settle(const char *command)
{
	struct call_graph graph;

	if (want.how && !call_graph_read(want.how, &graph, NULL)) {
		want.callchain |= graph.frames || graph.calls;
		want.stack = graph.stack;
		want.calls = graph.calls;
	}
	if (want.clock)
		clock_read(want.clock, &want.clockid, NULL);
	if (want.interrupted)
		registers_read(want.interrupted, &want.interrupted_mask, NULL);
	if (want.of_user)
		registers_read(want.of_user, &want.user_mask, NULL);
	if (want.calls && (want.any_branch || want.branches)) {
		err("%s: --call-graph lbr and %s exclude each other: the CPU records calls, or other "
		    "branches\n",
		    command, want.any_branch ? "-b" : "-j");
		return -EINVAL;
	}
	settle_branches();
	return 0;
}

static uint64_t sample_type(void)
{
	const struct {
		bool wanted;
		uint64_t fields;
	} rows[] = {
		{want.callchain || want.stack, PERF_SAMPLE_CALLCHAIN},
		{want.stack, PERF_SAMPLE_STACK_USER},
		{want.stack || want.user_mask, PERF_SAMPLE_REGS_USER},
		{want.interrupted_mask, PERF_SAMPLE_REGS_INTR},
		{want.branch_mask, PERF_SAMPLE_BRANCH_STACK},
		{want.data, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC},
		{want.physical, PERF_SAMPLE_PHYS_ADDR},
		{want.data_page, PERF_SAMPLE_DATA_PAGE_SIZE},
		{want.code_page, PERF_SAMPLE_CODE_PAGE_SIZE},
		{want.weight, PERF_SAMPLE_WEIGHT_STRUCT},
		{want.raw, PERF_SAMPLE_RAW},
		{want.time, PERF_SAMPLE_TIME},
		{want.period, PERF_SAMPLE_PERIOD},
		{want.cpu, PERF_SAMPLE_CPU},
	};
	uint64_t type = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		type |= rows[i].wanted ? rows[i].fields : 0;
	return type;
}

static void apply_chosen_fields(struct evset_entry *e)
{
	struct perf_event_attr *attr = &e->spec.attr;

	attr->sample_type |= sample_type();
	if (want.frames)
		attr->sample_max_stack = (uint16_t)want.frames;
	attr->branch_sample_type = want.branch_mask;
	attr->sample_regs_intr = want.interrupted_mask;
	attr->sample_regs_user = want.user_mask;
	if (want.stack) {
		attr->sample_regs_user = registers_all();
		attr->sample_stack_user = want.stack;
		attr->exclude_callchain_user = 1;
	}
	if (want.stat) {
		attr->inherit_stat = 1;
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	}
	if (want.clock) {
		attr->use_clockid = 1;
		attr->clockid = want.clockid;
	}
	attr->inherit &= !want.no_inherit && !(attr->sample_type & PERF_SAMPLE_READ);
}

static bool reads_counts(const struct evset_entry *e)
{
	return e->spec.attr.sample_type & PERF_SAMPLE_READ;
}

static bool is_metric(const struct evset_entry *e)
{
	const struct perf_event_attr *attr = &e->spec.attr;

	return attr->type == PERF_TYPE_RAW && uarch_is_metric(attr->config, UARCH_METRICS_MOST);
}

/* Returns the event whose samples have the counts of the group. This is the leader, but for groups
 * of top-down metrics: neither these nor their leader (slots) can sample. Such a group takes its
 * first event that is neither, if there is one. */
static unsigned sampler_of(const struct evset *set, unsigned leader)
{
	unsigned other = leader;
	bool metrics = false;

	for (unsigned i = leader + 1; i < set->n && evset_leader(set, i) == leader; i++) {
		metrics |= is_metric(&set->entry[i]);
		if (other == leader && !is_metric(&set->entry[i]))
			other = i;
	}
	return metrics ? other : leader;
}

/* Modifier S: one event's samples have the counts of its whole group, so the others' need none. */
static void read_with(struct evset_entry *e, const struct evset_entry *sampler)
{
	struct perf_event_attr *attr = &e->spec.attr;

	attr->read_format |= PERF_FORMAT_GROUP;
	if (e == sampler)
		return;
	attr->freq = 0;
	attr->sample_period = 0;
	attr->sample_type = sampler->spec.attr.sample_type;
}

/* perf expects each count in a sample with the id of its event, in the same way from all events. */
static void apply_reads(struct evset *set)
{
	bool any = false;

	for (unsigned i = 0; i < set->n; i++)
		any |= reads_counts(&set->entry[i]);
	for (unsigned i = 0; any && i < set->n; i++) {
		const unsigned leader = evset_leader(set, i);

		set->entry[i].spec.attr.read_format |= PERF_FORMAT_ID;
		if (reads_counts(&set->entry[leader]))
			read_with(&set->entry[i], &set->entry[sampler_of(set, leader)]);
	}
}

/* Fields that are 0 if an event cannot provide them. PERF_SAMPLE_DATA_SRC is not among them: its
 * value says itself that it is not available. */
static const struct {
	uint64_t field;
	const char *name;
} zeros[] = {
	{PERF_SAMPLE_ADDR, "data address"},
	{PERF_SAMPLE_PHYS_ADDR, "physical address"},
	{PERF_SAMPLE_DATA_PAGE_SIZE, "data page size"},
	{PERF_SAMPLE_WEIGHT_TYPE, "weight"},
	{PERF_SAMPLE_RAW, "raw data"},
};

void fields_tell_zeros(const char *command, const struct pmu_event *e, const char *name)
{
	const uint64_t missing = pmu_event_missing(e);
	char list[96] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++)
		if (missing & zeros[i].field)
			n += (size_t)fmt_print(list + n, sizeof(list) - n, "%s%s", n ? ", " : "",
					       zeros[i].name);
	if (n)
		err("%s: %s cannot give this: %s; the zeros in its place are not measured\n",
		    command, name, list);
}

void fields_side_band(struct perf_event_attr *attr)
{
	attr->context_switch = want.switches;
	attr->mmap_data = want.data;
}

void fields_apply(struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++)
		apply_chosen_fields(&set->entry[i]);
	apply_reads(set);
}
