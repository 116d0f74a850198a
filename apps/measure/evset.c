// SPDX-License-Identifier: BSD-2-Clause
/* evset.c - see evset.h. */
#include "apps/measure/evset.h"

#include "apps/measure/evset_kinds.h"
#include "apps/portable/statfmt.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/glob.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/driver/modelled.h"
#include "pmu/sched/explain.h"
#include "rt/firmware/firmware_counters.h"
#include "rt/print/print.h"
#include "linux/task/task.h"

#include <linux/errno.h>
#include <stddef.h>

#define NAME_MAX 96 /* of a tracepoint, with its system */

static bool find_image_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	const struct trace_event *event = trace_find(text, n);

	(void)ctx;
	if (event)
		*id = event->state->id;
	return event;
}

static bool matching_tracepoint(void *ctx, const char *text, size_t n, size_t index,
				const char **name, uint64_t *id)
{
	static char full[NAME_MAX];
	const struct trace_event *event = NULL;

	(void)ctx;
	while ((event = trace_after(event))) {
		int length = fmt_print(full, sizeof(full), "%s:%s", event->system, event->name);

		if (!glob_match(full, (size_t)length, text, n) || index--)
			continue;
		*name = full;
		*id = event->state->id;
		return true;
	}
	return false;
}

static int parse_event_list(struct evset *set, const char *command, const char *list)
{
	static struct pmu_event_spec specs[EVSET_MAX];
	const struct pmu_namer namer = {
		.uarch = uarch_by_name(pmu_info()->uarch),
		.tracepoint = find_image_tracepoint,
		.matching = matching_tracepoint,
	};
	struct pmu_parse_error error;
	char about[PMU_EXCERPT_MAX];
	int n = pmu_parse_events_named(list, &namer, specs, EVSET_MAX - set->n, &error);

	if (n < 0) {
		pmu_list_excerpt(about, list, error.column);
		err("%s: -e %s: column %zu: %s\n", command, about, error.column, error.text);
		return -EINVAL;
	}
	n = evset_kinds_split(specs, (unsigned)n, EVSET_MAX - set->n);
	if (n < 0) {
		pmu_list_excerpt(about, list, 0);
		err("%s: -e %s: one of each for both kinds of cores are more than %d events\n",
		    command, about, EVSET_MAX);
		return -EINVAL;
	}
	for (int i = 0; i < n; i++) {
		/* Groups are numbered within their list. */
		if (specs[i].group != PMU_NO_GROUP)
			specs[i].group += (int)set->n;
		set->entry[set->n + (unsigned)i] = (struct evset_entry){.spec = specs[i]};
	}
	set->n += (unsigned)n;
	return 0;
}

static int parse_filter(struct evset_entry *e, const char *command, const char *text)
{
	struct reason why;
	int bad = pmu_filter_event(&e->filter, &e->spec, trace_by_id(e->spec.attr.config), text,
				   &why);

	if (bad)
		err("%s: %s\n", command, why.text);
	return bad;
}

int evset_add(struct evset *set, const char *command, const char *list)
{
	return parse_event_list(set, command, list);
}

void evset_rings_of(struct evset *set, bool user, bool kernel)
{
	for (unsigned i = 0; i < set->n; i++) {
		set->entry[i].spec.attr.exclude_user = !user;
		set->entry[i].spec.attr.exclude_kernel = !kernel;
	}
}

void evset_all_of(struct evset *set, bool user)
{
	evset_rings_of(set, user, !user);
}

/* Adds a filter to the last event and to those that one pattern named with it. */
static int add_filter(struct evset *set, const char *command, const char *text)
{
	unsigned i = set->n;
	bool more = i;
	int bad = 0;

	if (!i)
		err("%s: --filter %s: no event is before it\n", command, text);
	while (more && !bad) {
		bad = parse_filter(&set->entry[--i], command, text);
		more = set->entry[i].spec.more;
	}
	return set->n ? bad : -EINVAL;
}

static int take_list(struct evset *set, const char *command, enum option_id option,
		     const char *text)
{
	switch (option) {
	case OPT_FILTER:
		return add_filter(set, command, text);
	case OPT_CGROUP:
		return evset_add_cgroups(set, command, text);
	default:
		return parse_event_list(set, command, text);
	}
}

