// SPDX-License-Identifier: BSD-2-Clause
/* glob.c - see glob.h. */
#include "lib/glob.h"

#include "lib/string.h"

#include <stdint.h>

static size_t skip_inverse(const char *set, size_t n)
{
	return n > 1 && (set[1] == '!' || set[1] == '^') ? 2 : 1;
}

/* A closing bracket that comes first is a member of the set. */
size_t glob_set(const char *at, size_t n)
{
	for (size_t i = skip_inverse(at, n) + 1; i < n; i++)
		if (at[i] == ']')
			return i + 1;
	return 0;
}

static bool in_set(const char *set, size_t n, char c)
{
	size_t i = skip_inverse(set, n);
	bool inverse = i > 1, found = false;

	while (i < n - 1) {
		if (i + 2 < n - 1 && set[i + 1] == '-') {
			found |= c >= set[i] && c <= set[i + 2];
			i += 3;
		} else {
			found |= c == set[i++];
		}
	}
	return found != inverse;
}

/* Matches the first element of a pattern with one character; returns its length, 0: no match. */
static size_t match_one(const char *pattern, size_t n, char c)
{
	size_t set;

	if (*pattern == '?')
		return 1;
	set = *pattern == '[' ? glob_set(pattern, n) : 0;
	if (set)
		return in_set(pattern, set, c) ? set : 0;
	return *pattern == c;
}

/* On a mismatch only the latest star takes one more character: earlier stars never need to. */
bool glob_match(const char *text, size_t ntext, const char *pattern, size_t npattern)
{
	size_t t = 0, p = 0, star = SIZE_MAX, from = 0;

	while (t < ntext) {
		size_t used;

		if (p < npattern && pattern[p] == '*') {
			star = ++p;
			from = t;
			continue;
		}
		used = p < npattern ? match_one(pattern + p, npattern - p, text[t]) : 0;
		if (used) {
			p += used;
			t++;
		} else if (star != SIZE_MAX) {
			p = star;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < npattern && pattern[p] == '*')
		p++;
	return p == npattern;
}

bool glob_is_pattern(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strchr("*?[", text[i]))
			return true;
	return false;
}
