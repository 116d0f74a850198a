// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_words.c - finds the event lists in command lines, encodes them for their machine, and
 * reports mistakes before anything boots.
 */
#include "tools/events/events.h"
#include "tools/util/quote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/glob.h"
#include "pmu/names/parse.h"
#include "tools/events/suggest.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"

/* The machine and the command that get the lists. */
struct taker {
	const struct guest_uarch *uarch;
	const struct registered *image;
	bool alone; /* it is the only command */
};

/* Finds names of libpfm4 for the parser. */
static int find_event_name(void *ctx, uint8_t core, const char *text, size_t n,
			   struct perf_event_attr *attr, size_t *taken,
			   struct pmu_parse_error *error)
{
	const struct taker *taker = ctx;
	struct guest_uarch guest;
	char *item = copy_text(text, n);
	struct reason why = {""};
	int err;

	if (taker->uarch) {
		guest = *taker->uarch;
		guest.core = core;
	}
	err = events_find(item, taker->uarch ? &guest : NULL, attr, taken, &why);

	free(item);
	return events_answer(err, &why, error);
}

/*
 * Finds tracepoints for the parser. If the image's tracepoints are unknown, accepts any name that
 * libpfm4 does not know.
 */
static bool find_tracepoint(void *ctx, const char *text, size_t n, uint64_t *id)
{
	const struct taker *taker = ctx;
	const struct trace_event *event = NULL;
	char *name = copy_text(text, n);
	bool found = !events_known(name, taker->uarch);

	free(name);
	*id = 0;
	if (found && taker->image) {
		event = registered_tracepoint(taker->image, text, n);
		found = event;
		*id = found ? (uint64_t)(event - taker->image->tracepoint) + 1 : 0;
	}
	return found;
}

/* Accepts a pattern in the same way, as a single name. */
static bool match_anything(const char *text, size_t n, size_t index, const char **name,
			   uint64_t *id)
{
	static char one[PMU_SPEC_NAME_MAX / 2];

	*id = 0;
	snprintf(one, sizeof(one), "%.*s", (int)n, text);
	*name = one;
	return !index;
}

static bool match_tracepoint(void *ctx, const char *text, size_t n, size_t index, const char **name,
			     uint64_t *id)
{
	const struct registered *image = ((const struct taker *)ctx)->image;
	static char full[PMU_SPEC_NAME_MAX];

	if (!image)
		return match_anything(text, n, index, name, id);
	for (size_t i = 0; i < image->ntracepoints; i++) {
		const struct trace_event *t = &image->tracepoint[i];

		snprintf(full, sizeof(full), "%s:%s", t->system, t->name);
		if (!glob_match(full, strlen(full), text, n) || index--)
			continue;
		*name = full;
		*id = i + 1;
		return true;
	}
	return false;
}

static const struct uarch *taker_uarch(const struct taker *taker)
{
	return taker->uarch ? uarch_by_name(taker->uarch->name) : NULL;
}

/* Parses a list like the image, or, if `named`, with the names of libpfm4, too. */
static int parse_for_taker(const char *list, bool named, const struct taker *taker,
			   struct pmu_event_spec *specs, size_t most, struct pmu_parse_error *error)
{
	const struct pmu_namer namer = {
		.find = named ? find_event_name : NULL,
		.ctx = (void *)taker,
		.tracepoint = find_tracepoint,
		.matching = match_tracepoint,
		.uarch = taker_uarch(taker),
	};

	return pmu_parse_events_named(list, &namer, specs, most, error);
}

/* Returns whether the parser accepts `list`. */
static bool is_parsed(const char *list, bool named, const struct taker *taker,
		      struct pmu_parse_error *error)
{
	static struct pmu_event_spec specs[EVENTS_MOST];

	return parse_for_taker(list, named, taker, specs, EVENTS_MOST, error) >= 0;
}

int events_parse(const char *list, const struct events_machine *machine,
		 struct pmu_event_spec *specs, size_t most)
{
	const struct taker taker = {.uarch = machine->uarch, .image = machine->image};
	struct pmu_parse_error error;
	struct reason ignored;

	if (events_init(&ignored))
		return -EINVAL;
	return parse_for_taker(list, true, &taker, specs, most, &error);
}

/* Suggests a name near to the unknown one; "" if none is near. */
static const char *suggest_meant(const struct pmu_parse_error *error, const struct taker *taker,
				 char *hint, size_t size)
{
	const char *typed = strchr(error->text, '\'');
	char near[PMU_SPEC_NAME_MAX], *name;

	*hint = '\0';
	if (!typed || (strncmp(error->text, "there is no event ", 18) &&
		       strncmp(error->text, "there is no term ", 17)))
		return hint;
	name = copy_text(typed + 1, strcspn(typed + 1, "'"));
	/* an equal name means an event of other cores */
	if (event_suggest(name, taker_uarch(taker), taker->uarch ? taker->uarch->files : NULL,
			  taker->image, near, sizeof(near)) &&
	    strcmp(near, name))
		snprintf(hint, size, "; did you mean '%s'?", near);
	else if (event_owners(name, near, sizeof(near) / 2))
		snprintf(hint, size, "; it is one of %s", near);
	free(name);
	return hint;
}

/*
 * Checks an encoded list; `err` is the result of events_encode(). A message quotes `list` as typed.
 * It is empty if the image will report the same mistake. If the image's machine is unknown, the
 * image decides.
 */