int evset_parse(struct evset *set, const char *command, const struct option_list *lists,
		const char *fallback)
{
	set->n = 0;
	set->waits = false;
	set->cgroups.n = 0;
	if (!lists->n)
		return fallback ? parse_event_list(set, command, fallback) : 0;
	for (unsigned i = 0; i < lists->n; i++)
		if (take_list(set, command, lists->option[i], lists->text[i]))
			return -EINVAL;
	return 0;
}

unsigned evset_leader(const struct evset *set, unsigned i)
{
	const struct evset_entry *e = &set->entry[i];

	for (unsigned k = 0; e->spec.group != PMU_NO_GROUP && k < i; k++)
		if (set->entry[k].spec.group == e->spec.group)
			return k;
	return i;
}

/* The event cannot be precise, or not as precise as it was asked for. */
static bool is_imprecise(int error)
{
	return error == -EOPNOTSUPP || error == -EINVAL || error == -ENOENT;
}

/* One event on its way to being open for one target. */
struct opening {
	struct pmu_event *event, *leader; /* NULL: a group of its own */
	const struct targets_event *target;
	struct evset_entry *entry;
};

/* Opens the event as precisely as possible, where that is what was asked for. */
static int open_with(const struct opening *o, struct perf_event_attr attr)
{
	struct evset_entry *e = o->entry;
	const int task = e->task_set ? (int)e->task_set : o->target->task;
	const unsigned long flags = e->task_set ? PERF_FLAG_PID_CGROUP : 0;
	int error;

	e->why.text[0] = '\0';
	do
		error = pmu_event_open(o->event, &attr, task, o->target->cpu, o->leader, flags,
				       &e->why);
	while (e->spec.most_precise && attr.precise_ip && is_imprecise(error) && attr.precise_ip--);
	return error;
}

static int open_entry_for(const struct opening *o, bool by_workload)
{
	const struct evset_entry *e = o->entry;
	struct perf_event_attr attr = e->spec.attr;
	int error;

	attr.disabled = !o->leader;
	attr.enable_on_exec = !o->leader && by_workload;
	error = open_with(o, attr);
	if (error)
		return error;
	pmu_event_set_name(o->event, e->spec.name);
	if (e->filter.event)
		pmu_event_set_filter(o->event, &e->filter, NULL);
	return 0;
}

/* Names the CPU where not all targets have the same reason. */
static void name_cpu(struct reason *why, const struct targets_event *target)
{
	size_t n = strlen(why->text);

	if (target->cpu >= 0)
		fmt_print(why->text + n, sizeof(why->text) - n, " (CPU %d)", target->cpu);
}

/* Closes the first `n` targets of the entry. */
static void close_targets(struct evset *set, unsigned i, unsigned n)
{
	while (n-- > 0)
		pmu_event_close(evset_event(set, i, n));
}

bool evset_is_at(const struct evset *set, unsigned i, unsigned t)
{
	const uint32_t type = set->entry[i].spec.attr.type;
	const uint8_t core = set->entry[i].spec.core;
	const int cpu = set->target[t].cpu;

	if (cpu >= 0 && core && smp_online((unsigned)cpu)->core_type != core)
		return false;
	for (unsigned before = 0; cpu >= 0 && before < t; before++)
		if (pmu_cpus_share(type, (unsigned)set->target[before].cpu, (unsigned)cpu))
			return false;
	return true;
}

unsigned evset_first_at(const struct evset *set, unsigned i)
{
	for (unsigned t = 0; t < set->ntargets; t++)
		if (evset_is_at(set, i, t))
			return t;
	return 0;
}

static uint8_t first_truth(const struct evset *set, unsigned i)
{
	if (stat_is_clock(&set->entry[i].spec.attr) || pmu_run_time(&set->entry[i].spec.attr))
		return pmu_time_is_hosts() ? TRUTH_HOST : TRUTH_UNTOLD;
	for (unsigned t = 0; t < set->ntargets; t++)
		if (evset_is_at(set, i, t))
			return evset_event(set, i, t)->truth;
	return TRUTH_UNTOLD;
}

