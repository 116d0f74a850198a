// SPDX-License-Identifier: BSD-2-Clause
/* helper.c - see helper.h. */
#include "tools/util/helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/child.h"

#define WORDS_MOST   32
#define DEFAULT_PATH "/usr/bin:/bin"

bool helper_find(char path[PATH_MAX], const char *name)
{
	const char *at = getenv("PATH");

	for (at = at ? at : DEFAULT_PATH; *at;) {
		const size_t n = strcspn(at, ":");

		if (n && (size_t)snprintf(path, PATH_MAX, "%.*s/%s", (int)n, at, name) < PATH_MAX &&
		    !access(path, X_OK))
			return true;
		at += n + (at[n] == ':');
	}
	return false;
}

const char *helper_last_line(struct buf *output)
{
	char *text = (char *)buf_text(output), *end = text + strlen(text), *begin;

	while (end > text && end[-1] == '\n')
		*--end = '\0';
	begin = strrchr(text, '\n');
	return begin ? begin + 1 : text;
}

/*
 * The environment makes mtools write fixed times and serial numbers, so that the same files give
 * the same bytes. PATH comes last: a compiler looks there for its linker.
 */
static char *const environment[] = {(char *)"MTOOLS_SKIP_CHECK=1", (char *)"MTOOLSRC=/dev/null",
				    (char *)"SOURCE_DATE_EPOCH=1767225600", (char *)"TZ=UTC",
				    (char *)"LC_ALL=C"};

#define NENVIRONMENT (sizeof(environment) / sizeof(environment[0]))

static int run_helper(const char *const *words, const char *package, char *const *with,
		      struct buf *output, struct reason *why)
{
	char path[PATH_MAX], *copy[WORDS_MOST] = {path};

	if (!helper_find(path, words[0]))
		return refuse_missing(why, words[0], package);
	for (size_t i = 1; i < WORDS_MOST - 1 && words[i]; i++)
		copy[i] = (char *)words[i];
	return child_output(copy, with, output, why);
}

int helper_output(const char *const *words, const char *package, struct buf *output,
		  struct reason *why)
{
	char *with_path[NENVIRONMENT + 2] = {NULL};
	struct buf search = {0};
	int status;

	for (size_t i = 0; i < NENVIRONMENT; i++)
		with_path[i] = environment[i];
	buf_printf(&search, "PATH=%s", getenv("PATH") ? getenv("PATH") : DEFAULT_PATH);
	with_path[NENVIRONMENT] = (char *)buf_text(&search);
	status = run_helper(words, package, with_path, output, why);
	buf_free(&search);
	return status;
}

int helper_output_here(const char *const *words, const char *package, struct buf *output,
		       struct reason *why)
{
	return run_helper(words, package, environ, output, why);
}

int helper_run(const char *const *words, const char *package, struct reason *why)
{
	struct buf output = {0};
	int status = helper_output(words, package, &output, why);

	if (status > 0)
		refuse(why, EIO, "%s failed (status %d): %s", words[0], status,
		       helper_last_line(&output));
	buf_free(&output);
	return status > 0 ? -EIO : status;
}
