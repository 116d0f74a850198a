// SPDX-License-Identifier: BSD-2-Clause
/*
 * environment.c - makes the environment of programs. It has few variables that are the same for
 * every user, so that counts do not depend on the user. --keep-env takes the tool's own environment
 * instead, and --env sets variables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/perf0/programs.h"
#include "tools/program/packing_priv.h"
#include "tools/util/memory.h"

static const char *const by_default[] = {"PATH=/usr/bin:/bin", "HOME=/", "LANG=C", "TERM=dumb",
					 NULL};

/* Variables of the ELF interpreters: search paths, and additional libraries. */
static const char *const of_interpreters[] = {"LD_LIBRARY_PATH", "LD_PRELOAD"};

static void add_to(struct option_values *list, const char *word)
{
	list->word = memory_grow(list->word, list->n, sizeof(*list->word));
	list->word[list->n++] = word;
}

static size_t length_of_name(const char *variable)
{
	return strcspn(variable, "=");
}

/* Sets a variable, and replaces the one of the same name. */
static void set_in(struct option_values *list, const char *variable)
{
	const size_t n = length_of_name(variable) + 1;

	for (size_t i = 0; i < list->n; i++)
		if (!strncmp(list->word[i], variable, n)) {
			list->word[i] = variable;
			return;
		}
	add_to(list, variable);
}

static const char *find_in(const struct buf *environment, const char *name)
{
	const char *at = (const char *)environment->data, *end = at + environment->size;

	for (; at < end; at += strlen(at) + 1)
		if (!strncmp(at, name, strlen(name)) && at[strlen(name)] == '=')
			return at;
	return NULL;
}

const char *packing_variable(const struct packing *p, const char *name)
{
	const char *variable = find_in(&p->environment, name);

	return variable ? variable + strlen(name) + 1 : NULL;
}

static int check_variable(const char *variable, struct reason *why)
{
	if (strlen(variable) < PROGRAMS_STRING_MOST)
		return 0;
	return refuse(why, E2BIG, "--env %.*s: it has more than %u bytes",
		      (int)length_of_name(variable), variable, PROGRAMS_STRING_MOST - 1);
}

/* Makes the environment of interpreters that list libraries. Variables that are set for the
 * programs apply; otherwise the host's LD_LIBRARY_PATH does. */
static void set_listed(struct packing *p)
{
	for (size_t i = 0; i < sizeof(of_interpreters) / sizeof(of_interpreters[0]); i++) {
		const char *name = of_interpreters[i], *set = find_in(&p->environment, name);
		const char *own = i ? NULL : getenv(name);
		struct buf variable = {0};

		if (!set && !own)
			continue;
		if (set)
			buf_printf(&variable, "%s", set);
		else
			buf_printf(&variable, "%s=%s", name, own);
		buf_text(&variable);
		add_to(&p->listed, (const char *)variable.data);
	}
	add_to(&p->listed, NULL);
}

int packing_environment(struct packing *p, struct reason *why)
{
	const struct program_options *options = p->options;
	const char *const *from = options->keep_env ? (const char *const *)environ : by_default;
	struct option_values all = {0};

	for (; *from; from++)
		add_to(&all, *from);
	for (size_t i = 0; i < options->env.n; i++) {
		if (check_variable(options->env.word[i], why)) {
			free(all.word);
			return -EINVAL;
		}
		set_in(&all, options->env.word[i]);
	}
	for (size_t i = 0; i < all.n; i++)
		buf_add(&p->environment, all.word[i], strlen(all.word[i]) + 1);
	free(all.word);
	set_listed(p);
	return 0;
}
