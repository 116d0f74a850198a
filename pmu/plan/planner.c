// SPDX-License-Identifier: BSD-2-Clause
/*
 * planner.c - converts requests to jobs of pmu_plan(); see planner.h. planner_print.c writes the
 * results.
 */
#include "pmu/plan/planner.h"

#include "arch/x86/msr.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/sched/debugregs.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/kinds.h"
#include "pmu/sched/explain.h"
#include "pmu/sched/needs.h"
#include "lib/reason.h"

#include <linux/errno.h>

/* --- Counters of an event --- */

static const struct planner_fact *find_fact(const struct planner_facts *facts, uint64_t select)
{
	for (size_t i = 0; facts && i < facts->n; i++)
		if (facts->rows[i].select == select)
			return &facts->rows[i];
	return NULL;
}

uint64_t planner_counters(const struct uarch *uarch, bool ht, uint32_t kernel, uint64_t select,
			  const struct planner_facts *facts)
{
	const struct uarch_constraint *row = uarch_constraint(uarch, select, kernel);
	const struct planner_fact *fact = find_fact(facts, select);
	uint64_t counters = row ? row->counters : UARCH_GENERAL;

	return (fact ? fact->counters[ht] : counters) & uarch_machine_counters(uarch, ht);
}

/* The event select of a generic event; 0: this CPU has none. */
static uint64_t plain_select(const struct uarch *uarch, const struct perf_event_attr *attr)
{
	uint64_t c = attr->config;

	switch (attr->type) {
	case PERF_TYPE_HARDWARE:
		return uarch_generic(uarch, c);
	case PERF_TYPE_HW_CACHE:
		return uarch_cache(uarch, c & 0xff, c >> 8 & 0xff, c >> 16 & 0xff);
	default:
		return uarch_raw_select(uarch, c);
	}
}

/* A precise event may be encoded differently. The encodings of old Linux kernels are not known. */
static uint64_t select_of(const struct planner *p, const struct perf_event_attr *attr)
{
	uint64_t select = plain_select(p->uarch, attr), precise = select;

	if (attr->precise_ip && p->kernel == UARCH_NOW && uarch_precise(p->uarch, &precise))
		return precise;
	return select;
}

static bool is_generic(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_HARDWARE || attr->type == PERF_TYPE_HW_CACHE;
}

/* The flags of the tables: UARCH_OVERLAP... */
static uint8_t table_flags(const struct planner *p, const struct planner_request *r,
			   const struct perf_event_attr *attr)
{
	uint64_t select = select_of(p, attr);
	const struct planner_fact *fact = find_fact(r->facts, select);
	const struct uarch_constraint *row = uarch_constraint(p->uarch, select, p->kernel);

	if (fact)
		return fact->flags;
	return row ? row->flags : 0;
}

/* Linux does not enforce these flags. */
static bool has_flag(const struct planner *p, const struct planner_request *r,
		     const struct perf_event_attr *attr, uint8_t flag)
{
	return p->kernel == UARCH_NOW && table_flags(p, r, attr) & flag;
}

/* By the tables, where they list precise events; an event of a file may be precise. */
static bool can_be_precise(const struct planner *p, const struct planner_request *r,
			   uint64_t select)
{
	return p->kernel != UARCH_NOW || !UARCH_WITH(p->uarch, precise)->precise ||
	       find_fact(r->facts, select) || uarch_precise(p->uarch, &select);
}

