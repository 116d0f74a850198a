// SPDX-License-Identifier: BSD-2-Clause
/* choose.c - see choose.h. */
#include "pmu/metrics/choose.h"

#include "lib/bits.h"
#include "lib/glob.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/near.h"
#include "pmu/metrics/reading.h"
#include "pmu/names/intel_names.h"
#include "pmu/names/parse.h"

#include <linux/errno.h>

enum { ROW_UNREAD, ROW_BEING_READ, ROW_READ };

struct choosing {
	struct metric_choice *c;
	const struct metrics *m;
	const struct metrics_world *world;
	unsigned text; /* index of the text that contains the current formula */
	bool told;     /* the reason already has the position: that of the innermost formula */
};

static struct metrics_span span_of(const char *text)
{
	return (struct metrics_span){text, (unsigned)strlen(text)};
}

/* --- Events --- */

static bool starts_with(const char *text, const char *part)
{
	return !strncmp(text, part, strlen(part));
}

/* Adds the name that formulas use to a cpu/.../ without a name. */
static int insert_event_name(char *text, const char *name, struct reason *why)
{
	char *slash = strchr(text, '/'), *end;
	char named[METRICS_EVENT_MAX];
	int n;

	end = slash ? strchr(slash + 1, '/') : NULL;
	if (!end || !starts_with(text, "cpu") || strstr(text, "name=") || strchr(name, '\''))
		return 0;
	n = fmt_print(named, sizeof(named), "%.*s,name='%s'%s", (int)(end - text), text, name, end);
	if (n >= (int)sizeof(named))
		return refuse(why, E2BIG, "event '%s' has more than %d characters", name,
			      METRICS_EVENT_MAX - 1);
	memcpy(text, named, (size_t)n + 1);
	return 0;
}

static bool is_of_core(const struct uarch *uarch, const char *text, size_t n)
{
	struct intel_event published;
	uint32_t type;
	uint64_t config;

	if (uarch && intel_find(uarch, text, n, &published))
		return true;
	return starts_with(text, "slots") || starts_with(text, "topdown-") ||
	       (pmu_event_name_find(text, n, &type, &config) &&
		(type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE));
}

/*
 * On a hybrid: puts the PMU of one core type in front of cpu/.../ and of events that perf or Intel
 * have names for.
 */
static int add_pmu(char *text, const struct uarch *uarch, const char *pmu, struct reason *why)
{
	const char *colon = strchr(text, ':');
	const size_t n = colon ? (size_t)(colon - text) : strlen(text);
	char of_kind[METRICS_EVENT_MAX];
	int length;

	if (!pmu)
		return 0;
	if (starts_with(text, "cpu/"))
		length = fmt_print(of_kind, sizeof(of_kind), "%s%s", pmu, text + 3);
	else if (!strchr(text, '/') && is_of_core(uarch, text, n))
		length = fmt_print(of_kind, sizeof(of_kind), "%s/%.*s/%s", pmu, (int)n, text,
				   colon ? colon + 1 : "");
	else
		return 0;
	if (length >= (int)sizeof(of_kind))
		return refuse(why, E2BIG, "event '%s' has more than %d characters", text,
			      METRICS_EVENT_MAX - 1);
	memcpy(text, of_kind, (size_t)length + 1);
	return 0;
}

/* True where there is no comma or brace outside of slashes and quotes. */
static bool is_one_event(const char *text)
{
	bool slashes = false, quoted = false;

	for (; *text; text++) {
		quoted ^= *text == '\'';
		slashes ^= *text == '/' && !quoted;
		if (!slashes && !quoted && (*text == ',' || *text == '{' || *text == '}'))
			return false;
	}
	return !slashes && !quoted;
}

/* Translates LIKWID's name of an event: by the built-in names, or by those of the shipped text. */
static struct metrics_span event_of_likwid(const struct metrics *m, struct metrics_span name)
{
	const struct metrics_span event = likwid_event(name, m->uarch);
	char text[METRICS_NAME_MAX + 1];

	if (event.at != name.at || name.n > METRICS_NAME_MAX)
		return event;
	memcpy(text, name.at, name.n);
	text[name.n] = '\0';
	for (unsigned i = 0; i < m->nevents; i++)
		if (!m->event[i].text && span_like(m->event[i].name, text))
			return m->event[i].event;
	return event;
}

