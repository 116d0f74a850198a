// SPDX-License-Identifier: BSD-2-Clause
/* commits.c - see commits.h. */
#include "tools/gate/commits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/helper.h"
#include "tools/util/memory.h"

#define LISTED_MOST "--max-count=10000"

/* Runs git. Returns its status; -E with the reason: it is missing. */
static int run_git(const char *const *words, struct buf *output, struct reason *why)
{
	return helper_output_here(words, "git", output, why);
}

static bool is_hash(const char *text)
{
	const size_t n = strspn(text, "0123456789abcdef");

	return !text[n] && (n == 40 || n == 64);
}

/* Git is silent about an unknown name alone. */
static int refuse_ref(const char *ref, struct buf *said, struct reason *why)
{
	const char *line = helper_last_line(said);

	if (*line)
		return refuse(why, EINVAL, "git: %s", line);
	return refuse(why, EINVAL, "there is no commit '%s'%s", ref,
		      commits_are_cut() ? "; this clone is shallow (git fetch --unshallow)" : "");
}

int commit_find(const char *ref, char hash[COMMIT_MAX], struct reason *why)
{
	struct buf name = {0}, said = {0};
	const char *words[] = {"git", "rev-parse", "--verify", "--quiet", NULL, NULL}, *line;
	int err;

	if (*ref == '-')
		return refuse(why, EINVAL, "'%s' is no name of a commit", ref);
	buf_printf(&name, "%s^{commit}", ref);
	words[4] = buf_text(&name);
	err = run_git(words, &said, why);
	line = helper_last_line(&said);
	if (err > 0 || (!err && !is_hash(line)))
		err = refuse_ref(ref, &said, why);
	else if (!err)
		strcpy(hash, line);
	buf_free(&name);
	buf_free(&said);
	return err;
}

int commits_list(struct commits *commits, const char *from, struct reason *why)
{
	const char *const words[] = {"git", "rev-list", LISTED_MOST, from ? from : "--all", NULL};
	struct buf said = {0};
	int status = run_git(words, &said, why);
	char *rest = (char *)buf_text(&said), *line;

	if (status > 0)
		status = refuse(why, EIO, "git rev-list: %s", helper_last_line(&said));
	while (!status && (line = strsep(&rest, "\n"))) {
		if (!is_hash(line))
			continue;
		commits->hash = memory_grow(commits->hash, commits->n, sizeof(*commits->hash));
		strcpy(commits->hash[commits->n++], line);
	}
	buf_free(&said);
	return status;
}

void commits_free(struct commits *commits)
{
	free(commits->hash);
	*commits = (struct commits){0};
}

void commits_url(struct buf *out, const char *given)
{
	const char *server = getenv("GITHUB_SERVER_URL"), *repository = getenv("GITHUB_REPOSITORY"),
		   *project = getenv("CI_PROJECT_URL");

	if (given)
		buf_printf(out, "%s", given);
	else if (server && repository)
		buf_printf(out, "%s/%s/commit/", server, repository);
	else if (project)
		buf_printf(out, "%s/-/commit/", project);
}

bool commits_are_cut(void)
{
	static const char *const words[] = {"git", "rev-parse", "--is-shallow-repository", NULL};
	struct buf said = {0};
	struct reason ignored;
	const bool is_cut =
		!run_git(words, &said, &ignored) && !strcmp(helper_last_line(&said), "true");

	buf_free(&said);
	return is_cut;
}

bool commits_differ(void)
{
	static const char *const words[] = {"git", "diff", "--quiet", "HEAD", "--", NULL};
	struct buf said = {0};
	struct reason ignored;
	const int status = run_git(words, &said, &ignored);

	buf_free(&said);
	return status == 1;
}
