// SPDX-License-Identifier: BSD-2-Clause
/*
 * uarch_suggest.c - suggests names where no microarchitecture has the given name. The suggestions
 * are the known names that differ from it by the fewest changed letters, if these are few for the
 * length of the known name.
 */
#include "pmu/uarch/uarch.h"

#include "lib/string.h"
#include "lib/ascii.h"

#define LONGEST     32
#define SUGGESTIONS 3

struct word {
	const char *text;
	size_t n;
};

static unsigned least_of_three(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Letters to add, to remove and to change: the Levenshtein distance, computed row by row. */
static unsigned word_distance(const struct word *a, const struct word *b)
{
	unsigned row[LONGEST + 1];

	for (unsigned k = 0; k <= b->n; k++)
		row[k] = k;
	for (unsigned i = 0; i < a->n; i++) {
		unsigned before = row[0]++;

		for (unsigned k = 0; k < b->n; k++) {
			bool same = ascii_lower(a->text[i]) == ascii_lower(b->text[k]);
			unsigned here = least_of_three(row[k] + 1, row[k + 1] + 1, before + !same);

			before = row[k + 1];
			row[k + 1] = here;
		}
	}
	return row[b->n];
}

/* Takes the next word of `words`; false: there are no more. */
static bool next_name_word(const char **words, struct word *word)
{
	while (**words == ' ')
		++*words;
	word->text = *words;
	while (**words && **words != ' ')
		++*words;
	word->n = (size_t)(*words - word->text);
	return word->n > 0;
}

/*
 * Rates a name that begins with the given letters as 1, and one with at most a mistake for every
 * three letters by its distance. UINT32_MAX: no suggestion.
 */
static unsigned rate_word(const struct word *given, const struct word *word)
{
	const struct word start = {word->text, given->n < word->n ? given->n : word->n};
	unsigned d;

	if (word->n > LONGEST)
		return UINT32_MAX;
	if (given->n >= 3 && !word_distance(given, &start))
		return 1;
	d = word_distance(given, word);
	return d <= (word->n + 2) / 3 && d < given->n ? d : UINT32_MAX;
}

struct best {
	struct word words[SUGGESTIONS];
	unsigned distances[SUGGESTIONS];
};

/* Keeps the best in order; among equals the earlier comes first. */
static void insert_best(struct best *best, struct word word, unsigned d)
{
	for (unsigned i = 0; i < SUGGESTIONS; i++) {
		struct word w = best->words[i];
		unsigned old = best->distances[i];

		if (d >= old)
			continue;
		best->words[i] = word;
		best->distances[i] = d;
		word = w;
		d = old;
	}
}

static void rate_all(const struct word *given, const char *words, struct best *best)
{
	struct word word;

	while (next_name_word(&words, &word))
		insert_best(best, word, rate_word(given, &word));
}

static size_t append_name(char *text, size_t size, size_t n, const char *what, size_t length)
{
	if (n + length >= size)
		return n;
	memcpy(text + n, what, length);
	text[n + length] = '\0';
	return n + length;
}

void uarch_suggest(const char *name, char *text, size_t size)
{
	const struct word given = {name, strlen(name)};
	const struct uarch *u;
	struct best best;
	size_t n = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < SUGGESTIONS; i++)
		best.distances[i] = UINT32_MAX;
	for (size_t i = 0; given.n <= LONGEST && (u = uarch_list(i)); i++) {
		rate_all(&given, u->name, &best);
		rate_all(&given, u->aliases, &best);
	}
	for (unsigned i = 0; i < SUGGESTIONS && best.distances[i] != UINT32_MAX; i++) {
		if (n)
			n = append_name(text, size, n, ", ", 2);
		n = append_name(text, size, n, best.words[i].text, best.words[i].n);
	}
}
