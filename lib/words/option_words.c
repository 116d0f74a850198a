// SPDX-License-Identifier: BSD-2-Clause
/* option_words.c - see option_words.h. */
#include "lib/words/option_words.h"

#include "lib/words/cpulist.h"
#include "lib/words/near.h"
#include "lib/words/number.h"
#include "lib/words/sampled.h"
#include "lib/panic.h"
#include "lib/printf.h"
#include "lib/string.h"

#include <linux/errno.h>

static const struct option_row rows[OPTIONS] = {
#define OPTION(id, takers_, letter_, name_, kind_, operand_, group_, help_, ...) \
	[OPT_##id] = {.takers = (takers_),                                       \
		      .letter = (letter_),                                       \
		      .name = (name_),                                           \
		      .kind = (kind_),                                           \
		      .operand = (operand_),                                     \
		      .group = (group_),                                         \
		      .help = help_,                                             \
		      __VA_ARGS__},
#include "include/perf0/option_rows.h"
};

const struct option_row *option_row(enum option_id id)
{
	return &rows[id];
}

static const struct perf_option {
	uint64_t takers;
	char letter;
	const char *name, *reason;
} perf_options[] = {
#define PERF_OPTION(takers_, letter_, name_, reason_) {(takers_), (letter_), name_, reason_},
#include "include/perf0/perf_option_rows.h"
};

bool option_may_be_bare(const struct option_row *row)
{
	return row->kind == OPTION_REGISTERS || row->kind == OPTION_RANGE ||
	       row->kind == OPTION_MOST;
}

bool option_is_bare(const struct option_row *row)
{
	return row->kind == OPTION_FLAG || row->kind == OPTION_TIMES;
}

enum option_id option_by_letter(uint64_t takers, char letter)
{
	unsigned id = 0;

	while (id < OPTIONS && !(letter && rows[id].takers & takers && rows[id].letter == letter))
		id++;
	return (enum option_id)id;
}

static bool has_name(const struct option_row *row, const char *name, size_t n)
{
	return row->name && strlen(row->name) == n && !strncmp(row->name, name, n);
}

enum option_id option_by_name(uint64_t takers, const char *name, size_t n)
{
	unsigned id = 0;

	while (id < OPTIONS && !(rows[id].takers & takers && has_name(&rows[id], name, n)))
		id++;
	return (enum option_id)id;
}

const char *option_label(const struct option_row *row, char label[OPTION_LABEL_MAX])
{
	if (row->name)
		fmt_print(label, OPTION_LABEL_MAX, "--%s", row->name);
	else
		fmt_print(label, OPTION_LABEL_MAX, "-%c", row->letter);
	return label;
}

/* --- Operands --- */

int option_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMGT";
	uint64_t n = 0;

	if (*text < '0' || *text > '9')
		return -EINVAL;
	for (; *text >= '0' && *text <= '9'; text++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*text - '0'), &n))
			return -EINVAL;
	for (size_t i = 0; *text && units[i]; i++) {
		if (__builtin_mul_overflow(n, 1024, &n))
			return -EINVAL;
		if (*text == units[i]) {
			text++;
			break;
		}
	}
	*bytes = n;
	return *text || !n ? -EINVAL : 0;
}

static bool is_number_in_range(const struct option_row *row, const char *text)
{
	uint64_t n;

	return !number_parse(text, &n) && n >= row->min && n <= row->max;
}

/* Moves to the next of the words that bars separate; returns its length, 0: there is none. */
static size_t next_alternative(const char **at)
{
	size_t n = 0;

	*at += **at == '|';
	while ((*at)[n] && (*at)[n] != '|')
		n++;
	return n;
}

static bool is_word_listed(const char *list, const char *word)
{
	size_t n;

	for (; (n = next_alternative(&list)); list += n)
		if (strlen(word) == n && !strncmp(word, list, n))
			return true;
	return false;
}