static int check_encoded(const char *option, const char *list, const char *encoded,
			 const struct taker *taker, int err, struct reason *why)
{
	struct pmu_parse_error error, of_image;
	char hint[PMU_SPEC_NAME_MAX + 32], about[PMU_EXCERPT_MAX];

	if (!err && (!taker->uarch || is_parsed(encoded, false, taker, &error)))
		return 0;
	if (is_parsed(list, true, taker, &error))
		return err;
	if (!taker->alone && !is_parsed(list, false, taker, &of_image) &&
	    of_image.column == error.column && !strcmp(of_image.text, error.text))
		return refuse(why, EINVAL, "%s", "");
	pmu_list_excerpt(about, list, error.column);
	return refuse(why, EINVAL, "%s %s: column %zu: %s%s", option, about, error.column,
		      error.text, suggest_meant(&error, taker, hint, sizeof(hint)));
}

static int encode_word(const char *option, const char **word, size_t prefix,
		       const struct taker *taker, struct reason *why)
{
	const char *list = *word + prefix;
	struct buf out = {0};
	int err;

	buf_add(&out, *word, prefix);
	err = events_encode(&out, list, taker->uarch, why);
	err = check_encoded(option, list, buf_text(&out) + prefix, taker, err, why);
	if (err)
		buf_free(&out);
	else
		*word = buf_text(&out);
	return err;
}

/* Returns the value that the word, or the next one, gives to option `name`; NULL: none. */
static const char *word_value(const char **word, const char *name)
{
	size_t n = strlen(name);

	if (strncmp(*word, name, n))
		return NULL;
	return (*word)[n] == '=' ? *word + n + 1 : (*word)[n] ? NULL : word[1];
}

static bool ends_options(const char *word)
{
	return !word || !strcmp(word, "--") || is_separator(word);
}

/*
 * Finds the machine of a plan. Returns false if no word names it, or if the name is wrong, which
 * the image reports.
 */
static bool find_planned(const char **words, struct guest_uarch *planned)
{
	const struct uarch *uarch = NULL;

	for (; !ends_options(*words); words++) {
		const char *name = word_value(words, "--uarch");

		if (name)
			uarch = uarch_by_name(name);
	}
	if (uarch)
		*planned = guest_of(uarch);
	return uarch;
}

/* Encodes the list of one option. Returns the number of further words that belong to it. */
static int encode_option(const char **word, const struct taker *taker, struct reason *why)
{
	static const struct {
		const char *name, *shown;
	} options[] = {
		{"--event", "-e"},
		{"--sibling", "--sibling"},
		{"--node", "--node"},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *value = word_value(word, options[i].name);

		if (value && value == word[1])
			return encode_word(options[i].shown, word + 1, 0, taker, why) ? -EINVAL : 1;
		if (value)
			return encode_word(options[i].shown, word, (size_t)(value - *word), taker,
					   why);
	}
	if (strncmp(*word, "-e", 2))
		return 0;
	if ((*word)[2])
		return encode_word("-e", word, 2, taker, why);
	return word[1] && encode_word("-e", word + 1, 0, taker, why) ? -EINVAL : !!word[1];
}

/* Encodes the options of the command at `*at`, and moves `*at` to their end. */
static int encode_options(const char ***at, const struct taker *taker, struct reason *why)
{
	const char **word = *at + 1;
	int more = 0;

	for (; !ends_options(*word) && more >= 0; word += 1 + (more > 0))
		more = encode_option(word, taker, why);
	*at = word;
	return more < 0 ? more : 0;
}

static bool takes_events(const char *command)
{
	static const char *const commands[] = {"stat", "record", "trace", "bench"};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (!strcmp(command, commands[i]))
			return true;
	return false;
}

/* Encodes the lists of the command at `*words`, if it takes events. */
static int encode_command(const char ***words, const struct events_machine *machine, bool alone,
			  struct reason *why)
{
	struct taker taker = {.uarch = machine->uarch, .image = machine->image, .alone = alone};
	struct guest_uarch planned;

	if (!strcmp(**words, "plan"))
		taker.uarch = find_planned(*words, &planned) ? &planned : NULL;
	else if (!takes_events(**words))
		return 0;
	return encode_options(words, &taker, why);
}

int events_encode_words(const char **words, const struct events_machine *machine,
			void (*refused)(const char *command, const char *what), struct reason *why)
{
	bool alone = !*command_next(words);

	for (; *words; words = command_next(words)) {
		const char *command = *words;
		struct reason what;

		if (!encode_command(&words, machine, alone, &what))
			continue;
		if (alone)
			return refuse(why, EINVAL, "%s: %s", command, what.text);
		if (*what.text)
			refused(command, what.text);
	}
	return 0;
}

static int check_for_uarch(const char *const *words, const struct events_machine *machine,
			   struct reason *why)
{
	const size_t n = count_words(words) + 1;
	const char **copy = memory_checked(calloc(n, sizeof(*copy)));
	int err;

	memcpy(copy, words, n * sizeof(*copy));
	err = events_encode_words(copy, machine, events_tell_refused, why);
	free(copy);
	return err;
}

int events_check_anywhere(const char *const *words, const struct registered *image,
			  struct reason *why)
{
	const struct uarch *uarch;
	struct reason ignored;

	for (size_t i = 0; (uarch = uarch_list(i)); i++) {
		const struct guest_uarch guest = guest_of(uarch);
		const struct events_machine machine = {&guest, image};

		if (!check_for_uarch(words, &machine, i ? &ignored : why))
			return 0;
	}
	return -EINVAL;
}

void events_tell_refused(const char *command, const char *what)
{
	message("perf0: %s: %s", command, what);
}