static void open_entry(struct evset *set, unsigned i)
{
	const unsigned first = evset_leader(set, i);
	struct evset_entry *e = &set->entry[i];
	const bool leads = first == i || !set->entry[first].open || e->alone;
	unsigned t, n = 0;

	e->error = 0;
	for (t = 0; t < set->ntargets; t++) {
		const struct opening o = {
			.event = evset_event(set, i, t),
			.leader = leads ? NULL : evset_event(set, first, t),
			.target = &set->target[t],
			.entry = e,
		};

		if (!evset_is_at(set, i, t))
			continue;
		n++;
		e->error = open_entry_for(&o, !evset_is_for_cpu(set) && !set->waits);
		if (e->error)
			break;
	}
	if (!n)
		e->error = refuse(&e->why, ENOENT, "none of these CPUs is of that kind");
	e->open = !e->error;
	if (e->open) {
		e->truth = first_truth(set, i);
		return;
	}
	if (t && t < set->ntargets)
		name_cpu(&e->why, &set->target[t]);
	close_targets(set, i, t);
}

/* Events that named no kind of cores lose the kinds that no CPU here has. */
static void drop_other_kinds(struct evset *set)
{
	unsigned n = 0;

	for (unsigned i = 0; i < set->n; i++) {
		const bool is_at = set->ntargets && evset_is_at(set, i, evset_first_at(set, i));

		if (is_at || !set->entry[i].spec.of_each)
			set->entry[n++] = set->entry[i];
	}
	set->n = n;
}

int evset_target(struct evset *set, const char *command, const struct targets_options *options)
{
	const int task = TASK_PID;
	const struct targets_machine machine = {.ncpus = smp_ncpus(), .tasks = &task, .ntasks = 1};
	struct reason why;

	if (targets_choose(&set->targets, options, &machine, &why)) {
		err("%s: %s\n", command, why.text);
		return -EINVAL;
	}
	set->ntargets = (unsigned)targets_events(&set->targets, &machine, 1, set->target,
						 TARGETS_MAX_CPUS, &set->nrings);
	drop_other_kinds(set);
	for (unsigned i = 0; i < set->n; i++)
		set->entry[i].spec.attr.inherit = set->targets.inherit;
	return 0;
}

static void for_each_group(struct evset *set, void (*fn)(struct pmu_event *e))
{
	for (unsigned t = 0; t < set->ntargets; t++)
		for (unsigned i = 0; i < set->n; i++) {
			struct pmu_event *e = evset_event(set, i, t);

			if (set->entry[i].open && evset_is_at(set, i, t) && e->leader == e)
				fn(e);
		}
}

void evset_enable(struct evset *set)
{
	for_each_group(set, pmu_event_enable);
}

void evset_start(struct evset *set)
{
	if (!set->warm)
		pmu_modelled_begin();
	if (evset_is_for_cpu(set) && !set->waits)
		evset_enable(set);
}

static void tell_lost(void)
{
	static bool told;

	if (!told)
		err("vpmu: QEMU's plugin counts no more: events are ratios or estimates from now on\n");
	told = true;
}

/* Counts may have been lost in the meantime, after which they are less true. */
static void settle_truth(struct evset *set, unsigned i)
{
	const uint8_t before = set->entry[i].truth;

	for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++) {
		struct pmu_event *e = evset_event(set, i, t);

		if (evset_is_at(set, i, t) && e->truth)
			e->truth = pmu_modelled_truth(e->config);
	}
	if (set->entry[i].open)
		set->entry[i].truth = first_truth(set, i);
	if (before && set->entry[i].truth > before)
		tell_lost();
}

/* An event that is open on several CPUs is reported for the first one. */
static void tell_borrowed(const struct evset *set, unsigned i)
{
	for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++) {
		const struct pmu_event *e = evset_event(set, i, t);
		char name[16];

		if (!evset_is_at(set, i, t) || pmu_counter_borrowed_of(e) < 0)
			continue;
		err("%s: borrowed by firmware: it took %s while this was counted there; that "
		    "counter is left out from now on\n",
		    set->entry[i].spec.name,
		    pmu_counter_name((unsigned)pmu_counter_borrowed_of(e), name));
		return;
	}
}