/* Adds the options of LIKWID's counter as further terms of the event. */
static int add_options(char text[METRICS_EVENT_MAX], struct metrics_span options,
		       struct reason *why)
{
	char *slash = strchr(text, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	char terms[LIKWID_TERMS_MAX], whole[METRICS_EVENT_MAX];
	struct metrics_span bad;
	int n;

	if (likwid_options(options, terms, &bad) || !terms[0])
		return 0;
	n = fmt_print(whole, sizeof(whole), "%s%.*s%s%s", end ? "" : "cpu/",
		      (int)(end ? end - text : (long)strlen(text)), text, terms, end ? end : "/");
	if (n >= (int)sizeof(whole))
		return refuse(why, E2BIG, "event '%s' has more than %d characters", text,
			      METRICS_EVENT_MAX - 1);
	memcpy(text, whole, (size_t)n + 1);
	return 0;
}

static int write_event(const struct choosing *ch, const struct metrics_event *event,
		       const char *name, char out[METRICS_EVENT_MAX], struct reason *why)
{
	struct metrics_event known = *event;
	char shown[FORMULA_NAME];
	int err = 0;

	if (event->likwid)
		known.event = event_of_likwid(ch->m, event->event);
	if (event->likwid && event->event.n <= METRICS_NAME_MAX)
		fmt_print(shown, sizeof(shown), "%.*s", (int)event->event.n, event->event.at);
	else
		fmt_print(shown, sizeof(shown), "%s", name);
	if (known.event.n >= METRICS_EVENT_MAX)
		return refuse(why, E2BIG, "event '%s' has more than %d characters", name,
			      METRICS_EVENT_MAX - 1);
	memcpy(out, known.event.at, known.event.n);
	out[known.event.n] = '\0';
	if (!is_one_event(out))
		return refuse(why, EINVAL, "'%s' is not one event", out);
	err = add_options(out, event->options, why);
	if (!err)
		err = insert_event_name(out, shown, why);
	if (!err && ch->world->event)
		err = ch->world->event(ch->world->ctx, name, event->likwid, out, why);
	return err ? err : add_pmu(out, ch->m->uarch, ch->world->pmu, why);
}

static int add_event(struct choosing *ch, const struct metrics_event *event, const char *name,
		     struct reason *why)
{
	struct metric_choice *c = ch->c;
	struct formula_node node = {.op = FORMULA_COUNT};
	struct metric_event_chosen *to = &c->event[c->nevents];
	unsigned i = 0;
	int err;

