// SPDX-License-Identifier: BSD-2-Clause
/* metric_names.c - see metric_names.h. */
#include "tools/events/metric_names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/metrics/choose.h"
#include "pmu/metrics/shipped.h"
#include "pmu/names/parse.h"
#include "tools/events/eventnames.h"
#include "tools/events/suggest.h"
#include "tools/util/ending.h"
#include "tools/util/plainbuf.h"
#include "tools/util/quote.h"
#include "tools/util/wholefile.h"

static struct metrics known;
static struct metric_choice choice;

/* A name in formulas, and its event encoded for the image. */
struct resolved {
	char *name, *event;
};

struct encoding {
	const struct events_machine *machine;
	const struct uarch *uarch; /* NULL: unknown */
	struct metrics_world world;
	struct resolved resolved[METRICS_ITS_EVENTS];
	unsigned nresolved;
};

/* --- Events --- */

struct like_search {
	const char *typed;
	char found[METRICS_EVENT_MAX];
};

static void look_at_like(void *ctx, const char *name)
{
	struct like_search *s = ctx;

	if (!*s->found && strlen(name) < sizeof(s->found) &&
	    span_like((struct metrics_span){name, (unsigned)strlen(name)}, s->typed))
		snprintf(s->found, sizeof(s->found), "%s", name);
}

/* Finds the name of libpfm4 for one of LIKWID, which has underscores in place of Intel's dot. */
static void find_like(const struct encoding *e, char *out)
{
	struct like_search s = {.typed = out};

	event_words_each(e->machine->uarch, look_at_like, &s);
	if (*s.found)
		memcpy(out, s.found, sizeof(s.found));
}

/* Suggests a near name; without one, the reason stays unchanged. */
static int suggest_event(const struct encoding *e, const char *text, struct reason *why)
{
	char near[PMU_SPEC_NAME_MAX];

	if (!event_suggest(text, e->uarch, e->machine->uarch->files, e->machine->image, near,
			   sizeof(near)))
		return -EINVAL;
	return refuse(why, EINVAL, "there is no event '%s' for %s; did you mean '%s'?", text,
		      e->uarch->name, near);
}

static int refuse_event(const struct encoding *e, const char *text,
			const struct pmu_parse_error *error, struct reason *why)
{
	refuse(why, EINVAL, "there is no event '%s' for %s", text, e->uarch->name);
	if (strchr(text, '/'))
		return refuse(why, EINVAL, "event '%s': %s", text, error->text);
	return suggest_event(e, text, why);
}

static bool is_event(const struct encoding *e, const char *text, struct pmu_parse_error *error)
{
	static struct pmu_event_spec spec[2];
	const struct pmu_namer namer = {.uarch = e->uarch};

	return pmu_parse_events_named(text, &namer, spec, 2, error) == 1;
}

static void note_resolved(struct encoding *e, const char *name, const char *event)
{
	for (unsigned i = 0; i < e->nresolved; i++)
		if (!strcmp(e->resolved[i].name, name))
			return;
	if (e->nresolved < METRICS_ITS_EVENTS)
		e->resolved[e->nresolved++] = (struct resolved){copy_text(name, strlen(name)),
								copy_text(event, strlen(event))};
}

static int resolve_event(void *ctx, const char *name, bool likwid, char *out, struct reason *why)
{
	struct encoding *e = ctx;
	struct pmu_parse_error error;
	struct buf encoded = {0};
	struct guest_uarch guest;
	int err = 0;

	if (!e->uarch) {
		note_resolved(e, name, out);
		return 0;
	}
	if (likwid && !is_event(e, out, &error))
		find_like(e, out);
	guest = *e->machine->uarch;
	if (uarch_has_core(e->uarch, 0))
		guest.core = UARCH_CORE; /* a value belongs to one kind of cores */
	err = events_encode(&encoded, out, &guest, why);
	if (err)
		err = suggest_event(e, out, why);
	else if (!is_event(e, buf_text(&encoded), &error))
		err = refuse_event(e, out, &error, why);
	if (!err && encoded.size >= METRICS_EVENT_MAX)
		err = refuse(why, E2BIG, "event '%s' has more than %d characters", out,
			     METRICS_EVENT_MAX - 1);
	if (!err) {
		memcpy(out, buf_text(&encoded), encoded.size + 1);
		note_resolved(e, name, out);
	}
	buf_free(&encoded);
	return err;
}

/* --- Text for the image --- */

/* Adds text, and replaces characters that would end a line or the whole list. */
static void add_span(struct buf *out, struct metrics_span span)
{
	for (unsigned i = 0; i < span.n; i++) {
		const char c = span.at[i];

		buf_printf(out, "%c", c == ';' ? ',' : c == '{' ? '(' : c == '}' ? ')' : c);
	}
}

