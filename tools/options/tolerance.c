// SPDX-License-Identifier: BSD-2-Clause
/* tolerance.c - see tolerance.h. */
#include "tools/options/tolerance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PERCENT_DIGITS 4 /* behind the point: a millionth is 0.0001% */
#define PERCENT        10000u
#define MILLION        1000000u
#define NUMBER_MAX     32 /* characters of a tolerance */

static bool parse_percent(const char *text, struct tolerance *out)
{
	uint64_t value = 0;
	int behind = -1; /* digits behind the point so far; -1: no point yet */

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

/* --- Texts of several tolerances --- */

/* Returns the length of an item up to its comma. Commas between slashes belong to an event. */
static size_t item_length(const char *text)
{
	bool in_fields = false;
	size_t n;

	for (n = 0; text[n] && (text[n] != ',' || in_fields); n++)
		in_fields ^= text[n] == '/';
	return n;
}

int tolerances_next(const char **text, struct tolerance_item *out)
{
	const size_t n = item_length(*text);
	const char *equals = memrchr(*text, '=', n), *value = equals ? equals + 1 : *text;
	const size_t nvalue = n - (size_t)(value - *text);
	char copy[NUMBER_MAX];

	if (!**text)
		return 0;
	out->event = *text;
	out->nevent = equals ? (size_t)(equals - *text) : 0;
	if (equals == *text || !nvalue || nvalue >= sizeof(copy))
		return -EINVAL;
	memcpy(copy, value, nvalue);
	copy[nvalue] = '\0';
	if (!tolerance_parse(copy, &out->tolerance))
		return -EINVAL;
	*text += n + ((*text)[n] && (*text)[n + 1]); /* a comma at the end begins an empty item */
	return 1;
}

/* Returns whether an item before `end` names the same event. */
static bool is_there_twice(const char *text, const char *end, const struct tolerance_item *item)
{
	struct tolerance_item other;

	while (text < end && tolerances_next(&text, &other) > 0)
		if (text <= end && other.nevent == item->nevent &&
		    !memcmp(other.event, item->event, item->nevent))
			return true;
	return false;
}

int tolerances_check(const char *text, struct reason *why)
{
	const char *at = text;
	struct tolerance_item item;
	int got = *text ? 1 : -EINVAL;

	while (got > 0) {
		const char *begin = at;

		got = tolerances_next(&at, &item);
		if (got > 0 && is_there_twice(text, begin, &item))
			return refuse(why, EINVAL,
				      item.nevent
					      ? "column %zu: this event is there twice"
					      : "column %zu: this is a second tolerance for all "
						"events; a decimal point is a point: 0.5%%",
				      (size_t)(begin - text) + 1);
	}
	if (!got)
		return 0;
	return refuse(why, EINVAL,
		      "column %zu: '%.*s' is not a number of events, or of percent as 0.5%%, with "
		      "EVENT= in front for one event",
		      (size_t)(at - text) + 1, (int)item_length(at), at);
}

bool tolerances_find(const char *text, const char *event, struct tolerance *out)
{
	struct tolerance_item item;
	bool found = false;

	while (tolerances_next(&text, &item) > 0) {
		if (item.nevent &&
		    (strlen(event) != item.nevent || memcmp(event, item.event, item.nevent) != 0))
			continue;
		*out = item.tolerance;
		found = true;
		if (item.nevent)
			break;
	}
	return found;
}

/* --- Shards --- */

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
