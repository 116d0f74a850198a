// SPDX-License-Identifier: BSD-2-Clause
/* planner_print.c - prints a plan for people and for programs; see planner.h. */
#include "pmu/plan/planner.h"

#include "lib/plain.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/sched/explain.h"

static void put_plan_text(const struct planner_sink *sink, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void put_plan_text(const struct planner_sink *sink, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	fmt_vprint(text, sizeof(text), format, args);
	va_end(args);
	sink->put(sink->ctx, text);
}

static const char *counter_text(uint8_t counter, char *text)
{
	return counter == PMU_PLAN_SOFTWARE ? "software" : pmu_counter_name(counter, text);
}

/* The place of event `i`. A core event without a counter is a fraction of slots. */
static const char *place_text(const struct planner *p, const struct pmu_plan_config *c, unsigned i,
			      char *text)
{
	if (c->counter[i] == PMU_PLAN_SOFTWARE && p->own.specs[i].attr.type == PERF_TYPE_RAW)
		return "metric";
	return counter_text(c->counter[i], text);
}

/* The number of the event's group in the job. */
static unsigned group_number(const struct planner *p, unsigned event)
{
	unsigned group = 0;

	for (unsigned last = p->own.groups[0].n; event >= last; last += p->own.groups[group].n)
		group++;
	return group;
}

static bool is_waiting_in(const struct planner *p, const struct pmu_plan_config *c, unsigned event)
{
	return c->counter[event] == PMU_PLAN_WAITS &&
	       p->plan.events[event].status != PMU_PLAN_NOT_SUPPORTED;
}

/* --- For people --- */

#define PERCENT_ALL 10000

/* Policy fair: prints the gap between the worst share and its bound. */
static void print_proof(const struct planner *p, const struct planner_sink *sink)
{
	const uint32_t hundredths = (pmu_fair_share(&p->fair) + 50) / 100;
	const uint32_t bound = (pmu_fair_bound(&p->fair) + 50) / 100;

	if (!p->job.fair || !p->plan.multiplexed)
		return;
	if (!p->fair.njob) {
		put_plan_text(sink,
			      "more than %u groups: the least served first, no share is proven\n",
			      PMU_FAIR_GROUPS);
		return;
	}
	put_plan_text(sink, "worst share %u.%02u%%, ", hundredths / 100, hundredths % 100);
	if (!p->fair.optimal)
		put_plan_text(sink, "not proven to be the best: at most %u.%02u%%\n", bound / 100,
			      bound % 100);
	else
		put_plan_text(sink, "the best that there is%s\n",
			      p->fair.ordered ? ", and so are the others"
					      : "; the others are not proven to be");
}

static void print_plan_title(const struct planner *p, const struct planner_sink *sink)
{
	put_plan_text(sink, "%s%s, hyper-threading %s, policy %s, %u slices of %u us",
		      p->uarch->name, p->in_kvm ? " in KVM" : "", p->ht ? "on" : "off",
		      p->job.fair ? "fair" : "perf", p->job.ticks, p->job.interval_us);
	if (p->kernel_text)
		put_plan_text(sink, ", as Linux %s", p->kernel_text);
	put_plan_text(sink, "\n");
	if (p->note[0])
		put_plan_text(sink, "%s\n", p->note);
	print_proof(p, sink);
}

static void print_event(const struct planner_sink *sink, const char *name,
			const struct pmu_plan_event *e, int width)
{
	static const char *const states[] = {
		[PMU_PLAN_COUNTED] = "counted",
		[PMU_PLAN_NOT_COUNTED] = "<not counted>",
		[PMU_PLAN_NOT_SUPPORTED] = "<not supported>",
	};

	if (e->has_percent && e->percent < PERCENT_ALL)
		put_plan_text(sink, "%18s  %-*s  (%u.%02u%%)\n", states[e->status], width, name,
			      e->percent / 100, e->percent % 100);
	else
		put_plan_text(sink, "%18s  %s\n", states[e->status], name);
}

static int plan_names_width(const struct planner *p)
{
	size_t width = 0;

	for (unsigned i = 0; i < p->own.n; i++)
		if (strlen(p->own.specs[i].name) > width)
			width = strlen(p->own.specs[i].name);
	return (int)width;
}

static void print_config(const struct planner *p, const struct planner_sink *sink, unsigned number)
{
	const struct pmu_plan_config *c = &p->configs[number];
	char counter[16];

	put_plan_text(sink, "\nC%u: %u of %u slices\n", number + 1, c->ticks, p->job.ticks);
	if (c->watchdog != PMU_NO_COUNTER)
		put_plan_text(sink, "  %-9s the NMI watchdog\n",
			      counter_text(c->watchdog, counter));
	for (unsigned i = 0; i < p->own.n; i++)
		if (c->counter[i] != PMU_PLAN_WAITS)
			put_plan_text(sink, "  %-9s %s\n", place_text(p, c, i, counter),
				      p->own.specs[i].name);
	for (unsigned i = 0; i < p->own.n; i++)
		if (is_waiting_in(p, c, i))
			put_plan_text(sink, "  waits     %s: %s\n", p->own.specs[i].name,
				      c->why[group_number(p, i)].text);
}

void planner_print(const struct planner *p, const struct planner_sink *sink)
{
	int width = plan_names_width(p);

	print_plan_title(p, sink);
	put_plan_text(sink, "\n");
	for (unsigned i = 0; i < p->own.n; i++)
		print_event(sink, p->own.specs[i].name, &p->plan.events[i], width);
	for (unsigned i = 0; i < p->own.n; i++)
		if (!p->plan.events[i].has_percent || p->own.idle[i])
			put_plan_text(sink, "\n%s: %s\n", p->own.specs[i].name,
				      p->plan.events[i].why.text);
	for (unsigned i = 0; i < p->plan.nconfigs; i++)
		print_config(p, sink, i);
	if (p->plan.other_ticks)
		put_plan_text(sink, "\n%u more slices with other configurations\n",
			      p->plan.other_ticks);
}

/* --- For programs --- */

static void json_inner(const struct planner_sink *sink, const char *text)
{
	for (size_t left = strlen(text); left;) {
		const struct plain_step step = plain_json_step(text, left);

		put_plan_text(sink, "%.*s", (int)step.made, step.text);
		text += step.taken;
		left -= step.taken;
	}
}

static void json_text(const struct planner_sink *sink, const char *text)
{
	put_plan_text(sink, "\"");
	json_inner(sink, text);
	put_plan_text(sink, "\"");
}

/* Writes the name of an event as a key: the second one of a name is "name#2". */
static void json_key(const struct planner *p, const struct planner_sink *sink, unsigned event)
{
	unsigned same = 1;

	for (unsigned i = 0; i < event; i++)
		same += !strcmp(p->own.specs[i].name, p->own.specs[event].name);
	put_plan_text(sink, "\"");
	json_inner(sink, p->own.specs[event].name);
	if (same > 1)
		put_plan_text(sink, "#%u", same);
	put_plan_text(sink, "\":");
}

static void json_event(const struct planner *p, const struct planner_sink *sink, unsigned i)
{
	static const char *const states[] = {
		[PMU_PLAN_COUNTED] = "counted",
		[PMU_PLAN_NOT_COUNTED] = "not counted",
		[PMU_PLAN_NOT_SUPPORTED] = "not supported",
	};
	const struct pmu_plan_event *e = &p->plan.events[i];

	put_plan_text(sink, "%s{\"name\":", i ? ",\n  " : "\n  ");
	json_text(sink, p->own.specs[i].name);
	if (p->own.specs[i].group_name[0])
		put_plan_text(sink, ",\"group\":\"%s\"", p->own.specs[i].group_name);
	put_plan_text(sink, ",\"status\":\"%s\",\"percent\":", states[e->status]);
	if (e->has_percent)
		put_plan_text(sink, "%u.%02u", e->percent / 100, e->percent % 100);
	else
		put_plan_text(sink, "null");
	if (e->why.text[0]) {
		put_plan_text(sink, ",\"reason\":");
		json_text(sink, e->why.text);
	}
	put_plan_text(sink, "}");
}

static void json_config(const struct planner *p, const struct planner_sink *sink, unsigned number)
{
	const struct pmu_plan_config *c = &p->configs[number];
	const char *comma = "";
	char counter[16];

	put_plan_text(sink, "%s{\"ticks\":%u", number ? ",\n  " : "\n  ", c->ticks);
	if (c->watchdog != PMU_NO_COUNTER)
		put_plan_text(sink, ",\"watchdog\":\"%s\"", counter_text(c->watchdog, counter));
	put_plan_text(sink, ",\"assign\":{");
	for (unsigned i = 0; i < p->own.n; i++) {
		if (c->counter[i] == PMU_PLAN_WAITS)
			continue;
		put_plan_text(sink, "%s", comma);
		json_key(p, sink, i);
		put_plan_text(sink, "\"%s\"", place_text(p, c, i, counter));
		comma = ",";
	}
	put_plan_text(sink, "},\"waiting\":{");
	comma = "";
	for (unsigned i = 0; i < p->own.n; i++) {
		if (!is_waiting_in(p, c, i))
			continue;
		put_plan_text(sink, "%s", comma);
		json_key(p, sink, i);
		json_text(sink, c->why[group_number(p, i)].text);
		comma = ",";
	}
	put_plan_text(sink, "}}");
}

/* null: policy perf guarantees nothing. */
static void json_proof(const struct planner *p, const struct planner_sink *sink)
{
	const uint32_t share = pmu_fair_share(&p->fair), bound = pmu_fair_bound(&p->fair);

	put_plan_text(sink, ",\"fair\":");
	if (!p->job.fair || !p->plan.multiplexed || !p->fair.njob) {
		put_plan_text(sink, "null");
		return;
	}
	put_plan_text(sink,
		      "{\"worst_percent\":%u.%04u,\"at_most_percent\":%u.%04u,"
		      "\"proven\":%s,\"others_proven\":%s}",
		      share / 10000, share % 10000, bound / 10000, bound % 10000,
		      p->fair.optimal ? "true" : "false", p->fair.ordered ? "true" : "false");
}

void planner_json(const struct planner *p, const struct planner_sink *sink)
{
	put_plan_text(sink,
		      "{\"uarch\":\"%s\",\"hyper_threading\":%s,\"policy\":\"%s\",\"kernel\":",
		      p->uarch->name, p->ht ? "true" : "false", p->job.fair ? "fair" : "perf");
	if (p->kernel_text)
		json_text(sink, p->kernel_text);
	else
		put_plan_text(sink, "null");
	put_plan_text(sink, ",\"ticks\":%u,\"multiplexed\":%s", p->job.ticks,
		      p->plan.multiplexed ? "true" : "false");
	json_proof(p, sink);
	put_plan_text(sink, ",\n \"events\":[");
	for (unsigned i = 0; i < p->own.n; i++)
		json_event(p, sink, i);
	put_plan_text(sink, "],\n \"configs\":[");
	for (unsigned i = 0; i < p->plan.nconfigs; i++)
		json_config(p, sink, i);
	put_plan_text(sink, "],\n \"other_ticks\":%u}\n", p->plan.other_ticks);
}
