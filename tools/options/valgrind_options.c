// SPDX-License-Identifier: BSD-2-Clause
/* valgrind_options.c - see valgrind_options.h. */
#include "tools/options/valgrind_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"
#include "tools/util/quote.h"

#define MEMBER(name) offsetof(struct valgrind_options, name)

/* NAME=yes and NAME=no. */
static const struct {
	const char *name;
	size_t at; /* of a bool */
} switches[] = {
	{"--instr-atstart", MEMBER(starts_instrumented)},
	{"--collect-atstart", MEMBER(starts_collecting)},
	{"--dump-instr", MEMBER(by_instruction)},
	{"--dump-line", MEMBER(by_line)},
	{"--compress-strings", MEMBER(compresses_names)},
	{"--separate-threads", MEMBER(separates_threads)},
	{"--combine-dumps", MEMBER(combines_parts)},
	{"--cache-sim", MEMBER(counts_accesses)},
};

/* NAME=TEXT. */
static const struct {
	const char *name;
	size_t at; /* of a pointer */
} texts[] = {
	{"--callgrind-out-file", MEMBER(callgrind_file)},
	{"--cachegrind-out-file", MEMBER(cachegrind_file)},
	{"--log-file", MEMBER(log_file)},
};

static const struct {
	const char *name;
	enum valgrind_tool tool;
} tools[] = {
	{"none", VALGRIND_NONE},
	{"callgrind", VALGRIND_CALLGRIND},
	{"cachegrind", VALGRIND_CACHEGRIND},
};

/*
 * Options that change nothing here: of the scheduler, the debugger, the errors and the caches that
 * Valgrind simulates; and forms that a file may have. Children are always followed.
 */
static const char *const without_effect[] = {
	"--fair-sched", "--vgdb", "--trace-children", "--error-exitcode",  "--I1",
	"--D1",         "--LL",   "--compress-pos",   "--collect-systime", "--obj-skip",
	"--verbose",    "-v",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Returns the value of `word` if that is NAME=VALUE; NULL: it is another one. */
static const char *valgrind_value(const char *word, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

static bool is_without_effect(const char *word)
{
	for (size_t i = 0; i < COUNT(without_effect); i++)
		if (!strcmp(word, without_effect[i]) || valgrind_value(word, without_effect[i]))
			return true;
	return false;
}

static int read_tool(struct valgrind_options *o, const char *value, struct reason *why)
{
	for (size_t i = 0; i < COUNT(tools); i++)
		if (!strcmp(value, tools[i].name)) {
			o->tool = tools[i].tool;
			return 0;
		}
	return refuse(why, EINVAL, "--tool=%s: it is none of callgrind, cachegrind, none", value);
}

static int read_switch(bool *to, const char *name, const char *value, struct reason *why)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return refuse(why, EINVAL, "%s: '%s' is not yes or no", name, value);
	*to = !strcmp(value, "yes");
	return 0;
}

/* Reads an option with a value. Returns 0, -EINVAL, or 1: it is another one. */
static int read_valued(struct valgrind_options *o, const char *word, struct reason *why)
{
	const char *value = valgrind_value(word, "--tool");

	if (value)
		return read_tool(o, value, why);
	for (size_t i = 0; i < COUNT(switches); i++)
		if ((value = valgrind_value(word, switches[i].name)))
			return read_switch((bool *)((char *)o + switches[i].at), switches[i].name,
					   value, why);
	for (size_t i = 0; i < COUNT(texts); i++)
		if ((value = valgrind_value(word, texts[i].name))) {
			*(const char **)(void *)((char *)o + texts[i].at) = value;
			return 0;
		}
	return 1;
}

static void append_word(const char **list, const char *word)
{
	list[count_words(list)] = word;
}

static int read_option(struct valgrind_options *o, const char *word, struct reason *why)
{
	const char *pattern = valgrind_value(word, "--toggle-collect");
	const int read = read_valued(o, word, why);

	if (read <= 0)
		return read;
	if (pattern) {
		append_word(o->toggle, pattern);
		o->starts_collecting = false;
	} else if (!strcmp(word, "-q") || !strcmp(word, "--quiet")) {
		o->is_quiet = true;
	} else if (!strcmp(word, "--version")) {
		o->asks_version = true;
	} else if (!is_without_effect(word)) {
		append_word(o->own, word);
	}
	return 0;
}

int valgrind_options_read(struct valgrind_options *o, const char **words, struct reason *why)
{
	const size_t room = count_words(words) + 1;
	bool has_tool = false;
	int err = 0;

	*o = (struct valgrind_options){
		.starts_instrumented = true,
		.starts_collecting = true,
		.by_line = true,
		.compresses_names = true,
		.toggle = memory_checked(calloc(room, sizeof(*words))),
		.own = memory_checked(calloc(room, sizeof(*words))),
	};
	for (; !err && *words && **words == '-' && strcmp(*words, "--") != 0; words++) {
		has_tool |= valgrind_value(*words, "--tool") != NULL;
		err = read_option(o, *words, why);
	}
	o->program = words + (*words && !strcmp(*words, "--"));
	o->by_line |= !o->by_instruction;
	if (err || o->asks_version)
		return err;
	if (!has_tool)
		return refuse(why, EINVAL, "--tool= is missing: callgrind, cachegrind or none");
	return *o->program ? 0 : refuse(why, EINVAL, "no program");
}

void valgrind_options_free(struct valgrind_options *o)
{
	free(o->toggle);
	free(o->own);
}

/* --- Names of files --- */

/* Appends the variable in braces at `text`. Returns its length; 0: it has no braces, or no value.
 */
static size_t add_variable(struct buf *out, const char *text)
{
	const char *end = *text == '{' ? strchr(text, '}') : NULL, *value;
	char *name;

	if (!end)
		return 0;
	name = copy_text(text + 1, (size_t)(end - text - 1));
	value = getenv(name);
	free(name);
	if (!value)
		return 0;
	buf_printf(out, "%s", value);
	return (size_t)(end + 1 - text);
}

int valgrind_file_name(struct buf *out, const char *pattern, int pid, struct reason *why)
{
	for (const char *at = pattern; *at; at++) {
		size_t n;

		if (*at != '%') {
			buf_printf(out, "%c", *at);
			continue;
		}
		switch (*++at) {
		case 'p':
			buf_printf(out, "%d", pid);
			break;
		case '%':
			buf_printf(out, "%%");
			break;
		case 'q':
			n = add_variable(out, at + 1);
			if (!n)
				return refuse(why, EINVAL, "%s: %%q names no variable that is set",
					      pattern);
			at += n;
			break;
		default:
			return refuse(why, EINVAL, "%s: %% is followed by none of p, q, %%",
				      pattern);
		}
	}
	return 0;
}