/* The counters of a hardware event; 0 with the reason. */
static uint64_t find_usable_counters(const struct planner *p, const struct planner_request *r,
				     const struct pmu_event_spec *spec, struct reason *why)
{
	const struct perf_event_attr *attr = &spec->attr;
	const char *uarch = p->uarch->name;
	uint64_t select = select_of(p, attr), counters, precise;
	const struct uarch_erratum *forbidden =
		uarch_erratum(p->uarch, UARCH_FORBIDDEN, select, p->kernel);

	if (is_generic(attr) && !select) {
		refuse(why, ENOENT, "%s has no such event", uarch);
		return 0;
	}
	if (forbidden) {
		refuse(why, EINVAL, "no counter may count it: %s", forbidden->name);
		return 0;
	}
	counters = planner_counters(p->uarch, p->ht, p->kernel, select, r->facts);
	if (!counters) {
		refuse(why, EINVAL, "no counter of %s%s counts event 0x%llx", uarch,
		       p->ht ? " with hyper-threading" : "", (unsigned long long)select);
		return 0;
	}
	if (!attr->precise_ip && has_flag(p, r, attr, UARCH_PEBS_ONLY)) {
		refuse(why, EINVAL, "%s counts it as a precise event only: with modifier p", uarch);
		return 0;
	}
	if (!attr->precise_ip)
		return counters;
	precise = can_be_precise(p, r, select) ? counters & UARCH_WITH(p->uarch, pebs)->pebs : 0;
	if (p->in_kvm)
		precise = 0;
	if (!precise && spec->most_precise)
		return counters;
	if (!precise && p->in_kvm)
		refuse(why, EOPNOTSUPP, "%s",
		       p->uarch->vendor == CPU_VENDOR_AMD
			       ? "this CPU has no ibs_op: KVM shows it to no guest"
			       : "KVM shows no PEBS to its guests");
	else if (!precise)
		refuse(why, EOPNOTSUPP, "no counter of %s that counts it can be precise", uarch);
	return precise;
}

static bool is_corrupting(const struct planner *p, const struct perf_event_attr *attr)
{
	return uarch_erratum(p->uarch, UARCH_HT_EXCLUSIVE, select_of(p, attr), p->kernel);
}

/* --- Events and groups --- */

/* Takes one of the debug registers. */
static int find_debugreg(const struct perf_event_attr *attr, unsigned *taken, struct reason *why)
{
	int err = pmu_debugregs_check(attr, why);

	if (err)
		return err;
	if (*taken == DR_BREAKPOINTS)
		return refuse(why, ENOSPC, "there are %u debug registers only", DR_BREAKPOINTS);
	++*taken;
	return 0;
}

/* True for a fraction of slots, which needs no counter. */
static bool is_metric(const struct planner *p, const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && p->kernel >= UARCH_METRIC_LINUX &&
	       uarch_is_metric(attr->config, uarch_metrics(p->uarch));
}

/* Refuses an event of another PMU that the machine has not. */
static int check_dynamic(const struct planner *p, const struct dynamic_pmu *dynamic,
			 const struct pmu_event_spec *spec, struct reason *why)
{
	if (!dynamic_pmu_is_of(dynamic, p->uarch->name))
		return refuse(why, ENOENT, "%s has no PMU %s", p->uarch->name, dynamic->name);
	if (p->in_kvm && !dynamic_pmu_in_kvm(dynamic, spec->attr.config))
		return refuse(why, ENOENT, "this CPU has no %s: KVM shows it to no guest",
			      dynamic->events ? spec->name : dynamic->name);
	return 0;
}

/* Refuses an event whose register KVM does not show. */
static int check_shown(const struct planner *p, uint64_t select, struct reason *why)
{
	const struct uarch_extra *row = uarch_extra(p->uarch, select);

	if (!p->in_kvm || !row)
		return 0;
	return refuse(why, ENXIO,
		      "event 0x%llx needs MSR 0x%x, which this machine does not have: KVM shows it "
		      "to no guest",
		      (unsigned long long)select, row->msr);
}

static void fill_event(const struct planner *p, const struct planner_request *r,
		       struct planner_side *s, unsigned i, unsigned *breakpoints)
{
	const struct pmu_event_spec *spec = &s->specs[i];
	const struct perf_event_attr *attr = &spec->attr;
	const struct dynamic_pmu *dynamic = dynamic_pmu_of(attr->type);
	struct pmu_tick_event *e = &s->events[i];

