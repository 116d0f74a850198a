// SPDX-License-Identifier: BSD-2-Clause
/* rules.c - see rules.h. */
#include "lib/words/rules.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/option_words.h"

#include <linux/errno.h>

#define OTHERS_MOST 8

enum relation { EXCLUDES, NEEDS };

struct rule {
	uint64_t takers;
	enum relation relation;
	unsigned option; /* enum option_id or enum option_fact, as each of `others` */
	const char *why; /* NULL: the option names explain it */
	unsigned others[OTHERS_MOST], nothers;
};

static const struct rule rules[] = {
#define RULE(takers_, relation_, option_, why_, ...) \
	{.takers = (takers_),                        \
	 .relation = (relation_),                    \
	 .option = (option_),                        \
	 .why = (why_),                              \
	 .others = {__VA_ARGS__},                    \
	 .nothers = sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned)},
#include "include/perf0/option_rules.h"
};

static void add_to_set(struct option_set *set, unsigned subject)
{
	set->bits[subject / 64] |= 1ull << subject % 64;
}

static bool is_in_set(const struct option_set *set, unsigned subject)
{
	return set->bits[subject / 64] >> subject % 64 & 1;
}

void option_given(struct option_set *set, enum option_id id, const char *value)
{
	add_to_set(set, id);
	if (option_row(id)->kind == OPTION_PAGES && strchr(value, ','))
		add_to_set(set, FACT_AUX_PAGES);
}

void option_fact(struct option_set *set, enum option_fact fact)
{
	add_to_set(set, fact);
}

/*
 * The label of an option or fact: "--cpu", or the letter where another option of `takers` has the
 * name.
 */
static const char *subject_label(uint64_t takers, unsigned subject, char label[OPTION_LABEL_MAX])
{
	const struct option_row *row;

	if (subject == FACT_TRACES)
		return "an event that traces (step_trace//)";
	if (subject == FACT_AUX_PAGES)
		return "the second number of --mmap-pages";
	row = option_row((enum option_id)subject);
	if (!row->name || option_by_name(takers, row->name, strlen(row->name)) == subject)
		return option_label(row, label);
	fmt_print(label, OPTION_LABEL_MAX, "-%c", row->letter);
	return label;
}

/* The first of the other options that is set; NULL: none is. */
static const unsigned *given_other(const struct rule *rule, const struct option_set *set)
{
	for (unsigned i = 0; i < rule->nothers; i++)
		if (is_in_set(set, rule->others[i]))
			return &rule->others[i];
	return NULL;
}

static bool is_of_events(const struct rule *rule)
{
	for (unsigned i = 0; i < rule->nothers; i++)
		if (rule->others[i] == FACT_TRACES)
			return true;
	return false;
}

static int refuse_pair(const struct rule *rule, uint64_t takers, unsigned other, struct reason *why)
{
	char first[OPTION_LABEL_MAX], second[OPTION_LABEL_MAX];

	return refuse(why, EINVAL, "%s and %s exclude each other: %s",
		      subject_label(takers, rule->option, first),
		      subject_label(takers, other, second), rule->why);
}

static bool takes_subject(uint64_t takers, unsigned subject)
{
	return subject >= OPTIONS || option_row((enum option_id)subject)->takers & takers;
}

/* Lists the other options that `takers` have. */
static void list_others(const struct rule *rule, uint64_t takers, char *list, size_t size)
{
	char label[OPTION_LABEL_MAX];
	size_t n = 0;

	list[0] = '\0';
	for (unsigned i = 0; i < rule->nothers; i++)
		if (takes_subject(takers, rule->others[i]))
			n += (size_t)fmt_print(list + n, size - n, "%s%s", n ? " or " : "",
					       subject_label(takers, rule->others[i], label));
}

static int refuse_alone(const struct rule *rule, uint64_t takers, struct reason *why)
{
	char label[OPTION_LABEL_MAX], others[OPTION_LABELS_MAX];

	list_others(rule, takers, others, sizeof(others));
	return refuse(why, EINVAL, "%s needs %s%s%s", subject_label(takers, rule->option, label),
		      others, rule->why ? ": " : "", rule->why ? rule->why : "");
}

static int follow_rule(const struct rule *rule, uint64_t takers, const struct option_set *set,
		       struct reason *why)
{
	const unsigned *other = given_other(rule, set);

	if (!is_in_set(set, rule->option))
		return 0;
	if (rule->relation == NEEDS)
		return other ? 0 : refuse_alone(rule, takers, why);
	return other ? refuse_pair(rule, takers, *other, why) : 0;
}

int options_agree(uint64_t takers, const struct option_set *set, bool events_known,
		  struct reason *why)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *rule = &rules[i];
		int err = 0;

		if (rule->takers & takers && (events_known || !is_of_events(rule)))
			err = follow_rule(rule, takers, set, why);
		if (err)
			return err;
	}
	return 0;
}

bool option_rule(size_t i, uint64_t takers, struct option_rule *rule)
{
	const struct rule *r = i < sizeof(rules) / sizeof(rules[0]) ? &rules[i] : NULL;
	char label[OPTION_LABEL_MAX];

	if (!r)
		return false;
	*rule = (struct option_rule){.needs = r->relation == NEEDS, .why = r->why};
	fmt_print(rule->option, sizeof(rule->option), "%s",
		  subject_label(takers, r->option, label));
	list_others(r, takers, rule->others, sizeof(rule->others));
	rule->applies = r->takers & takers && rule->others[0];
	return true;
}
