/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scan.h - the cursor of the event parser: takes words and numbers from a text, and reports errors
 * with their position. A function that fails has filled in `err` and returns false; the cursor is
 * undefined then.
 */
#ifndef PMU_NAMES_SCAN_H
#define PMU_NAMES_SCAN_H

#include "pmu/names/parse.h"

#include <stdbool.h>

struct scan {
	const char *text, *at;
	struct pmu_parse_error *err;
	const struct pmu_namer *namer; /* never NULL */
	const struct uarch
		*published; /* the cores for which Intel publishes the last event; NULL: none */
};

/* A piece of the text. */
struct word {
	const char *start;
	size_t n;
};

static inline bool scan_take(struct scan *s, char c)
{
	if (*s->at != c)
		return false;
	s->at++;
	return true;
}

static inline bool scan_is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* scan_fail() - reports an error at `where`, which points into the text. Returns false. */
bool scan_fail(struct scan *s, const char *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* scan_blanks() - skips blanks. */
void scan_blanks(struct scan *s);

/* scan_take_past() - scan_take() behind blanks; takes nothing where `c` is not there. */
bool scan_take_past(struct scan *s, char c);

/* scan_word() - the longest run of letters, digits, '-', '_' and '.'; may be empty. */
struct word scan_word(struct scan *s);

bool word_is(const struct word *word, const char *text);

/* word_is_raw() - true for rNNN or r0xNNN. scan_raw() - its number; false: more than 16 digits. */
bool word_is_raw(const struct word *word);
bool scan_raw(struct scan *s, const struct word *word, uint64_t *value);

/* scan_hex() - the hexadecimal digits [at, at + n) as a number; n from 1 to 16. */
uint64_t scan_hex(const char *at, size_t n);

/*
 * scan_number() - reads a decimal or 0x hexadecimal number from `min` to `max`; `what` is for error
 * messages.
 */
bool scan_number(struct scan *s, const char *what, uint64_t min, uint64_t max, uint64_t *value);

#endif