	*e = (struct pmu_tick_event){.name = spec->name, .enabled = true};
	s->refused[i].text[0] = '\0';
	if (attr->type == PERF_TYPE_SOFTWARE || attr->type == PERF_TYPE_TRACEPOINT ||
	    is_metric(p, attr))
		return;
	if (dynamic) {
		e->hardware = check_dynamic(p, dynamic, spec, &s->refused[i]);
		return;
	}
	if (attr->type == PERF_TYPE_BREAKPOINT) {
		/*
		 * A breakpoint without a debug register is refused like a hardware event without a
		 * counter.
		 */
		e->hardware = find_debugreg(attr, breakpoints, &s->refused[i]);
		return;
	}
	e->hardware = true;
	e->constraint = pmu_constraint(find_usable_counters(p, r, spec, &s->refused[i]),
				       table_flags(p, r, attr) & UARCH_OVERLAP);
	e->corrupting = is_corrupting(p, attr);
	if (e->constraint.counters &&
	    (pmu_find_needs(p->uarch, select_of(p, attr), pmu_register_value(p->uarch, attr),
			    p->kernel, e, &s->refused[i]) ||
	     check_shown(p, select_of(p, attr), &s->refused[i])))
		e->constraint = pmu_constraint(0, false);
	s->counting[i] = planner_counters(p->uarch, p->ht, UARCH_NOW, select_of(p, attr), r->facts);
}

/* True where event `i` is alone or begins a group. */
static bool stands_first(const struct planner_side *s, unsigned i)
{
	return i == 0 || s->alone[i] || s->specs[i].group == PMU_NO_GROUP ||
	       s->specs[i].group != s->specs[i - 1].group;
}

static bool is_alone(const struct planner *p, const struct planner_request *r,
		     const struct planner_side *s, unsigned i)
{
	return s->events[i].hardware && has_flag(p, r, &s->specs[i].attr, UARCH_ALONE);
}

/* Refuses an event of a group, as one that no counter can count. */
static void refuse_member(struct planner_side *s, unsigned i, const char *sentence)
{
	refuse(&s->refused[i], EINVAL, "%s", sentence);
	s->events[i].hardware = true;
	s->events[i].constraint = pmu_constraint(0, false);
}

static bool is_slots(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && (attr->config & UARCH_EXACT) == UARCH_SLOTS;
}

/* In Linux each metric has a counter of its own. `seen`: the metrics of the group before it. */
static const char *find_metric_trouble(const struct planner *p, const struct perf_event_attr *attr,
				       bool led, uint64_t *seen)
{
	const uint64_t bit = 1ull << uarch_metric_shift(attr->config);
	const bool again = *seen & bit;

	if (!is_metric(p, attr))
		return NULL;
	*seen |= bit;
	if (!led)
		return "a metric counts only in a group that slots leads";
	return again && p->kernel != UARCH_NOW ? "Linux counts a metric once in a group" : NULL;
}

/* Refuses what perf_event_open(2) refuses by EINVAL. */
static void check_siblings(const struct planner *p, const struct planner_request *r,
			   struct planner_side *s)
{
	bool alone = false, slots = false;
	uint64_t seen = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const bool first = stands_first(s, i);
		const char *trouble;

		if (first) {
			alone = is_alone(p, r, s, i);
			slots = is_slots(&s->specs[i].attr);
			seen = 0;
		}
		trouble = find_metric_trouble(p, &s->specs[i].attr, slots, &seen);
		if (trouble)
			refuse_member(s, i, trouble);
		else if (first)
			continue;
		else if (s->specs[i].attr.pinned)
			refuse_member(s, i, "only the leader of a group can be pinned");
		else if (s->specs[i].attr.exclusive)
			refuse_member(s, i, "only the leader of a group can be exclusive");
		else if (s->events[i].hardware && (alone || is_alone(p, r, s, i)))
			refuse_member(s, i,
				      "one of its group counts only where no other event does");
	}
}