void evset_stop(struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++)
		settle_truth(set, i);
	if (evset_is_for_cpu(set))
		for_each_group(set, pmu_event_disable);
	for (unsigned i = 0; i < set->n; i++)
		tell_borrowed(set, i);
}

static void close_entry(struct evset *set, unsigned i)
{
	if (set->entry[i].open)
		close_targets(set, i, set->ntargets);
	set->entry[i].open = false;
}

/*
 * Closes the members of a group, which are neighbours, and returns the entry to begin again with.
 */
static unsigned dissolve_group(struct evset *set, unsigned i)
{
	unsigned first = evset_leader(set, i), n = first;

	while (n < set->n && set->entry[n].spec.group == set->entry[i].spec.group)
		set->entry[n++].alone = true;
	set->entry[i].error = 0;
	while (i-- > first) {
		close_entry(set, i);
		set->entry[i].error = 0;
	}
	return first;
}

static bool is_in_pass(const struct evset_entry *e, unsigned pass)
{
	return !e->error && (e->pass == pass || e->pass == EVSET_EACH_PASS);
}

static size_t event_table_pages(const struct evset *set)
{
	const size_t bytes = sizeof(*set->event) * set->n * set->ntargets;

	return bytes / PAGE_SIZE + 1; /* a set may be empty */
}

/* Where there is no memory for the events of that many CPUs, no event is open, and each has that
 * reason. */
static bool have_storage(struct evset *set)
{
	set->event = page_alloc(event_table_pages(set));
	for (unsigned i = 0; !set->event && i < set->n; i++) {
		struct evset_entry *e = &set->entry[i];

		e->error = -ENOMEM;
		fmt_print(e->why.text, sizeof(e->why.text),
			  "there is no memory for %u events on %u targets", set->n, set->ntargets);
	}
	return set->event;
}

unsigned evset_open_pass(struct evset *set, unsigned pass)
{
	unsigned open = 0;

	if (!have_storage(set))
		return 0;
	for (unsigned i = 0; i < set->n;) {
		struct evset_entry *e = &set->entry[i];

		if (is_in_pass(e, pass))
			open_entry(set, i);
		if (e->error == -EINVAL && e->spec.weak && !e->alone && evset_leader(set, i) != i)
			i = dissolve_group(set, i);
		else
			i++;
	}
	for (unsigned i = 0; i < set->n; i++)
		open += set->entry[i].open;
	return open;
}

unsigned evset_open(struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++) {
		struct evset_entry *e = &set->entry[i];

		e->alone = false;
		e->error = 0;
		e->pass = EVSET_EACH_PASS;
	}
	return evset_open_pass(set, 0);
}

/* Counts of the run may be too low: when a counter stopped is not known. */
static void tell_still(void)
{
	const uint64_t still = pmu_counters_recheck();
	char names[FIRMWARE_LIST];

	if (still)
		err("perf0: %s stopped counting: counts of this run may be too low. They are left "
		    "out from now on; measure again\n",
		    firmware_counters_list(still, names));
}

void evset_close(struct evset *set)
{
	/* Siblings before their leaders. */
	for (unsigned i = set->n; i-- > 0;)
		close_entry(set, i);
	if (set->event)
		page_free(set->event, event_table_pages(set));
	set->event = NULL;
	tell_still();
}

struct pmu_books evset_books(const struct evset *set, unsigned i)
{
	struct pmu_books sum = {0};

	for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++) {
		const struct pmu_books b = pmu_event_books(evset_event(set, i, t));

		sum.overflows += b.overflows;
		for (unsigned v = 0; v < PMU_VERDICTS; v++)
			sum.verdicts[v] += b.verdicts[v];
	}
	return sum;
}

/* True: every event is open. False: one line says which is not. */
static bool all_open(const struct evset *set, const char *command, const char *what)
{
	for (unsigned i = 0; i < set->n; i++) {
		const struct evset_entry *e = &set->entry[i];

		if (!e->error)
			continue;
		err("%s: %s: %s: %s\n", command, what, e->spec.name, e->why.text);
		return false;
	}
	return true;
}

