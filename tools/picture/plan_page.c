// SPDX-License-Identifier: BSD-2-Clause
/* plan_page.c - see plan_page.h. */
#include "tools/picture/plan_page.h"

#include <string.h>

#include "pmu/sched/explain.h"
#include "tools/picture/markup.h"
#include "tools/picture/html_page.h"
#include "tools/picture/schedule_svg.h"

#define CONFIGS_OPEN 8 /* further configurations are folded */

static void add_event_row(struct buf *out, const struct planner *p, unsigned i)
{
	static const char *const states[] = {
		[PMU_PLAN_COUNTED] = "counted",
		[PMU_PLAN_NOT_COUNTED] = "not counted",
		[PMU_PLAN_NOT_SUPPORTED] = "not supported",
	};
	const struct pmu_plan_event *e = &p->plan.events[i];

	buf_printf(out, "<tr><td class=\"v\">%u</td><td class=\"name\">", i + 1);
	markup_add(out, p->own.specs[i].name);
	buf_printf(out, "</td><td>%s</td><td class=\"v\">", states[e->status]);
	if (e->has_percent)
		buf_printf(out, "%u.%02u", e->percent / 100, e->percent % 100);
	buf_printf(out, "</td><td class=\"why\">");
	markup_add(out, e->why.text);
	buf_printf(out, "</td></tr>\n");
}

void plan_events_table(struct buf *out, const struct planner *p)
{
	buf_printf(
		out,
		"<div class=\"table\" tabindex=\"0\"><table><thead><tr><th class=\"v\">#</th><th>event</th>"
		"<th>status</th><th class=\"v\">%% of time</th><th>why not all of it</th></tr>"
		"</thead><tbody>\n");
	for (unsigned i = 0; i < p->own.n; i++)
		add_event_row(out, p, i);
	buf_printf(out, "</tbody></table></div>\n");
}

static const char *counter_text(uint8_t counter, char *text)
{
	return counter == PMU_PLAN_SOFTWARE ? "software" : pmu_counter_name(counter, text);
}

static void add_config_row(struct buf *out, const char *where, const char *what, const char *why)
{
	buf_printf(out, "<tr><td>%s</td><td class=\"name\">", where);
	markup_add(out, what);
	buf_printf(out, "</td><td class=\"why\">");
	markup_add(out, why);
	buf_printf(out, "</td></tr>\n");
}

static void add_config(struct buf *out, const struct planner *p, unsigned number)
{
	const struct pmu_plan_config *c = &p->configs[number];
	char counter[16];
	unsigned i = 0;

	buf_printf(out, "<tr><th colspan=\"3\">C%u: %u of %u slices</th></tr>\n", number + 1,
		   c->ticks, p->job.ticks);
	if (c->watchdog != PMU_NO_COUNTER)
		add_config_row(out, counter_text(c->watchdog, counter), "the NMI watchdog", "");
	for (unsigned g = 0; g < p->own.ngroups; g++)
		for (unsigned n = p->own.groups[g].n; n; n--, i++)
			if (c->counter[i] != PMU_PLAN_WAITS)
				add_config_row(out, counter_text(c->counter[i], counter),
					       p->own.specs[i].name, "");
			else if (p->plan.events[i].status != PMU_PLAN_NOT_SUPPORTED)
				add_config_row(out, "waits", p->own.specs[i].name, c->why[g].text);
}

static void add_configs(struct buf *out, const struct planner *p)
{
	const bool is_long = p->plan.nconfigs > CONFIGS_OPEN;

	if (is_long)
		buf_printf(out, "<details><summary>all %u of them</summary>\n", p->plan.nconfigs);
	buf_printf(out, "<div class=\"table\" tabindex=\"0\"><table><tbody>\n");
	for (unsigned i = 0; i < p->plan.nconfigs; i++)
		add_config(out, p, i);
	buf_printf(out, "</tbody></table></div>%s\n", is_long ? "</details>" : "");
	if (p->plan.other_ticks)
		buf_printf(out, "<p class=\"faint\">%u more slices with other configurations</p>\n",
			   p->plan.other_ticks);
}

void plan_page(struct buf *out, const struct planner *p, const struct schedule *s,
	       const char *const *words)
{
	struct buf text = {0};

	buf_printf(&text, "%u event%s on %s, hyper-threading %s, policy %s", p->own.n,
		   p->own.n == 1 ? "" : "s", p->uarch->name, p->ht ? "on" : "off",
		   p->job.fair ? "fair" : "perf");
	if (p->kernel_text)
		buf_printf(&text, ", as Linux %s", p->kernel_text);
	page_begin(out, buf_text(&text), words);
	text.size = 0;
	schedule_sentence(&text, p, s);
	buf_printf(&text, ".");
	page_section(out, "Schedule", buf_text(&text));
	if (p->note[0]) {
		buf_printf(out, "<p>");
		markup_add(out, p->note);
		buf_printf(out, "</p>\n");
	}
	page_picture_begin(out);
	schedule_svg(out, p, s, false);
	page_picture_end(out);
	page_section(out, "What each event gets", NULL);
	plan_events_table(out, p);
	page_section(out, "Configurations",
		     "Which event is on which counter, and what the others wait "
		     "for, in order of first use.");
	add_configs(out, p);
	page_end(out);
	buf_free(&text);
}