static void fill_groups(const struct planner *p, const struct planner_request *r,
			struct planner_side *s)
{
	s->ngroups = 0;
	for (unsigned i = 0; i < s->n; i++) {
		const struct perf_event_attr *attr = &s->specs[i].attr;

		if (stands_first(s, i))
			s->groups[s->ngroups++] = (struct pmu_tick_group){
				.pinned = attr->pinned,
				.exclusive = attr->exclusive || is_alone(p, r, s, i),
				.enabled = true};
		pmu_tick_append(&s->groups[s->ngroups - 1], &s->events[i]);
	}
}

static void fill_side(const struct planner *p, const struct planner_request *r,
		      struct planner_side *s)
{
	unsigned breakpoints = 0;

	for (unsigned i = 0; i < s->n; i++)
		fill_event(p, r, s, i, &breakpoints);
	check_siblings(p, r, s);
	for (unsigned i = 0; s == &p->sibling && i < s->n; i++)
		s->events[i].constraint =
			pmu_constraint(s->events[i].constraint.counters & p->sibling_counters,
				       s->events[i].constraint.overlap);
	fill_groups(p, r, s);
}

/* Accepts any name in the form of Linux's tracepoints; which exist depends on the kernel. */
static bool find_known_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	(void)ctx;
	*id = 0;
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_-:", text[i]))
			return false;
	return true;
}

static int parse_events_option(struct planner *p, struct planner_side *s, const char *option,
			       const char *list, const struct planner_request *r,
			       struct reason *why)
{
	const struct pmu_namer namer = {.find = r->namer ? r->namer->find : NULL,
					.ctx = r->namer ? r->namer->ctx : NULL,
					.tracepoint = find_known_tracepoint,
					.uarch = p->uarch,
					.one_kind = true};
	struct pmu_parse_error error;
	int groups = 0, n;

	n = pmu_parse_events_named(list, &namer, &s->specs[s->n], PMU_PLAN_EVENTS - s->n, &error);
	if (n == -E2BIG)
		return refuse(why, EINVAL, "%s: column %zu: there are more than %u events", option,
			      error.column, PMU_PLAN_EVENTS);
	if (n < 0)
		return refuse(why, EINVAL, "%s: column %zu: %s", option, error.column, error.text);
	/* Groups are numbered within their list. */
	for (unsigned i = 0; i < s->n; i++)
		if (s->specs[i].group >= groups)
			groups = s->specs[i].group + 1;
	for (unsigned i = s->n; i < s->n + (unsigned)n; i++) {
		kinds_forget(&s->specs[i].attr);
		if (s->specs[i].group != PMU_NO_GROUP)
			s->specs[i].group += groups;
		if (s->specs[i].attr.type == PERF_TYPE_TRACEPOINT)
			p->note = "tracepoints are taken to exist: they need no counter";
	}
	s->n += (unsigned)n;
	return 0;
}

/* --- The request --- */

/* Parses "PMC2" or "FIXED1". */
static bool parse_counter(const char *text, uint64_t counters, uint64_t *mask)
{
	char name[16];

	for (unsigned i = 0; i < PMU_COUNTERS; i++) {
		*mask = 1ull << i;
		if (counters & *mask && !strcmp(text, pmu_counter_name(i, name)))
			return true;
	}
	return false;
}

static int find_sibling(struct planner *p, const struct planner_request *r, struct reason *why)
{
	if (r->sibling && !p->ht)
		return refuse(why, EINVAL, "--sibling needs hyper-threading, which is off%s",
			      r->no_ht ? "" : ": this microarchitecture has none");
	p->sibling_counters = UINT64_MAX;
	if (!r->sibling_counter)
		return 0;
	if (!r->sibling)
		return refuse(why, EINVAL, "--sibling-counter needs --sibling");
	if (!parse_counter(r->sibling_counter, p->job.counters, &p->sibling_counters))
		return refuse(why, EINVAL, "--sibling-counter: '%s' is no counter of %s",
			      r->sibling_counter, p->uarch->name);
	return 0;
}