/* Turns "a|b|c" into "a, b or c". */
static void spell_out(const char *list, char *out, size_t size)
{
	const char *between = "";
	size_t n, used = 0;

	for (; (n = next_alternative(&list)); list += n) {
		if (*between)
			between = list[n] ? ", " : " or ";
		used += (size_t)fmt_print(out + used, size - used, "%s%.*s", between, (int)n, list);
		between = ", ";
	}
}

static int refuse_value(const struct option_row *row, const char *value, const char *wanted,
			struct reason *why)
{
	char label[OPTION_LABEL_MAX];

	return refuse(why, EINVAL, "%s: '%s' is not %s", option_label(row, label), value, wanted);
}

static int check_number(const struct option_row *row, const char *value, struct reason *why)
{
	char label[OPTION_LABEL_MAX];

	if (is_number_in_range(row, value))
		return 0;
	return refuse(why, EINVAL, "%s: '%s' is not a number from %llu to %llu",
		      option_label(row, label), value, (unsigned long long)row->min,
		      (unsigned long long)row->max);
}

/* Each kind of error has its own message. */
static int check_range(const struct option_row *row, const char *value, struct reason *why)
{
	char label[OPTION_LABEL_MAX];
	uint64_t from, to;
	const int err = *value ? number_range(value, &from, &to) : 0;

	if (!*value)
		return 0;
	option_label(row, label);
	if (err == -ERANGE)
		return refuse(why, EINVAL, "%s: '%s' ends before it begins: %llu-%llu", label,
			      value, (unsigned long long)to, (unsigned long long)from);
	if (!err && from >= row->min && to <= row->max)
		return 0;
	return refuse(why, EINVAL, "%s: '%s' is not a range FROM-TO of %llu to %llu", label, value,
		      (unsigned long long)row->min, (unsigned long long)row->max);
}

const char *option_words(const struct option_row *row)
{
	return row->words ? row->words : row->operand;
}

static int check_word(const struct option_row *row, const char *value, struct reason *why)
{
	char wanted[96];

	if (is_word_listed(option_words(row), value))
		return 0;
	if (row->what)
		return refuse_value(row, value, row->what, why);
	spell_out(row->operand, wanted, sizeof(wanted));
	return refuse_value(row, value, wanted, why);
}

static int check_pages_part(const struct option_row *row, const char *text, size_t n,
			    struct reason *why)
{
	char number[24], label[OPTION_LABEL_MAX];
	uint64_t pages;

	if (n < sizeof(number)) {
		memcpy(number, text, n);
		number[n] = '\0';
		if (!number_pages(number, &pages) && pages <= row->max)
			return 0;
	}
	return refuse(why, EINVAL,
		      "%s: '%.*s' is neither a number of pages, 1 to %llu, nor a size with B, K, M "
		      "or G",
		      option_label(row, label), (int)n, text, (unsigned long long)row->max);
}

/* The first number may be left out. */
static int check_pages(const struct option_row *row, const char *value, struct reason *why)
{
	const char *comma = strchr(value, ',');
	const size_t n = comma ? (size_t)(comma - value) : strlen(value);
	int err = 0;

	if (comma != value)
		err = check_pages_part(row, value, n, why);
	if (!err && comma)
		err = check_pages_part(row, comma + 1, strlen(comma + 1), why);
	return err;
}

static int check_value_size(const struct option_row *row, const char *value, struct reason *why)
{
	uint64_t bytes;

	if (!option_size(value, &bytes))
		return 0;
	return refuse_value(row, value, "a size: bytes, or a number and K, M, G or T", why);
}

/* Checks the syntax only; the CPUs of the machine are known later. */
static int check_cpus(const char *value, struct reason *why)
{
	struct cpumask ignored;

	return cpulist_read(value, CPUMASK_CPUS, &ignored, why);
}

/* Checks the syntax only. */
static int check_nodes(const char *value, struct reason *why)
{
	const unsigned most = 64;
	uint64_t ignored;

	return nodelist_read(value, most, &ignored, why);
}

