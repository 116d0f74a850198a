// SPDX-License-Identifier: BSD-2-Clause
/* scan.c - see scan.h. */
#include "pmu/names/scan.h"

#include "lib/ascii.h"
#include "lib/printf.h"
#include "lib/string.h"

#include <stdarg.h>

bool scan_fail(struct scan *s, const char *where, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	s->err->column = (size_t)(where - s->text) + 1;
	fmt_vwords(s->err->text, sizeof(s->err->text), format, args);
	va_end(args);
	return false;
}

static bool is_word_char(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	       c == '_' || c == '.';
}

void scan_blanks(struct scan *s)
{
	while (*s->at == ' ' || *s->at == '\t' || *s->at == '\n')
		s->at++;
}

bool scan_take_past(struct scan *s, char c)
{
	const char *start = s->at;

	scan_blanks(s);
	if (scan_take(s, c))
		return true;
	s->at = start;
	return false;
}

struct word scan_word(struct scan *s)
{
	struct word word = {.start = s->at};

	while (is_word_char(*s->at))
		s->at++;
	word.n = (size_t)(s->at - word.start);
	return word;
}

bool word_is(const struct word *word, const char *text)
{
	return strlen(text) == word->n && !memcmp(word->start, text, word->n);
}

static unsigned scan_digit(char c)
{
	if (ascii_is_digit(c))
		return (unsigned)(c - '0');
	return (unsigned)((c | 0x20) - 'a') + 10;
}

uint64_t scan_hex(const char *at, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 4 | scan_digit(at[i]);
	return value;
}

/* Returns false for more than 64 bits. */
static bool to_number(const char *at, size_t n, unsigned base, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(*value, (uint64_t)base, value) ||
		    __builtin_add_overflow(*value, (uint64_t)scan_digit(at[i]), value))
			return false;
	return true;
}

bool scan_number(struct scan *s, const char *what, uint64_t min, uint64_t max, uint64_t *value)
{
	const char *start = s->at;
	unsigned base = start[0] == '0' && (start[1] == 'x' || start[1] == 'X') ? 16 : 10;
	const char *digits = base == 16 ? start + 2 : start;
	size_t n = 0;

	while (base == 16 ? scan_is_hex(digits[n]) : ascii_is_digit(digits[n]))
		n++;
	s->at = digits + n;
	if (!n || is_word_char(*s->at))
		return scan_fail(s, start, "%s takes a decimal or 0x hexadecimal number", what);
	if (!to_number(digits, n, base, value) || *value < min || *value > max)
		return scan_fail(s, start, "%s is from %llu to 0x%llx", what,
				 (unsigned long long)min, (unsigned long long)max);
	return true;
}

#define RAW_MAX_DIGITS 16

/* The digits behind the r or r0x. */
static struct word raw_digits(const struct word *word)
{
	size_t skip = word->n > 2 && word->start[1] == '0' && word->start[2] == 'x' ? 3 : 1;

	return (struct word){word->start + skip, word->n > skip ? word->n - skip : 0};
}

bool word_is_raw(const struct word *word)
{
	struct word digits = raw_digits(word);

	if (!digits.n || word->start[0] != 'r')
		return false;
	for (size_t i = 0; i < digits.n; i++)
		if (!scan_is_hex(digits.start[i]))
			return false;
	return true;
}

bool scan_raw(struct scan *s, const struct word *word, uint64_t *value)
{
	struct word digits = raw_digits(word);

	if (digits.n > RAW_MAX_DIGITS)
		return scan_fail(s, word->start, "a raw event has at most %u digits",
				 RAW_MAX_DIGITS);
	*value = scan_hex(digits.start, digits.n);
	return true;
}