static int find_node(struct planner *p, const struct planner_request *r, struct reason *why)
{
	if (!r->node)
		return 0;
	p->job.node = true;
	if (!(uarch_flags(p->uarch) & UARCH_SHARED_NB))
		return refuse(why, EINVAL, "--node: the cores of %s share no counters",
			      p->uarch->name);
	return parse_events_option(p, &p->sibling, "--node", r->node, r, why);
}

static int find_watchdog(struct planner *p, const struct planner_request *r, struct reason *why)
{
	uint64_t counters =
		planner_counters(p->uarch, p->ht, p->kernel,
				 uarch_generic(p->uarch, PERF_COUNT_HW_CPU_CYCLES), NULL);

	if (r->watchdog)
		p->job.watchdog = counters;
	if (!r->watchdog_counter)
		return 0;
	if (!parse_counter(r->watchdog_counter, counters, &p->job.watchdog))
		return refuse(why, EINVAL,
			      "--watchdog-counter: '%s' is no counter of %s for cycles",
			      r->watchdog_counter, p->uarch->name);
	return 0;
}

static int fail_uarch(const char *name, struct reason *why)
{
	char like[64];

	uarch_suggest(name, like, sizeof(like));
	return refuse(why, EINVAL, "--uarch: there is no microarchitecture '%s'%s%s", name,
		      *like ? "; maybe " : "", like);
}

static int find_machine(struct planner *p, const struct planner_request *r, struct reason *why)
{
	const struct uarch_erratum *tsx;

	if (!r->uarch)
		return refuse(why, EINVAL, "--uarch is needed");
	p->uarch = uarch_by_name(r->uarch);
	if (!p->uarch)
		return fail_uarch(r->uarch, why);
	p->in_kvm = uarch_is_kvm_name(r->uarch);
	p->kernel = UARCH_NOW;
	p->job.rules = PMU_RULES_NOW;
	if (r->kernel) {
		if (!pmu_kernel_parse(r->kernel, &p->kernel))
			return refuse(why, EINVAL,
				      "--kernel: '%s' is not a version such as 4.1-rc7", r->kernel);
		p->job.rules = pmu_kernel_rules(p->kernel);
		if (p->kernel > PMU_KERNEL_LAST)
			p->note = "what changed in Linux after 5.3 is not known here";
	}
	p->kernel_text = r->kernel;
	p->ht = !r->no_ht && uarch_general(p->uarch, true);
	p->job.ht = p->ht;
	p->job.counters = uarch_machine_counters(p->uarch, p->ht);
	p->job.shared = uarch_shared_registers(p->uarch);
	p->job.ht_erratum = uarch_erratum(p->uarch, UARCH_HT_LIMIT, 0, UARCH_NOW);
	tsx = uarch_erratum(p->uarch, UARCH_TSX_TAKES, 0, UARCH_NOW);
	p->job.transactions = r->tfa && tsx ? tsx->counters : 0;
	if (r->tfa && !tsx)
		p->note = "--tfa changes nothing: transactions take no counter there";
	return find_watchdog(p, r, why);
}

static int find_policy(struct planner *p, const struct planner_request *r, struct reason *why)
{
	if (r->policy && !strcmp(r->policy, "fair"))
		p->job.fair = &p->fair;
	else if (r->policy && strcmp(r->policy, "perf"))
		return refuse(why, EINVAL, "--policy: '%s' is not perf or fair", r->policy);
	if (p->job.fair && r->kernel)
		return refuse(why, EINVAL, "--kernel: policy fair was in no kernel");
	return 0;
}

/* Keeps the requested ones of the given events. */
static int keep_taken(struct planner *p, const struct planner_request *r, struct reason *why)
{
	unsigned n = 0;

	if (!r->takes)
		return 0;
	if (r->ntakes != p->own.n)
		return refuse(why, EINVAL, "-e: these are %u events, and not %u", p->own.n,
			      r->ntakes);
	for (unsigned i = 0; i < p->own.n; i++)
		if (r->takes[i])
			p->own.specs[n++] = p->own.specs[i];
	p->own.n = n;
	return n ? 0 : refuse(why, EINVAL, "-e: none of the events is taken");
}