/* Refuses a value with the reason of `check`, after the option's name. */
static int check_sampled(const struct option_row *row, int (*check)(const char *, struct reason *),
			 const char *value, struct reason *why)
{
	char label[OPTION_LABEL_MAX];
	struct reason what;

	if (!check(value, &what))
		return 0;
	return refuse(why, EINVAL, "%s: %s", option_label(row, label), what.text);
}

static int check_register_list(const char *value, struct reason *why)
{
	uint64_t ignored;

	return registers_read(value, &ignored, why);
}

static int check_branch_filter(const char *value, struct reason *why)
{
	uint64_t ignored;

	return branch_filter_read(value, &ignored, why);
}

static int check_unwind(const char *value, struct reason *why)
{
	struct call_graph ignored;

	return call_graph_read(value, &ignored, why);
}

static int check_clock(const char *value, struct reason *why)
{
	int ignored;

	return clock_read(value, &ignored, why);
}

int option_check(const struct option_row *row, const char *value, struct reason *why)
{
	switch (row->kind) {
	case OPTION_NUMBER:
		return check_number(row, value, why);
	case OPTION_RATE:
		if (!strcmp(value, "max") || is_number_in_range(row, value))
			return 0;
		return refuse(why, EINVAL,
			      "-%c wants a number of samples a second, or max, not '%s'",
			      row->letter, value);
	case OPTION_SIZE:
		return check_value_size(row, value, why);
	case OPTION_PAGES:
		return check_pages(row, value, why);
	case OPTION_CPUS:
		return check_cpus(value, why);
	case OPTION_NODES:
		return check_sampled(row, check_nodes, value, why);
	case OPTION_WORD:
		return check_word(row, value, why);
	case OPTION_UNWIND:
		return check_sampled(row, check_unwind, value, why);
	case OPTION_CLOCK:
		return check_sampled(row, check_clock, value, why);
	case OPTION_BRANCHES:
		return check_sampled(row, check_branch_filter, value, why);
	case OPTION_REGISTERS:
		return check_sampled(row, check_register_list, value, why);
	case OPTION_MOST:
		return *value ? check_number(row, value, why) : 0;
	case OPTION_RANGE:
		return check_range(row, value, why);
	case OPTION_TEXT:
	case OPTION_LIST:
		return row->what && !*value ? refuse_value(row, value, row->what, why) : 0;
	case OPTION_FLAG:
	case OPTION_TIMES:
		break;
	}
	return 0;
}

/* --- Targets of values --- */

static void *target_of(const struct option_targets *sets, unsigned nsets, enum option_id id)
{
	for (unsigned s = 0; s < nsets; s++)
		for (unsigned i = 0; i < sets[s].n; i++)
			if (sets[s].row[i].id == id)
				return sets[s].row[i].target;
	panic("option %s has no target", rows[id].name);
}

static int store_list(enum option_id id, struct option_list *list, const char *value,
		      struct reason *why)
{
	if (list->n == OPTION_LIST_MAX)
		return refuse(why, EINVAL, "--%s: given more than %d times", rows[id].name,
			      OPTION_LIST_MAX);
	list->option[list->n] = id;
	list->text[list->n++] = value;
	return 0;
}

int option_store(const struct option_targets *sets, unsigned nsets, enum option_id id,
		 const char *value, struct reason *why)
{
	void *target = target_of(sets, nsets, id);
	int err = option_check(&rows[id], value, why);

	if (err)
		return err;
	switch (rows[id].kind) {
	case OPTION_FLAG:
		*(bool *)target = true;
		return 0;
	case OPTION_TIMES:
		++*(uint64_t *)target;
		return 0;
	case OPTION_NUMBER:
		return number_parse(value, target);
	case OPTION_LIST:
		return store_list(id, target, value, why);
	default:
		*(const char **)target = value;
		return 0;
	}
}

void options_defaults(uint64_t taker, const struct option_targets *sets, unsigned nsets)
{
	for (unsigned id = 0; id < OPTIONS; id++)
		if (rows[id].takers & taker && rows[id].fallback)
			option_store(sets, nsets, (enum option_id)id, rows[id].fallback, NULL);
}

