// SPDX-License-Identifier: BSD-2-Clause
/* tolerance.c - see tolerance.h. */
#include "tools/gate/tolerance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT_DIGITS 4 /* behind the point: a millionth is 0.0001% */
#define PERCENT        10000u
#define MILLION        1000000u

static bool parse_percent(const char *text, struct tolerance *out)
{
	uint64_t value = 0;
	int behind = -1; /* digits behind the point so far; -1: there is none yet */

	for (; *text && *text != '%'; text++) {
		if (*text == '.' && behind < 0) {
			behind = 0;
			continue;
		}
		if (*text < '0' || *text > '9' || behind >= PERCENT_DIGITS)
			return false;
		value = value * 10 + (uint64_t)(*text - '0');
		behind += behind >= 0;
		if (value > TOLERANCE_PERCENT_MOST * (uint64_t)PERCENT)
			return false;
	}
	if (!*text || text[1])
		return false;
	for (int n = behind < 0 ? 0 : behind; n < PERCENT_DIGITS; n++)
		value *= 10;
	*out = (struct tolerance){.millionths = value};
	return value <= TOLERANCE_PERCENT_MOST * (uint64_t)PERCENT;
}

bool tolerance_parse(const char *text, struct tolerance *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	if (strchr(text, '%'))
		return parse_percent(text, out);
	errno = 0;
	*out = (struct tolerance){.events = strtoull(text, &end, 10)};
	return !errno && !*end;
}

bool tolerance_covers(const struct tolerance *tolerance, uint64_t old, uint64_t got)
{
	const uint64_t difference = got > old ? got - old : old - got;

	if (tolerance->millionths)
		return (unsigned __int128)difference * MILLION <=
		       (unsigned __int128)old * tolerance->millionths;
	return difference <= tolerance->events;
}

static bool parse_shard_number(const char **text, unsigned *value)
{
	*value = 0;
	if (**text < '1' || **text > '9')
		return false;
	for (; **text >= '0' && **text <= '9'; ++*text) {
		*value = *value * 10 + (unsigned)(**text - '0');
		if (*value > SHARDS_MOST)
			return false;
	}
	return true;
}

bool shard_parse(const char *text, unsigned *shard, unsigned *shards)
{
	return parse_shard_number(&text, shard) && *text++ == '/' &&
	       parse_shard_number(&text, shards) && !*text && *shard <= *shards;
}