static bool all_have_counters(const char *command, const char *what)
{
	struct reason why;

	if (!pmu_task_fits(task_events(), &why))
		return true;
	err("%s: %s: %s\n", command, what, why.text);
	return false;
}

bool evset_fits(const struct evset *set, const char *command, const char *what)
{
	return all_open(set, command, what) && all_have_counters(command, what);
}

bool evset_is_whole(const struct evset *set, unsigned i)
{
	const struct evset_entry *e = &set->entry[i];

	if (e->spec.group == PMU_NO_GROUP || e->alone)
		return !e->error;
	for (unsigned k = 0; k < set->n; k++)
		if (set->entry[k].spec.group == e->spec.group && set->entry[k].error)
			return false;
	return true;
}

void evset_tell_pinned(struct evset *set, const char *command)
{
	evset_open(set);
	all_have_counters(command, "not all pinned events can count at the same time");
	evset_close(set);
}

/* A group that needs counters in one pass, and is not pinned. */
static bool is_dealt(const struct pmu_event *leader)
{
	bool counters = false;

	for (const struct pmu_event *e = leader; e; e = e->next_sibling)
		counters |= pmu_event_counters(e) != 0;
	return counters && !leader->attr.pinned;
}

/* The leaders of all groups that are assigned to passes, in order. Their events have one target:
 * see evset_split(). */
static unsigned find_leaders(struct evset *set, struct pmu_event **leaders)
{
	unsigned n = 0;

	for (unsigned i = 0; i < set->n; i++) {
		struct pmu_event *e = evset_event(set, i, 0);

		if (set->entry[i].open && e->leader == e && is_dealt(e))
			leaders[n++] = e;
	}
	return n;
}

static void note_pass(struct evset *set, unsigned i, struct pmu_event *const *leaders, unsigned n,
		      const struct pmu_passes *passes)
{
	struct evset_entry *e = &set->entry[i];

	for (unsigned g = 0; g < n; g++)
		if (e->open && evset_event(set, i, 0)->leader == leaders[g])
			e->pass = passes->pass[g];
}

/* Tells which events keep `misfit` from counting beside those of each pass alone. NULL: the events
 * of each pass do not fit even alone. */
static void tell_misfit(struct evset *set, const char *command, const struct pmu_event *misfit)
{
	for (unsigned i = 0; i < set->n; i++) {
		const struct pmu_event *leader = evset_event(set, i, 0)->leader;

		if (set->entry[i].open && is_dealt(leader))
			set->entry[i].pass = leader != misfit;
	}
	evset_close(set);
	evset_open_pass(set, 0);
	all_have_counters(command,
			  misfit ? "--passes: a group has no place in any"
				 : "--passes: not all pinned events can count at the same time");
}

bool evset_split(struct evset *set, const char *command, struct pmu_passes *passes)
{
	struct pmu_event *leaders[EVSET_MAX];
	unsigned n;
	int misfit;

	evset_open(set);
	if (!all_open(set, command, "--passes: not all events can count")) {
		evset_close(set);
		return false;
	}
	n = find_leaders(set, leaders);
	misfit = pmu_task_passes(task_events(), leaders, n, passes);
	if (misfit >= 0)
		tell_misfit(set, command, misfit < (int)n ? leaders[misfit] : NULL);
	else
		for (unsigned i = 0; i < set->n; i++)
			note_pass(set, i, leaders, n, passes);
	evset_close(set);
	return misfit < 0;
}

void evset_drop_refused(struct evset *set, const char *command)
{
	const unsigned open = evset_open(set);
	unsigned n = 0;

	if (open && open < set->n && command)
		evset_complain(set, command);
	evset_close(set);
	for (unsigned i = 0; open && i < set->n; i++)
		if (!set->entry[i].error)
			set->entry[n++] = set->entry[i];
	set->n = open ? n : set->n;
}

void evset_complain(const struct evset *set, const char *command)
{
	for (unsigned i = 0; i < set->n; i++) {
		const struct evset_entry *e = &set->entry[i];
		bool told = !e->error;

		for (unsigned k = 0; k < i; k++)
			told |= set->entry[k].error && !strcmp(set->entry[k].why.text, e->why.text);
		if (!told)
			err("%s: %s: %s\n", command, e->spec.name, e->why.text);
	}
}