static void add_clause(struct buf *out, const char *keyword, struct metrics_span what)
{
	if (!what.n)
		return;
	buf_printf(out, "%s%s ", out->data[out->size - 1] == '{' ? "" : ";", keyword);
	add_span(out, what);
}

static void add_metric_row(struct buf *out, const struct metrics_row *row)
{
	if (row->is_helper) {
		add_clause(out, "let", row->name);
		buf_printf(out, " ");
		add_span(out, row->formula);
		return;
	}
	add_clause(out, "metric", row->name);
	add_clause(out, "formula", row->formula);
	add_clause(out, "unit", row->unit);
}

static void encode_metric_text(struct buf *out, const struct encoding *e, unsigned text)
{
	buf_printf(out, "{");
	for (unsigned i = 0; i < e->nresolved; i++) {
		const struct resolved *r = &e->resolved[i];

		if (!strcmp(r->name, r->event))
			continue;
		add_clause(out, "event", (struct metrics_span){r->name, (unsigned)strlen(r->name)});
		buf_printf(out, " %s", r->event);
	}
	for (unsigned i = 0; i < known.nrows; i++)
		if (known.row[i].text == text)
			add_metric_row(out, &known.row[i]);
	buf_printf(out, "}");
}

static int encode_text(struct buf *out, struct encoding *e, const char *where, const char *text,
		       size_t n, char end, struct reason *why)
{
	const unsigned number = known.ntexts;
	int err = metrics_read(&known, where, text, n, end, why);

	metrics_choose_begin(&choice);
	e->nresolved = 0;
	if (!err)
		err = metrics_choose_text(&choice, &known, number, &e->world, why);
	if (!err)
		err = metrics_choose_end(&choice, &e->world, why);
	if (!err)
		encode_metric_text(out, e, number);
	/* drops the text */
	return err ? err : metrics_begin_shipped(&known, e->uarch, why);
}

/* --- Files --- */

static bool is_path(const char *item)
{
	return strchr(item, '/') || ends_in(item, ".txt") ||
	       (!metrics_find_row(&known, item, 0) && !access(item, R_OK));
}

static int encode_file(struct buf *out, struct encoding *e, const char *path, struct reason *why)
{
	struct buf text = {0};
	int err = whole_file_read(&text, path, METRICS_SIZE_MAX, why);

	if (!err)
		err = encode_text(out, e, path, buf_text(&text), text.size, '\n', why);
	buf_free(&text);
	return err;
}

/* --- Words --- */

static int begin_encoding(struct encoding *e, const struct events_machine *machine,
			  struct reason *why)
{
	*e = (struct encoding){
		.machine = machine,
		.uarch = machine->uarch ? uarch_by_name(machine->uarch->name) : NULL,
		.world = {.elsewhere = true, .event = resolve_event, .ctx = e},
	};
	return metrics_begin_shipped(&known, e->uarch, why);
}

static int choose_metric(struct encoding *e, const char *name, size_t n, struct reason *why)
{
	if (!e->uarch)
		return 0;
	metrics_choose_begin(&choice);
	return metrics_choose_name(&choice, &known, name, n, &e->world, why);
}

/* Encodes a {TEXT}, a file or a name. */
static int encode_item(struct buf *out, struct encoding *e, const char *item, struct reason *why)
{
	const size_t n = strlen(item);
	int err;

	if (*item == '{' && item[n - 1] != '}')
		return refuse(why, EINVAL, "the bracket } behind {TEXT is missing");
	if (*item == '{')
		return encode_text(out, e, "{...}", item + 1, n - 2, ';', why);
	if (is_path(item))
		return encode_file(out, e, item, why);
	err = choose_metric(e, item, n, why);
	buf_printf(out, "%s", item);
	return err;
}

static int encode_metrics(const char **word, size_t prefix, const struct events_machine *machine,
			  struct reason *why)
{
	const char *list = *word + prefix, *item;
	static struct encoding e;
	struct buf out = {0};
	size_t n;
	int err = begin_encoding(&e, machine, why);

	buf_add(&out, *word, prefix);
	for (bool first = true; !err && (item = metrics_item(&list, &n)); first = false) {
		char *copy = copy_text(item, n);

		buf_printf(&out, "%s", first ? "" : ",");
		err = encode_item(&out, &e, copy, why);
		free(copy);
	}
	if (err) {
		struct reason what = *why;

		buf_free(&out);
		return refuse(why, EINVAL, "-M: %s", what.text);
	}
	*word = buf_text(&out);
	return 0;
}