/* --- Mistakes --- */

/* A similar option name; the part of `typed` from `=` on is ignored. */
static const char *near_name(uint64_t takers, const char *typed)
{
	const char *equals = strchr(typed, '=');
	const size_t n = equals ? (size_t)(equals - typed) : strlen(typed);

	for (unsigned id = 0; id < OPTIONS; id++)
		if (rows[id].takers & takers && rows[id].name && near_word(typed, n, rows[id].name))
			return rows[id].name;
	return NULL;
}

static bool is_perf_option(const struct perf_option *o, const char *word, size_t n)
{
	if (word[1] != '-')
		return o->letter && o->letter == word[1];
	return strlen(o->name) == n - 2 && !strncmp(o->name, word + 2, n - 2);
}

/*
 * The option of perf that `word` is, where the first `n` characters are its name; NULL: perf has
 * none.
 */
static const struct perf_option *find_perf_option(uint64_t takers, const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof(perf_options) / sizeof(perf_options[0]); i++)
		if (perf_options[i].takers & takers && is_perf_option(&perf_options[i], word, n))
			return &perf_options[i];
	return NULL;
}

int option_unknown(uint64_t takers, const char *word, const char *command, struct reason *why)
{
	const bool is_long = word[0] && word[1] == '-';
	const char *name = is_long ? near_name(takers, word + 2) : NULL;
	const char *equals = strchr(word, '=');
	const size_t n = is_long && equals ? (size_t)(equals - word) : strlen(word);
	const struct perf_option *perf = n > 1 ? find_perf_option(takers, word, n) : NULL;

	if (perf)
		return refuse(why, EINVAL, "%s option %.*s is not here: %s",
			      perf->takers & IMAGE_BENCH ? "nanoBench's" : "perf's", (int)n, word,
			      perf->reason);
	if (name)
		return refuse(why, EINVAL, "unknown option '%s'; did you mean '--%s'?", word, name);
	if (command)
		return refuse(why, EINVAL, "unknown option '%s'; see `help %s`", word, command);
	return refuse(why, EINVAL, "unknown option '%s'", word);
}

/* --- Help --- */

#define HELP_COLUMN 25
#define HELP_WIDTH  80

struct printer {
	void (*put)(void *ctx, const char *text);
	void *ctx;
	size_t column;
};

static void put_help_text(struct printer *p, const char *text)
{
	p->put(p->ctx, text);
	p->column += strlen(text);
}

static void indent_help(struct printer *p)
{
	while (p->column < HELP_COLUMN)
		put_help_text(p, " ");
}

static void put_new_line(struct printer *p)
{
	p->put(p->ctx, "\n");
	p->column = 0;
}

/* Wraps the text between words, in the column HELP_COLUMN. */
static void put_wrapped(struct printer *p, const char *text)
{
	char word[HELP_WIDTH];

	while (*text) {
		size_t n = 0;

		while (text[n] && text[n] != ' ' && n < sizeof(word) - 1)
			n++;
		memcpy(word, text, n);
		word[n] = '\0';
		if (p->column > HELP_COLUMN && p->column + 1 + n > HELP_WIDTH)
			put_new_line(p);
		if (p->column > HELP_COLUMN)
			put_help_text(p, " ");
		indent_help(p);
		put_help_text(p, word);
		text += n;
		text += *text == ' ';
	}
}

static void put_operand(const struct option_row *row, bool named, char *left, size_t size)
{
	const size_t n = strlen(left);

	if (!row->operand)
		return;
	if (option_may_be_bare(row))
		fmt_print(left + n, size - n, named ? "[=%s]" : "[%s]", row->operand);
	else
		fmt_print(left + n, size - n, " %s", row->operand);
}

