// SPDX-License-Identifier: BSD-2-Clause
/* mistakes.c - see mistakes.h. */
#include "tools/machine/mistakes.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/words/near.h"
#include "lib/words/workload.h"
#include "tools/machine/programs.h"
#include "tools/machine/registered.h"
#include "tools/options/scan.h"

static int note_given(void *ctx, const struct scanned *option, struct reason *why)
{
	bool *given = ctx;

	(void)why;
	given[option->id] = true;
	return 0;
}

static const char *near_workload(const struct registered *r, const char *typed)
{
	for (size_t i = 0; i < r->nworkloads; i++)
		if (near_word(typed, strlen(typed), r->workload[i].name))
			return r->workload[i].name;
	return NULL;
}

static const char *near_command(const struct registered *r, const char *typed)
{
	for (size_t i = 0; i < r->ncommands; i++)
		if (near_word(typed, strlen(typed), r->command[i].name))
			return r->command[i].name;
	return NULL;
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

/* words[0] is its name or path. */
static int check_workload(const struct registered *r, const char *const *words, struct reason *why)
{
	const struct workload *w;
	uint64_t args[WORKLOAD_MAX_PARAMS];
	const char *near;

	if (!words[0])
		return refuse(why, EINVAL, "no workload given; `perf0 help workloads` lists them");
	if (strchr(words[0], '/'))
		return program_check(words[0], why);
	w = registered_workload(r, words[0]);
	if (w)
		return workload_args(w, (int)count_words(words) - 1, words + 1, args, why);
	near = near_workload(r, words[0]);
	if (near)
		return refuse(why, EINVAL, "unknown workload '%s'; did you mean '%s'?", words[0],
			      near);
	return refuse(why, EINVAL, "unknown workload '%s'; `perf0 help workloads` lists them",
		      words[0]);
}

static int check_operands(const struct registered *r, const struct command *c,
			  const char *const *words, struct reason *why)
{
	if (c->options & IMAGE_MEASURES)
		return check_workload(r, words, why);
	if (c->options & (IMAGE_CAPS | IMAGE_PLAN) && words[0])
		return refuse(why, EINVAL, "takes no argument '%s'", words[0]);
	if (c->options & IMAGE_LIST && words[0] && words[1])
		return refuse(why, EINVAL, "takes one PART: '%s' is another", words[1]);
	return 0;
}

/* Commands without rows read their words themselves. */
static int check_words(const struct registered *r, const struct command *c, const char **words,
		       struct reason *why)
{
	bool given[OPTIONS] = {false};
	bool ended;
	int err;

	if (!c->options)
		return 0;
	err = scan_options(c->options, false, words, &ended, note_given, given, why);
	if (!err)
		err = option_pairs_check(given, why);
	return err ? err : check_operands(r, c, words, why);
}

static int unknown_command(const struct registered *r, const char *name, struct reason *why)
{
	const char *near = near_command(r, name);

	if (near)
		return refuse(why, ENOENT, "unknown command '%s'; did you mean '%s'?", name, near);
	return refuse(why, ENOENT, "unknown command '%s'; `help` lists them", name);
}

/* In front of a command (rt/portable/options.h); which there are the image tells. */
static bool is_boot_option(const char *word)
{
	return strchr(word, '=') && word[0] != '-' && !strchr(word, '/');
}

int command_mistakes(const char *const *words, struct reason *why)
{
	const struct registered *r;
	const struct command *c;
	struct reason what, ignored;
	const char **copy;
	size_t n;
	int err;

	while (words[0] && is_boot_option(words[0]))
		words++;
	if (!words[0] || registered_read(&r, &ignored))
		return 0;
	c = registered_command(r, words[0]);
	if (!c)
		return unknown_command(r, words[0], why);
	n = count_words(words);
	copy = calloc(n, sizeof(*copy));
	if (!copy)
		return 0;
	memcpy(copy, words + 1, n * sizeof(*copy));
	err = check_words(r, c, copy, &what);
	free(copy);
	return err ? refuse(why, EINVAL, "%s: %s", c->name, what.text) : 0;
}