/* Returns the offset of the value inside of the word; 0: the word is another option, or its
 * value is the next word. */
static size_t value_at(const char *word)
{
	if (!strncmp(word, "-M", 2))
		return word[2] ? 2 : 0;
	return strncmp(word, "--metrics=", 10) ? 0 : 10;
}

static bool is_metrics_option(const char *word)
{
	return !strcmp(word, "-M") || !strcmp(word, "--metrics");
}

static int check_topdown(const char *level, const struct events_machine *machine,
			 struct reason *why)
{
	char group[] = "TopdownL1";
	const char *word = group;

	if (level && level[0] >= '1' && level[0] <= '9' && !level[1])
		group[sizeof(group) - 2] = level[0];
	return encode_metrics(&word, 0, machine, why);
}

static bool ends_options(const char *word)
{
	return !word || !strcmp(word, "--") || is_separator(word);
}

static const char *option_value(const char **words, const char *name)
{
	const size_t n = strlen(name);

	for (; !ends_options(*words); words++) {
		if (!strcmp(*words, name))
			return words[1] ? words[1] : "";
		if (!strncmp(*words, name, n) && (*words)[n] == '=')
			return *words + n + 1;
	}
	return NULL;
}

static int encode_options(const char **words, const struct events_machine *machine,
			  struct reason *why)
{
	int err = 0;

	if (option_value(words, "--topdown"))
		err = check_topdown(option_value(words, "--td-level"), machine, why);
	for (const char **word = words; !err && !ends_options(*word); word++) {
		const size_t at = value_at(*word);

		if (at)
			err = encode_metrics(word, at, machine, why);
		else if (is_metrics_option(*word) && word[1])
			err = encode_metrics(++word, 0, machine, why);
	}
	return err;
}

int metrics_encode_words(const char **words, const struct events_machine *machine,
			 void (*refused)(const char *command, const char *what), struct reason *why)
{
	for (; *words; words = command_next(words)) {
		const char *command = *words;
		struct reason what;

		if (strcmp(command, "stat") && strcmp(command, "bench"))
			continue;
		if (!encode_options(words + 1, machine, &what))
			continue;
		if (!refused)
			return refuse(why, EINVAL, "%s: %s", command, what.text);
		refused(command, what.text);
	}
	return 0;
}

/* --- Lists --- */

static bool has_part(struct metrics_span span, const char *part)
{
	const size_t n = strlen(part);

	for (size_t i = 0; i + n <= span.n; i++)
		if (!strncasecmp(span.at + i, part, n))
			return true;
	return false;
}

static bool is_listed(const struct metrics_row *row, const char *part)
{
	if (row->is_helper)
		return false;
	return !part || has_part(row->name, part) || has_part(row->about, part) ||
	       has_part(known.group[row->group].name, part);
}

static void print_metric_json(const struct metrics_row *row, bool first)
{
	const struct {
		const char *key;
		struct metrics_span value;
	} members[] = {{"name", row->name},
		       {"group", known.group[row->group].name},
		       {"unit", row->unit},
		       {"text", row->about},
		       {"formula", row->formula}};

	printf("%s{", first ? "\n" : ",\n");
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		char *value = copy_text(members[i].value.at, members[i].value.n);
		struct buf text = {0};

		plain_add_json(&text, value);
		printf("%s\"%s\":%s", i ? "," : "", members[i].key, buf_text(&text));
		buf_free(&text);
		free(value);
	}
	printf("}");
}

static void print_group_heading(const struct metrics_group *group)
{
	printf("\n%.*s: %.*s\n", (int)group->name.n, group->name.at, (int)group->about.n,
	       group->about.at);
}

static int print_group(unsigned g, const char *part, bool json, int n)
{
	bool any = false;

	for (unsigned i = 0; i < known.nrows; i++) {
		const struct metrics_row *row = &known.row[i];

		if (row->group != g || !is_listed(row, part))
			continue;
		if (json) {
			print_metric_json(row, !n);
		} else {
			if (!any)
				print_group_heading(&known.group[g]);
			printf("  %-32.*s %.*s\n", (int)row->name.n, row->name.at,
			       (int)row->about.n, row->about.at);
		}
		any = true;
		n++;
	}
	return n;
}

int metrics_print_list(const struct uarch *uarch, const char *part, bool json, struct reason *why)
{
	int n = 0, err = metrics_begin_shipped(&known, uarch, why);

	if (err)
		return err;
	printf("%s", json ? "[" : "");
	for (unsigned g = 0; g < known.ngroups; g++)
		n = print_group(g, part, json, n);
	printf("%s", json ? "\n]\n" : "");
	return n;
}