/* Writes "  -r, --repeat N", without a letter or name that an earlier row of `takers` has. */
static void put_left(struct printer *p, uint64_t takers, enum option_id id)
{
	const struct option_row *row = &rows[id];
	const bool lettered = row->letter && option_by_letter(takers, row->letter) == id;
	const bool named = row->name && option_by_name(takers, row->name, strlen(row->name)) == id;
	char left[64];

	if (lettered)
		fmt_print(left, sizeof(left), "  -%c", row->letter);
	else
		fmt_print(left, sizeof(left), "    ");
	if (named) {
		const size_t n = strlen(left);

		fmt_print(left + n, sizeof(left) - n, "%s--%s", lettered ? ", " : "  ", row->name);
	}
	put_operand(row, named, left, sizeof(left));
	put_help_text(p, left);
	if (p->column >= HELP_COLUMN)
		put_new_line(p);
}

static void put_range(struct printer *p, const struct option_row *row)
{
	char range[64];

	if (row->kind != OPTION_NUMBER || row->max >= OPTION_PERIOD_MOST ||
	    row->max >= OPTION_COMMAND_MOST)
		return;
	fmt_print(range, sizeof(range), "(%llu to %llu)", (unsigned long long)row->min,
		  (unsigned long long)row->max);
	put_wrapped(p, range);
}

static void put_option_help(struct printer *p, uint64_t takers, enum option_id id)
{
	const struct option_row *row = &rows[id];
	char fallback[64];

	put_left(p, takers, id);
	put_wrapped(p, row->help);
	put_range(p, row);
	if (row->fallback) {
		fmt_print(fallback, sizeof(fallback), "(default %s)", row->fallback);
		put_wrapped(p, fallback);
	}
	put_new_line(p);
}

/* False where other rows hide both the letter and the name. */
static bool is_reachable(uint64_t takers, enum option_id id)
{
	const struct option_row *row = &rows[id];

	return row->takers & takers &&
	       ((row->letter && option_by_letter(takers, row->letter) == id) ||
		(row->name && option_by_name(takers, row->name, strlen(row->name)) == id));
}

static void put_option_group(struct printer *p, uint64_t takers, enum option_group group,
			     const char *title, const bool *hidden)
{
	bool any = false;

	for (unsigned id = 0; id < OPTIONS; id++) {
		if (rows[id].group != group || !is_reachable(takers, (enum option_id)id) ||
		    (hidden && hidden[id]))
			continue;
		if (!any) {
			p->put(p->ctx, title);
			put_new_line(p);
		}
		any = true;
		put_option_help(p, takers, (enum option_id)id);
	}
}

void options_help_group(uint64_t takers, enum option_group group, const char *title,
			void (*put)(void *ctx, const char *text), void *ctx)
{
	struct printer p = {.put = put, .ctx = ctx};

	put_option_group(&p, takers, group, title, NULL);
}

void options_help_of(uint64_t takers, const enum option_id *id, unsigned n,
		     void (*put)(void *ctx, const char *text), void *ctx)
{
	struct printer p = {.put = put, .ctx = ctx};

	for (unsigned i = 0; i < n; i++)
		put_option_help(&p, takers, id[i]);
}

void options_help(uint64_t takers, const bool *hidden, void (*put)(void *ctx, const char *text),
		  void *ctx)
{
	static const char *const titles[OPTION_GROUPS] = {
		[GROUP_MEASURE] = "\nEvents, runs and accuracy:",
		[GROUP_TARGET] = "\nTasks and CPUs:",
		[GROUP_FIELDS] = "\nFields of samples:",
		[GROUP_BENCH] = "\nThe code, and how it is measured:",
		[GROUP_GATE] = "\nThe gate:",
		[GROUP_PLAN] = "\nThe machine that is planned for:",
		[GROUP_OUTPUT] = "\nOutput:",
		[GROUP_MACHINE] = "\nThe machine:",
		[GROUP_PROGRAMS] = "\nPrograms of your own:",
	};
	struct printer p = {.put = put, .ctx = ctx};

	for (unsigned g = 0; g < OPTION_GROUPS; g++)
		put_option_group(&p, takers, (enum option_group)g, titles[g], hidden);
}