	if (c->nevents == METRICS_ITS_EVENTS)
		return refuse(why, E2BIG, "the metrics together have more than %d events",
			      METRICS_ITS_EVENTS);
	err = write_event(ch, event, name, to->text, why);
	if (err)
		return err;
	fmt_print(to->name, sizeof(to->name), "%s", name);
	while (strcmp(c->event[i].text, to->text))
		i++;
	c->nevents += i == c->nevents;
	node.a = (uint16_t)i;
	return formula_add(&c->pool, &node, why);
}

/* --- Names in formulas --- */

static int add_number_node(struct choosing *ch, struct real number, struct reason *why)
{
	const struct formula_node node = {.op = FORMULA_NUMBER, .number = number};

	return formula_add(&ch->c->pool, &node, why);
}

static bool is_machine_word(struct metrics_span word)
{
	static const char *const words[] = {"inverseClock", "#system_tsc_freq", "#smt_on",
					    "#num_cpus", "#num_cpus_online"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_is(word, words[i]))
			return true;
	return false;
}

static int refuse_machine_word(const char *name, struct reason *why)
{
	return refuse(why, EINVAL,
		      "there is no '%s'; there are #smt_on, #num_cpus, #num_cpus_online and "
		      "#system_tsc_freq",
		      name);
}

/*
 * Finds a property of the machine; -ENOENT: no such word. An unknown property becomes not-a-number,
 * so that both branches of a condition remain.
 */
static int find_word(struct choosing *ch, const char *name, struct reason *why)
{
	static const struct formula_node time = {.op = FORMULA_TIME};
	const struct metrics_world *w = ch->world;
	const struct metrics_span span = span_of(name);

	if (span_is(span, "time") || span_is(span, "duration_time"))
		return formula_add(&ch->c->pool, &time, why);
	if (w->elsewhere && (*name == '#' || span_is(span, "inverseClock")))
		return is_machine_word(span) ? formula_add(&ch->c->pool, &time, why)
					     : refuse_machine_word(name, why);
	if (span_is(span, "inverseClock"))
		return add_number_node(ch, real_ratio(1, w->tsc_hz), why);
	if (span_is(span, "#system_tsc_freq"))
		return add_number_node(ch, real_of(w->tsc_hz), why);
	if (span_is(span, "#smt_on"))
		return add_number_node(ch, real_of(w->smt_on), why);
	if (span_is(span, "#num_cpus") || span_is(span, "#num_cpus_online"))
		return add_number_node(ch, real_of(w->ncpus), why);
	return *name == '#' ? refuse_machine_word(name, why) : -ENOENT;
}

static int read_row(struct choosing *ch, const struct metrics_row *row, unsigned depth,
		    struct reason *why);

static int find_in_choice(void *ctx, const char *name, unsigned depth, struct reason *why)
{
	struct choosing *ch = ctx;
	const struct metrics_event *event = metrics_find_event(ch->m, name, ch->text);
	const struct metrics_row *row;
	int node;

	if (event)
		return add_event(ch, event, name, why);
	row = metrics_find_row(ch->m, name, ch->text);
	if (row)
		return read_row(ch, row, depth, why);
	node = find_word(ch, name, why);
	if (node == -ENOENT) {
		const struct metrics_event itself = {.event = span_of(name),
						     .text = (uint8_t)ch->text};

		node = add_event(ch, &itself, name, why);
	}
	return node;
}

static int parse_row(struct choosing *ch, const struct metrics_row *row, unsigned depth,
		     struct reason *why)
{
	const struct formula_names names = {find_in_choice, ch};
	const unsigned text = ch->text;
	size_t at;
	int node;

	ch->text = row->text;
	node = formula_parse(&ch->c->pool, row->formula.at, row->formula.n, depth, &names, &at,
			     why);
	ch->text = text;
	if (node >= 0 || ch->told)
		return node;
	ch->told = true;
	return metrics_refuse(ch->m, row->text, row->line, row->column + (unsigned)at, why, "%s",
			      why->text);
}

static int read_row(struct choosing *ch, const struct metrics_row *row, unsigned depth,
		    struct reason *why)
{
	const unsigned i = (unsigned)(row - ch->m->row);
	int node;

	if (ch->c->state[i] == ROW_READ)
		return ch->c->root[i];
	if (ch->c->state[i] == ROW_BEING_READ)
		return refuse(why, EINVAL, "'%.*s' is made of itself", (int)row->name.n,
			      row->name.at);
	ch->c->state[i] = ROW_BEING_READ;
	node = parse_row(ch, row, depth, why);
	if (node < 0)
		return node;
	ch->c->state[i] = ROW_READ;
	ch->c->root[i] = (uint16_t)node;
	return node;
}

/* --- Chosen metrics --- */

static void split_unit(struct metric_chosen *to, struct metrics_span unit)
{
	const size_t taken = unit.n ? real_read(&to->factor, unit.at, unit.n) : 0;

	if (!taken)
		to->factor = real_of(1);
	to->unit = unit;
	if (!unit.n)
		return;
	unit.at += taken;
	unit.n -= (unsigned)taken;
	while (unit.n && *unit.at == ' ') {
		unit.at++;
		unit.n--;
	}
	to->unit = unit;
}

static bool is_chosen(const struct metric_choice *c, const struct metrics_row *row)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->metric[i].row == row)
			return true;
	return false;
}

static int choose_row(struct choosing *ch, const struct metrics_row *row, struct reason *why)
{
	struct metric_choice *c = ch->c;
	struct metric_chosen *to = &c->metric[c->n];
	int node;

	if (is_chosen(c, row))
		return 0;
	if (c->n == METRICS_CHOSEN)
		return refuse(why, E2BIG, "a command has at most %d metrics", METRICS_CHOSEN);
	node = read_row(ch, row, 0, why);
	if (node < 0)
		return node;
	*to = (struct metric_chosen){.row = row, .root = (unsigned)node};
	to->events = formula_events(&c->pool, to->root);
	split_unit(to, row->unit);
	c->n++;
	return 0;
}

