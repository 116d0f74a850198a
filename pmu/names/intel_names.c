// SPDX-License-Identifier: BSD-2-Clause
/* intel_names.c - see intel_names.h. The head of scripts/event-names explains the format of the
 * table. */
#include "pmu/names/intel_names.h"

#include "lib/ascii.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/scan.h"

__asm__(".section .rodata.intel, \"a\"\n"
	".globl intel_events_text\n"
	".hidden intel_events_text\n"
	"intel_events_text:\n"
	".incbin \"pmu/names/intel/events.txt\"\n"
	".byte 0\n"
	".previous\n");

extern const char intel_events_text[];

#define SET_DIGITS 16
#define SET_LINE   (SET_DIGITS + 2) /* with its % and line end */

static const char *line_after(const char *at)
{
	const char *end = strchr(at, '\n');

	return end ? end + 1 : at + strlen(at);
}

/* The length up to a character that ends a part of a line. */
static size_t part_length(const char *at)
{
	size_t n = 0;

	while (at[n] && !strchr(" :=\n", at[n]))
		n++;
	return n;
}

static size_t line_length(const char *at)
{
	return (size_t)(strchr(at, '\n') - at);
}

/* --- Files of a microarchitecture --- */

/* The position of the word `name` in `words`; -1: it is missing. */
static long place_in(const char *words, const char *name, size_t n)
{
	for (const char *at = words; *at; at++)
		if ((at == words || at[-1] == ' ') && !strncmp(at, name, n) &&
		    (at[n] == ' ' || !at[n]))
			return at - words;
	return -1;
}

/* If several files have a name, the nearer file takes precedence. */
static void keep_file(struct intel_walk *walk, unsigned bit, size_t place)
{
	unsigned i = walk->nfiles;

	if (walk->nfiles == INTEL_FILES)
		return;
	walk->nfiles++;
	for (; i && walk->file[i - 1].place > place; i--)
		walk->file[i] = walk->file[i - 1];
	walk->file[i].bit = bit;
	walk->file[i].place = place;
}

static void look_at_file(struct intel_walk *walk, const struct uarch *uarch, unsigned bit,
			 const char *name)
{
	const size_t n = line_length(name);
	const long alias = place_in(uarch->aliases, name, n);

	if (!place_in(uarch->name, name, n))
		keep_file(walk, bit, 0);
	else if (alias >= 0)
		keep_file(walk, bit, 1 + (size_t)alias);
}

void intel_begin(struct intel_walk *walk, const struct uarch *uarch)
{
	const char *at = intel_events_text;
	unsigned bit = 0;

	*walk = (struct intel_walk){.nfiles = 0};
	for (; *at == '#' || *at == '@'; at = line_after(at))
		if (*at == '@' && uarch->vendor == CPU_VENDOR_INTEL)
			look_at_file(walk, uarch, bit++, at + 1);
	walk->sets = at;
	while (*at == '%')
		at += SET_LINE;
	walk->at = at;
}

/* --- Encodings --- */

static bool set_has(const struct intel_walk *walk, uint64_t set, unsigned bit)
{
	return scan_hex(walk->sets + set * SET_LINE + 1, SET_DIGITS) >> bit & 1;
}

/* Reads one encoding at `*at` and moves behind it. */
static uint64_t take_encoding(const char **at, struct intel_event *event)
{
	uint64_t value[3] = {0, 0, 0}; /* event select, register value, set */
	unsigned i = 0;
	size_t n;

	for (;; *at += 1) {
		n = part_length(*at);
		value[i] = scan_hex(*at, n);
		*at += n;
		if (**at != ':' && **at != '=')
			break;
		i = **at == ':' ? 1 : 2;
	}
	event->config = value[0];
	event->config1 = value[1];
	return value[2];
}

/* Finds the encoding of that file among those at `at`, which begin with a blank. */
static bool find_encoding(const struct intel_walk *walk, const char *at, unsigned bit,
			  struct intel_event *event)
{
	while (*at == ' ') {
		at++;
		if (set_has(walk, take_encoding(&at, event), bit))
			return true;
	}
	return false;
}

static bool choose_encoding(const struct intel_walk *walk, const char *at,
			    struct intel_event *event)
{
	for (unsigned i = 0; i < walk->nfiles; i++)
		if (find_encoding(walk, at, walk->file[i].bit, event))
			return true;
	return false;
}

/* --- Names --- */

/* The length of the last part of a name, which may be empty; a blank ends it. */
static size_t tail_length(const char *tail)
{
	return strchr(tail, ' ') - tail;
}

static char fold(char c)
{
	return c == '.' || c == ':' || c == '=' ? '_' : ascii_lower(c);
}

static bool folds_alike(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fold(a[i]) != fold(b[i]))
			return false;
	return true;
}

/* Moves to the next line with a name, and notes its head on the way. */
static const char *next_tail(struct intel_walk *walk)
{
	for (; *walk->at && *walk->at != ' '; walk->at = line_after(walk->at)) {
		walk->head = walk->at;
		walk->nhead = line_length(walk->at);
	}
	return *walk->at ? walk->at + 1 : NULL;
}

static void copy_full_name(const struct intel_walk *walk, const char *tail,
			   struct intel_event *event)
{
	const size_t n = tail_length(tail);

	fmt_print(event->name, sizeof(event->name), "%.*s%s%.*s", (int)walk->nhead, walk->head,
		  n ? "." : "", (int)n, tail);
}

bool intel_next(struct intel_walk *walk, struct intel_event *event)
{
	const char *tail;

	while (walk->nfiles && (tail = next_tail(walk))) {
		walk->at = line_after(tail);
		if (!choose_encoding(walk, tail + tail_length(tail), event))
			continue;
		copy_full_name(walk, tail, event);
		return true;
	}
	return false;
}

/* True where head and tail together are the `n` characters at `text`. */
static bool is_called(const struct intel_walk *walk, const char *tail, const char *text, size_t n)
{
	const size_t ntail = tail_length(tail), nhead = walk->nhead;

	if (n != nhead + !!ntail + ntail || !folds_alike(walk->head, text, nhead))
		return false;
	return !ntail || (fold(text[nhead]) == '_' && folds_alike(tail, text + nhead + 1, ntail));
}

bool intel_find(const struct uarch *uarch, const char *text, size_t n, struct intel_event *event)
{
	struct intel_walk walk;
	const char *tail;

	intel_begin(&walk, uarch);
	while (walk.nfiles && (tail = next_tail(&walk))) {
		walk.at = line_after(tail);
		if (!is_called(&walk, tail, text, n) ||
		    !choose_encoding(&walk, tail + tail_length(tail), event))
			continue;
		copy_full_name(&walk, tail, event);
		return true;
	}
	return false;
}
