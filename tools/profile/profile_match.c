// SPDX-License-Identifier: BSD-2-Clause
/* profile_match.c - see profile_match.h. */
#include "tools/profile/profile_match.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/glob.h"
#include "lib/words/near.h"
#include "tools/profile/plain_name.h"
#include "tools/util/memory.h"
#include "tools/util/plainbuf.h"

#define NEAR_MOST 3 /* names in a message */

/* Returns the length of the first pattern: a comma in brackets is part of a name. */
static size_t pattern_length(const char *text)
{
	size_t depth = 0, n = 0;

	for (; text[n] && (text[n] != ',' || depth); n++) {
		depth += strchr("<({", text[n]) != NULL;
		if (strchr(">)}", text[n]) && depth)
			depth--;
	}
	return n;
}

/* Takes the first pattern from a list. Returns false at its end. */
static bool take_pattern(const char **list, struct name_pattern *pattern)
{
	while (**list == ',')
		++*list;
	*pattern = (struct name_pattern){*list, pattern_length(*list)};
	*list += pattern->n;
	return pattern->n;
}

/* Returns the length of a name without the parameters of a template at its end. */
static size_t without_template(const char *name, size_t n)
{
	size_t depth = 0, i = n;

	if (!n || name[n - 1] != '>')
		return n;
	do {
		depth += name[--i] == '>';
		depth -= name[i] == '<';
	} while (i && depth);
	return depth || !i ? n : i;
}

bool profile_is_named(const char *name, const struct name_pattern *pattern, struct buf *plain)
{
	const char *text = profile_plain_name(plain, name);

	return glob_match(text, plain->size, pattern->at, pattern->n) ||
	       glob_match(text, without_template(text, plain->size), pattern->at, pattern->n) ||
	       glob_match(name, strlen(name), pattern->at, pattern->n);
}

bool profile_name_matches(const char *patterns, const char *name)
{
	struct name_pattern pattern;
	struct buf plain = {0};
	bool is_match = false;

	while (!is_match && take_pattern(&patterns, &pattern))
		is_match = profile_is_named(name, &pattern, &plain);
	buf_free(&plain);
	return is_match;
}

static size_t match_one(const struct profile *profile, const struct name_pattern *pattern,
			bool *is_match)
{
	struct buf plain = {0};
	size_t found = 0;

	for (size_t i = 0; i < profile->nrows; i++) {
		const bool is_found = profile_is_named(profile->row[i].name, pattern, &plain);

		is_match[i] |= is_found;
		found += is_found;
	}
	buf_free(&plain);
	return found;
}

/* --- Near names --- */

static bool contains_pattern(const char *name, const struct name_pattern *pattern)
{
	char *part = copy_text(pattern->at, pattern->n), *bare = part;
	bool is_found;

	bare += strspn(bare, "*");
	bare[strcspn(bare, "*?[")] = '\0';
	is_found = strlen(bare) > 2 && strcasestr(name, bare);
	free(part);
	return is_found;
}

static bool is_near_name(const char *name, const struct name_pattern *pattern)
{
	const char *last = name, *next;

	while ((next = strstr(last, "::")))
		last = next + 2;
	return near_word(pattern->at, pattern->n, name) ||
	       near_word(pattern->at, pattern->n, last) ||
	       (strlen(last) == pattern->n && !strncasecmp(last, pattern->at, pattern->n));
}

/* Appends the names that are near, or else the names that contain the pattern's text. */
static unsigned add_near(struct buf *names, const struct profile *profile,
			 const struct name_pattern *pattern,
			 bool (*is)(const char *name, const struct name_pattern *pattern))
{
	struct buf plain = {0};
	unsigned found = 0;

	for (size_t i = 0; i < profile->nrows && found < NEAR_MOST; i++) {
		const char *text = profile_plain_name(&plain, profile->row[i].name);

		if (!is(text, pattern))
			continue;
		buf_printf(names, "%s'", found++ ? ", " : "");
		plain_add(names, text, strlen(text));
		buf_printf(names, "'");
	}
	buf_free(&plain);
	return found;
}

static int refuse_pattern(const struct profile *profile, const struct name_pattern *pattern,
			  struct reason *why)
{
	struct buf names = {0};
	int err;

	if (add_near(&names, profile, pattern, is_near_name) ||
	    add_near(&names, profile, pattern, contains_pattern))
		err = refuse(why, ENOENT,
			     "no function that was executed matches '%.*s'; did you mean %s?",
			     (int)pattern->n, pattern->at, buf_text(&names));
	else
		err = refuse(why, ENOENT,
			     "no function that was executed matches '%.*s'; --functions lists them",
			     (int)pattern->n, pattern->at);
	buf_free(&names);
	return err;
}

static bool is_inlined_anywhere(const struct profile_lines *lines,
				const struct name_pattern *pattern)
{
	struct buf plain = {0};
	bool is_found = false;

	for (size_t i = 0; lines && i < lines->n && !is_found; i++)
		for (const struct inlined *at = lines->line[i].at.inlined; at; at = at->outer)
			is_found |= profile_is_named(at->name, pattern, &plain);
	buf_free(&plain);
	return is_found;
}

int profile_match(const struct profile *profile, const struct profile_lines *lines,
		  const char *patterns, bool *is_match, struct reason *why)
{
	struct name_pattern pattern;

	memset(is_match, 0, profile->nrows * sizeof(*is_match));
	while (take_pattern(&patterns, &pattern))
		if (!match_one(profile, &pattern, is_match) &&
		    !is_inlined_anywhere(lines, &pattern))
			return refuse_pattern(profile, &pattern, why);
	return 0;
}

struct profile_sum profile_inside(const struct profile *profile, const bool *is_match)
{
	bool *is_inside = memory_checked(calloc(profile->ncontexts + 1, sizeof(*is_inside)));
	struct profile_sum sum = {{0}};

	for (size_t i = 1; i < profile->ncontexts; i++) {
		const struct profile_context *context = &profile->context[i];

		is_inside[i] = is_inside[context->parent] ||
			       (context->row != PROFILE_NO_ROW && is_match[context->row]);
		if (is_inside[i])
			profile_add(&sum, &context->self);
	}
	free(is_inside);
	return sum;
}