static bool span_matches(struct metrics_span span, const char *name, size_t n)
{
	char copy[METRICS_NAME_MAX + 1];

	if (glob_is_pattern(name, n))
		return glob_match(span.at, span.n, name, n);
	if (n > METRICS_NAME_MAX)
		return false;
	memcpy(copy, name, n);
	copy[n] = '\0';
	return span_is(span, copy);
}

static bool is_meant(const struct metrics *m, const struct metrics_row *row, const char *name,
		     size_t n)
{
	if (row->is_helper)
		return false;
	return span_matches(row->name, name, n) ||
	       (row->group != METRICS_NO_GROUP && span_matches(m->group[row->group].name, name, n));
}

struct metrics_span metrics_suggest(const struct metrics *m, const char *typed, size_t n)
{
	char known[METRICS_NAME_MAX + 1];

	for (unsigned i = 0; i < m->nrows + m->ngroups; i++) {
		const bool is_row = i < m->nrows;
		const struct metrics_span name =
			is_row ? m->row[i].name : m->group[i - m->nrows].name;

		memcpy(known, name.at, name.n);
		known[name.n] = '\0';
		if (!(is_row && m->row[i].is_helper) && near_word(typed, n, known))
			return name;
	}
	return (struct metrics_span){"", 0};
}

static int refuse_metric(const struct metrics *m, const char *name, size_t n, struct reason *why)
{
	const struct metrics_span near = metrics_suggest(m, name, n);
	const char *of = m->uarch ? m->uarch->name : "this CPU";

	if (near.n)
		return refuse(why, EINVAL, "there is no metric '%.*s' for %s; did you mean '%.*s'?",
			      (int)n, name, of, (int)near.n, near.at);
	return refuse(why, EINVAL, "there is no metric '%.*s' for %s; `list metrics` has them",
		      n > 60 ? 60 : (int)n, name, of);
}

static struct choosing choosing_of(struct metric_choice *c, const struct metrics *m,
				   const struct metrics_world *world)
{
	return (struct choosing){.c = c, .m = m, .world = world};
}

void metrics_choose_begin(struct metric_choice *c)
{
	c->n = c->nevents = c->ngroups = 0;
	c->pool.n = 0;
	memset(c->state, ROW_UNREAD, sizeof(c->state));
}

int metrics_choose_name(struct metric_choice *c, const struct metrics *m, const char *name,
			size_t n, const struct metrics_world *world, struct reason *why)
{
	struct choosing ch = choosing_of(c, m, world);
	bool any = false;
	int err = 0;

	if (!n)
		return refuse(why, EINVAL, "the name of a metric is missing");
	for (unsigned i = 0; i < m->nrows && !err; i++)
		if (is_meant(m, &m->row[i], name, n)) {
			any = true;
			err = choose_row(&ch, &m->row[i], why);
		}
	return err || any ? err : refuse_metric(m, name, n, why);
}

int metrics_choose_text(struct metric_choice *c, const struct metrics *m, unsigned text,
			const struct metrics_world *world, struct reason *why)
{
	struct choosing ch = choosing_of(c, m, world);
	bool any = false;
	int err = 0;

	for (unsigned i = 0; i < m->nrows && !err; i++)
		if (m->row[i].text == text && !m->row[i].is_helper) {
			any = true;
			err = choose_row(&ch, &m->row[i], why);
		}
	if (err || any)
		return err;
	return refuse(why, EINVAL, "%s: it has no metric%s%s", m->where[text],
		      m->uarch ? " for " : "", m->uarch ? m->uarch->name : "");
}

const char *metrics_item(const char **at, size_t *n)
{
	const char *item = *at;
	unsigned depth = 0;

	if (!item)
		return NULL;
	for (*n = 0; item[*n] && (depth || item[*n] != ','); ++*n) {
		depth += item[*n] == '{';
		depth -= depth && item[*n] == '}';
	}
	*at = item[*n] ? item + *n + 1 : NULL;
	return item;
}

/* --- Groups --- */

