// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_plan.c - `perf0 plan`: shows how a microarchitecture would schedule a set of events, without
 * a boot. It runs pmu/plan/planner.c like the image's `plan`, and adds the event names of an event
 * file and of libpfm4.
 */
#include "tools/cmd/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/plan/request.h"
#include "tools/events/events.h"
#include "tools/events/evfiles.h"
#include "tools/options/offline.h"
#include "tools/picture/plan_page.h"
#include "tools/picture/save.h"
#include "tools/picture/schedule_svg.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/plainbuf.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* Sources of event names. */
struct names {
	const struct uarch *uarch; /* NULL: unknown, as planner_run() reports */
	const struct evfile *file;
	struct planner_facts facts;
};

static struct planner_options o;
static struct option_list event_files;
static const char *html, *svg; /* NULL: not given */

static const struct option_target places[] = {
	PLANNER_TARGETS(o), {OPT_EVENT_FILE, &event_files}, {OPT_HTML, &html}, {OPT_SVG, &svg}};

static int find_in_file(struct names *names, const char *item, struct perf_event_attr *attr,
			size_t *taken)
{
	size_t n = strcspn(item, ":");
	char *name = copy_text(item, n);
	const struct evfile_event *e = evfile_find(names->file, name);
	struct planner_facts *facts = &names->facts;

	free(name);
	if (!e || facts->n == PLANNER_FACTS)
		return 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = e->select[0];
	attr->config1 = e->msr_value;
	facts->rows[facts->n++] = (struct planner_fact){
		.select = e->select[0],
		.counters = {e->counters[0], e->counters[1]},
		.flags = (uint8_t)((e->pebs == EVFILE_ONLY_PRECISE ? UARCH_PEBS_ONLY : 0) |
				   (e->taken_alone ? UARCH_ALONE : 0))};
	*taken = n;
	return 1;
}

/* Tables of libpfm4 that lack names for some event codes. The table `next` has the same codes
 * with more names. */
static const struct {
	const char *pfm, *next;
} successors[] = {{"snb", "ivb"}, {"snb_ep", "ivb_ep"}};

/* Looks the name up in the successor. Returns 0 after telling the user that it was found. */
static int find_in_successor(const struct guest_uarch *guest, const char *item,
			     struct perf_event_attr *attr, size_t *taken)
{
	struct guest_uarch next = *guest;
	struct reason ignored;

	for (size_t i = 0; i < sizeof(successors) / sizeof(successors[0]); i++) {
		if (strcmp(successors[i].pfm, guest->pfm))
			continue;
		next.pfm = successors[i].next;
		if (events_find(item, &next, attr, taken, &ignored))
			continue;
		message("perf0 plan: '%.*s' is taken by the code that %s has for it", (int)*taken,
			item, next.pfm);
		return 0;
	}
	return -ENOENT;
}

static int find_in_libpfm(const struct names *names, const char *item, struct perf_event_attr *attr,
			  size_t *taken, struct pmu_parse_error *error)
{
	struct guest_uarch guest = guest_of(names->uarch);
	struct reason why;
	int err = events_find(item, &guest, attr, taken, &why);

	if (err && !find_in_successor(&guest, item, attr, taken))
		err = 0;
	return events_answer(err, &why, error);
}

static int find_planned_name(void *ctx, uint8_t core, const char *text, size_t n,
			     struct perf_event_attr *attr, size_t *taken,
			     struct pmu_parse_error *error)
{
	struct names *names = ctx;
	char *item = copy_text(text, n);
	int found = 0;

	(void)core; /* the planner has refused the other cores */
	if (names->file)
		found = find_in_file(names, item, attr, taken);
	if (!found)
		found = find_in_libpfm(names, item, attr, taken, error);
	free(item);
	return found;
}

/*
 * Prints text without control characters, because names come from files and libraries. The
 * planner's own text contains line ends alone.
 */
static void put_standard_output(void *ctx, const char *text)
{
	struct buf plain = {0};

	for (; *text; text += *text == '\n') {
		const size_t n = strcspn(text, "\n");

		plain_add(&plain, text, n);
		buf_add(&plain, "\n", text[n] == '\n');
		text += n;
	}
	fputs(buf_text(&plain), ctx);
	buf_free(&plain);
}

static int complain_of_plan(const char *what)
{
	message("perf0 plan: %s", what);
	return STATUS_USAGE;
}

/* Saves the pictures. Each file appears complete or not at all. */
static int save_pictures(const struct planner *p, struct schedule *s, const char *const *typed,
			 struct reason *why)
{
	struct buf picture = {0}, page = {0};
	int err = 0;

	schedule_settle(s);
	if (svg) {
		schedule_svg(&picture, p, s, true);
		err = picture_save(svg, &picture, why);
	}
	if (html && !err) {
		plan_page(&page, p, s, typed);
		err = picture_save(html, &page, why);
	}
	buf_free(&picture);
	buf_free(&page);
	return err;
}

static int check_pictures(struct reason *why)
{
	if (svg && html && !strcmp(svg, html))
		return refuse(why, EINVAL, "--svg and --html name the same file, %s", svg);
	if (svg && outfile_check(svg, why))
		return -EINVAL;
	return html ? outfile_check(html, why) : 0;
}

static int plan_offline(const struct evfile *file, const char *const *typed)
{
	static struct names names;
	const struct pmu_namer namer = {.find = find_planned_name, .ctx = &names};
	const struct planner_sink sink = {put_standard_output, stdout};
	struct planner *p = calloc(1, sizeof(*p));
	struct schedule schedule;
	struct reason why;
	int status = 0;

	if (!p)
		return complain_of_plan("out of memory");
	schedule_init(&schedule);
	names.uarch = o.request.uarch ? uarch_by_name(o.request.uarch) : NULL;
	names.file = file;
	planner_events(&o);
	o.request.namer = &namer;
	o.request.facts = &names.facts;
	o.request.watch = svg || html ? &schedule.watch : NULL;
	if (planner_run(p, &o.request, &why))
		status = complain_of_plan(why.text);
	else
		(o.json ? planner_json : planner_print)(p, &sink);
	if (!status && o.request.watch && save_pictures(p, &schedule, typed, &why)) {
		complain_of_plan(why.text);
		status = STATUS_FAILED;
	}
	schedule_free(&schedule);
	free(p);
	return status;
}

int cmd_plan(const char **words)
{
	const size_t n = count_words(words) + 1;
	const char **typed = memory_checked(calloc(n, sizeof(*typed)));
	const struct uarch *uarch;
	struct evfiles files;
	struct reason why;
	int status;

	memcpy(typed, words, n * sizeof(*typed));
	if (offline_options_read(TAKER_PLAN, &OPTION_TARGETS(places), words + 1, &why))
		return complain_of_plan(why.text);
	uarch = o.request.uarch ? uarch_by_name(o.request.uarch) : NULL;
	if (evfiles_read_planned(&files, event_files.text, event_files.n, uarch, &why))
		return complain_of_plan(why.text);
	if (check_pictures(&why)) {
		complain_of_plan(why.text);
		return STATUS_FAILED;
	}
	status = plan_offline(evfiles_planned(&files, uarch), typed);
	evfiles_free(&files);
	free(typed);
	return status;
}
