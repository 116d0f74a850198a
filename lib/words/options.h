/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - reads options by the rows of include/perf0/option_rows.h, and prints them. `takers`
 * are bits of enum option_taker. Any context.
 */
#ifndef LIB_WORDS_OPTIONS_H
#define LIB_WORDS_OPTIONS_H

#include "include/perf0/options.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>

#define OPTION_LABEL_MAX 32

/* option_row() - that of `id`; never NULL. */
const struct option_row *option_row(enum option_id id);

/* option_words() - those that an OPTION_WORD may be: "a|b|c". */
const char *option_words(const struct option_row *row);

/*
 * option_by_letter(), option_by_name() - the row that one of `takers` has under that letter, or the
 * `n` characters at `name`; OPTIONS: there is none.
 */
enum option_id option_by_letter(uint64_t takers, char letter);
enum option_id option_by_name(uint64_t takers, const char *name, size_t n);

/* option_label() - how complaints name it: "--repeat", "-v". Returns `label`. */
const char *option_label(const struct option_row *row, char label[OPTION_LABEL_MAX]);

/* option_check() - whether the row takes `value`. -EINVAL with the reason, which names the option.
 */
int option_check(const struct option_row *row, const char *value, struct reason *why);

/* option_size() - what a row of kind OPTION_SIZE says: bytes. -EINVAL: it is no size. */
int option_size(const char *text, uint64_t *bytes);

/* option_is_bare() - it has no operand. */
bool option_is_bare(const struct option_row *row);

/* option_may_be_bare() - its operand may be left out, so it stands in the same word. */
bool option_may_be_bare(const struct option_row *row);

/*
 * option_unknown() - the refusal of `word`, which begins with a dash: where perf has such an option
 * with why it is not here, else with an option of `takers` that is one typing mistake away, or with
 * where help is (`command`; NULL: nowhere). Returns -EINVAL.
 */
int option_unknown(uint64_t takers, const char *word, const char *command, struct reason *why);

#define OPTION_LIST_MAX 16

/* What OPTION_LIST rows put in order; several may share one. */
struct option_list {
	const char *text[OPTION_LIST_MAX];
	enum option_id option[OPTION_LIST_MAX]; /* that gave it */
	unsigned n;
};

/*
 * Where the value of an option goes: OPTION_FLAG's to a bool, OPTION_NUMBER's to a uint64_t,
 * which OPTION_TIMES counts in, OPTION_LIST's into a struct option_list, and the text of all others
 * to a const char * ("" where one that may be bare has none).
 */
struct option_target {
	enum option_id id;
	void *target;
};

struct option_targets {
	const struct option_target *row;
	unsigned n;
};

#define OPTION_TARGETS(rows) ((struct option_targets){(rows), sizeof(rows) / sizeof((rows)[0])})

/*
 * option_store() - checks `value` ("" for a flag) and puts it where one of the `nsets` sets of
 * targets has the place of `id`, which one must. -EINVAL with the reason. options_defaults() - does
 * that with the defaults of all rows that `taker` has.
 */
int option_store(const struct option_targets *sets, unsigned nsets, enum option_id id,
		 const char *value, struct reason *why);
void options_defaults(uint64_t taker, const struct option_targets *sets, unsigned nsets);

/*
 * options_help() - gives `put` the options of `takers`, by groups, each with its letter, operand,
 * sentence, range and default, in lines of at most 80 characters. Options that `hidden` marks, by
 * enum option_id, are left out; NULL: none is.
 * options_help_of() - the same of the `n` options at `id`, in their order.
 */
void options_help(uint64_t takers, const bool *hidden, void (*put)(void *ctx, const char *text),
		  void *ctx);
void options_help_of(uint64_t takers, const enum option_id *id, unsigned n,
		     void (*put)(void *ctx, const char *text), void *ctx);

/* options_help_group() - those of one group, under `title`; nothing where there are none. */
void options_help_group(uint64_t takers, enum option_group group, const char *title,
			void (*put)(void *ctx, const char *text), void *ctx);

#endif