static int find_all_events(struct planner *p, const struct planner_request *r, struct reason *why)
{
	if (!r->nevents)
		return refuse(why, EINVAL, "-e is needed: the events to plan");
	for (unsigned i = 0; i < r->nevents; i++)
		if (parse_events_option(p, &p->own, "-e", r->events[i], r, why))
			return -EINVAL;
	if (keep_taken(p, r, why) || find_sibling(p, r, why) || find_node(p, r, why))
		return -EINVAL;
	return r->sibling ? parse_events_option(p, &p->sibling, "--sibling", r->sibling, r, why)
			  : 0;
}

/* Splits weak groups that contain a refused event. Returns whether there was one. */
static bool dissolve_weak(struct planner *p)
{
	struct planner_side *s = &p->own;
	bool any = false;

	for (unsigned i = 0; i < s->n; i++) {
		if (stands_first(s, i) || !s->specs[i].weak ||
		    p->plan.events[i].status != PMU_PLAN_NOT_SUPPORTED)
			continue;
		any = true;
		for (unsigned k = 0; k < s->n; k++)
			s->alone[k] |= s->specs[k].group == s->specs[i].group;
	}
	return any;
}

static int simulate_request(struct planner *p, const struct planner_request *r, struct reason *why)
{
	int err;

	do {
		fill_side(p, r, &p->own);
		fill_side(p, r, &p->sibling);
		p->job.groups = p->own.groups;
		p->job.ngroups = p->own.ngroups;
		p->job.sibling = p->sibling.groups;
		p->job.nsibling = p->sibling.ngroups;
		memset(&p->plan, 0, sizeof(p->plan));
		memset(&p->fair, 0, sizeof(p->fair));
		p->fair.at_once = true; /* as the image has it from the host tool */
		p->plan.configs = p->configs;
		p->plan.max_configs = PLANNER_CONFIGS;
		p->plan.watch = r->watch;
		err = pmu_plan(&p->job, &p->plan, why);
	} while (!err && dissolve_weak(p));
	return err;
}

/* A counter that cannot count the event, in the first configuration that puts it there. */
static uint8_t idle_counter(const struct planner *p, unsigned i)
{
	for (unsigned c = 0; c < p->plan.nconfigs; c++) {
		uint8_t counter = p->configs[c].counter[i];

		if (counter < PMU_COUNTERS && !(p->own.counting[i] >> counter & 1))
			return counter;
	}
	return PMU_NO_COUNTER;
}

/* Notes the effects of a kernel's mistakes on the counts. */
static void warn_of_hardware(struct planner *p)
{
	char name[16];

	for (unsigned i = 0; i < p->own.n; i++) {
		uint8_t counter = idle_counter(p, i);

		p->own.idle[i] = counter != PMU_NO_COUNTER;
		if (p->own.idle[i])
			fmt_print(p->plan.events[i].why.text, sizeof(p->plan.events[i].why.text),
				  "it stays at zero while it is on %s, which cannot count it",
				  pmu_counter_name(counter, name));
	}
}

int planner_run(struct planner *p, const struct planner_request *r, struct reason *why)
{
	int err;

	p->note = "";
	p->job.ticks = r->ticks ? (uint32_t)r->ticks : PLANNER_TICKS;
	p->job.interval_us = PLANNER_INTERVAL_US;
	p->job.sleep_after_us = r->sleep_ms * 1000;
	err = find_machine(p, r, why);
	if (!err)
		err = find_policy(p, r, why);
	if (!err)
		err = find_all_events(p, r, why);
	if (!err)
		err = simulate_request(p, r, why);
	if (!err)
		warn_of_hardware(p);
	for (unsigned i = 0; !err && i < p->own.n; i++)
		if (p->own.refused[i].text[0])
			p->plan.events[i].why = p->own.refused[i];
	return err;
}
