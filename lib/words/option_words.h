/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_words.h - parses options by the rows of include/perf0/option_rows.h, and prints their
 * help. `takers` are bits of enum option_taker. Any context.
 */
#ifndef LIB_WORDS_OPTION_WORDS_H
#define LIB_WORDS_OPTION_WORDS_H

#include "include/perf0/options.h"
#include "lib/reason.h"

#include <stdbool.h>
#include <stddef.h>

#define OPTION_LABEL_MAX 32

/* option_row() - the row of `id`; never NULL. */
const struct option_row *option_row(enum option_id id);

/* option_words() - the words that an OPTION_WORD accepts: "a|b|c". */
const char *option_words(const struct option_row *row);

/*
 * option_by_letter(), option_by_name() - the row with that letter, or with the name of `n`
 * characters, that one of `takers` has; OPTIONS: there is none.
 */
enum option_id option_by_letter(uint64_t takers, char letter);
enum option_id option_by_name(uint64_t takers, const char *name, size_t n);

/* option_label() - the name of the option in messages: "--repeat", "-v". Returns `label`. */
const char *option_label(const struct option_row *row, char label[OPTION_LABEL_MAX]);

/* option_check() - checks `value`. -EINVAL with the reason, which names the option. */
int option_check(const struct option_row *row, const char *value, struct reason *why);

/* option_size() - reads the value of an OPTION_SIZE as bytes. -EINVAL: it is not a size. */
int option_size(const char *text, uint64_t *bytes);

/* option_is_bare() - true where the option has no operand. */
bool option_is_bare(const struct option_row *row);

/* option_may_be_bare() - true where the operand is optional, and so stands in the same word. */
bool option_may_be_bare(const struct option_row *row);

/*
 * option_unknown() - refuses `word`, which begins with a dash. The reason tells why an option of
 * perf is missing here, or suggests an option of `takers` one typing mistake away, or points to the
 * help of `command` (NULL: none). Returns -EINVAL.
 */
int option_unknown(uint64_t takers, const char *word, const char *command, struct reason *why);

#define OPTION_LIST_MAX 16

/* The values of OPTION_LIST rows, in order. Several rows may share one list. */
struct option_list {
	const char *text[OPTION_LIST_MAX];
	enum option_id option[OPTION_LIST_MAX]; /* the option of each value */
	unsigned n;
};

/*
 * The place for the value of an option. Its type depends on the kind:
 *   OPTION_FLAG                  bool
 *   OPTION_NUMBER, OPTION_TIMES  uint64_t
 *   OPTION_LIST                  struct option_list
 *   others                       const char *, "" for an omitted operand
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
 * option_store() - checks `value` ("" for a flag) and stores it in the target of `id`, which one of
 * the `nsets` sets must have. -EINVAL with the reason.
 * options_defaults() - stores the defaults of all rows of `taker`.
 */
int option_store(const struct option_targets *sets, unsigned nsets, enum option_id id,
		 const char *value, struct reason *why);
void options_defaults(uint64_t taker, const struct option_targets *sets, unsigned nsets);

/*
 * options_help() - passes the options of `takers` to `put`, by groups, each with its letter,
 * operand, sentence, range and default, in lines of at most 80 characters. Options that `hidden`
 * marks, by enum option_id, are left out; NULL: none is. options_help_of() - the same of the `n`
 * options at `id`, in their order.
 */
void options_help(uint64_t takers, const bool *hidden, void (*put)(void *ctx, const char *text),
		  void *ctx);
void options_help_of(uint64_t takers, const enum option_id *id, unsigned n,
		     void (*put)(void *ctx, const char *text), void *ctx);

/* options_help_group() - the options of one group, under `title`; nothing for an empty group. */
void options_help_group(uint64_t takers, enum option_group group, const char *title,
			void (*put)(void *ctx, const char *text), void *ctx);

#endif