/* The metric with the most events comes first: others may share its group. */
static unsigned next_largest(const struct metric_choice *c, uint64_t done)
{
	unsigned best = c->n;

	for (unsigned i = 0; i < c->n; i++)
		if (!(done >> i & 1) &&
		    (best == c->n ||
		     bits_count(c->metric[i].events) > bits_count(c->metric[best].events)))
			best = i;
	return best;
}

/* The first group that contains all of the events. */
static unsigned group_with(const struct metric_choice *c, uint64_t events, bool fits)
{
	unsigned g = 0;

	while (g < c->ngroups && ((events & ~c->group[g]) || c->group_fits[g] != fits))
		g++;
	return g;
}

static bool group_fits(const struct metric_choice *c, unsigned g, const struct metrics_world *world)
{
	static char list[METRICS_LIST_MAX];

	if (!world->fits)
		return true;
	metrics_list_group(c, g, list);
	return world->fits(world->ctx, list);
}

/* The first group with room for the events beside its own. */
static unsigned group_with_room(struct metric_choice *c, uint64_t events,
				const struct metrics_world *world)
{
	unsigned g;

	for (g = 0; world->fits && g < c->ngroups; g++) {
		const uint64_t before = c->group[g];

		if (!c->group_fits[g])
			continue;
		c->group[g] |= events;
		if (group_fits(c, g, world))
			return g;
		c->group[g] = before;
	}
	return c->ngroups;
}

static void place_metric(struct metric_choice *c, struct metric_chosen *metric,
			 const struct metrics_world *world)
{
	const unsigned next = c->ngroups;
	bool fits;

	metric->group = 0;
	if (!metric->events)
		return;
	c->group[next] = metric->events;
	fits = group_fits(c, next, world);
	metric->group = group_with(c, metric->events, fits);
	if (metric->group == next && fits)
		metric->group = group_with_room(c, metric->events, world);
	if (metric->group == next) {
		c->group_fits[next] = fits;
		c->ngroups++;
	}
}

/* A metric without events is printed with one that has some. */
int metrics_choose_end(struct metric_choice *c, const struct metrics_world *world,
		       struct reason *why)
{
	uint64_t done = 0;

	c->ngroups = 0;
	for (unsigned k = 0; k < c->n; k++) {
		const unsigned i = next_largest(c, done);

		done |= 1ull << i;
		if (!k && !c->metric[i].events)
			return refuse(why, EINVAL, "metric '%.*s' counts no event",
				      (int)c->metric[i].row->name.n, c->metric[i].row->name.at);
		place_metric(c, &c->metric[i], world);
	}
	return 0;
}

/* `slots` leads its group: without it, the fractions of PERF_METRICS have no base. */
static bool leads(const struct metric_choice *c, unsigned event)
{
	return span_is(span_of(c->event[event].name), "slots");
}

unsigned metrics_place(const struct metric_choice *c, unsigned g, unsigned event)
{
	const uint64_t before = c->group[g] & ((1ull << event) - 1);
	unsigned place = bits_count(before);

	if (leads(c, event))
		return 0;
	for (unsigned i = event + 1; i < c->nevents; i++)
		place += (c->group[g] >> i & 1) && leads(c, i);
	return place;
}

unsigned metrics_group_size(const struct metric_choice *c, unsigned g)
{
	return bits_count(c->group[g]);
}

void metrics_list_group(const struct metric_choice *c, unsigned g, char list[METRICS_LIST_MAX])
{
	const unsigned n = bits_count(c->group[g]);
	int at = fmt_print(list, METRICS_LIST_MAX, "%s", n > 1 ? "{" : "");

	for (unsigned place = 0; place < n; place++)
		for (unsigned i = 0; i < c->nevents; i++)
			if ((c->group[g] >> i & 1) && metrics_place(c, g, i) == place)
				at += fmt_print(list + at, METRICS_LIST_MAX - (size_t)at, "%s%s",
						place ? "," : "", c->event[i].text);
	if (n > 1)
		fmt_print(list + at, METRICS_LIST_MAX - (size_t)at, "}:W");
}

struct real metrics_value(struct metric_choice *c, unsigned i, const struct real *count,
			  struct real time)
{
	const struct metric_chosen *metric = &c->metric[i];

	return real_multiply(formula_value(&c->pool, metric->root, count, time), metric->factor);
}
