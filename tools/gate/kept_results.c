// SPDX-License-Identifier: BSD-2-Clause
/* kept_results.c - see kept_results.h. */
#include "tools/gate/kept_results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEFORE_HEAD "HEAD^"

void kept_path(struct buf *out, const char *folder, const char *commit, const char *ending)
{
	buf_printf(out, "%s/%s%s", folder, commit, ending);
}

void kept_stacks_path(struct buf *out, const char *path)
{
	const size_t n = strlen(path), ending = strlen(KEPT_BASELINE);
	const bool ends = n > ending && !strcmp(path + n - ending, KEPT_BASELINE);

	buf_printf(out, "%.*s" KEPT_STACKS, (int)(ends ? n - ending : n), path);
}

static bool has_results(const char *folder, const char *commit)
{
	struct buf path = {0};
	bool has;

	kept_path(&path, folder, commit, KEPT_BASELINE);
	has = !access(buf_text(&path), F_OK);
	buf_free(&path);
	return has;
}

/* Returns the index of the first commit with results; n: none has. */
static size_t first_with_results(const struct commits *commits, const char *folder)
{
	size_t i = 0;

	while (i < commits->n && !has_results(folder, commits->hash[i]))
		i++;
	return i;
}

/* Names the newest commit of any branch that has results. */
static int refuse_without_results(const char *ref, const char *folder, struct reason *why)
{
	const char *cut =
		commits_are_cut() ? "; this clone is shallow (git fetch --unshallow)" : "";
	struct commits all = {0};
	struct reason ignored;
	size_t at;
	int err;

	commits_list(&all, NULL, &ignored);
	at = first_with_results(&all, folder);
	if (at < all.n)
		err = refuse(why, ENODATA,
			     "%s has no results of '%s' or a commit before it; the newest commit "
			     "with results is %.*s%s",
			     folder, ref, COMMIT_SHORT, all.hash[at], cut);
	else
		err = refuse(why, ENODATA,
			     "%s has no results of '%s' or any other commit; "
			     "--save keeps those of HEAD%s",
			     folder, ref, cut);
	commits_free(&all);
	return err;
}

static int find_of_commit(struct kept *kept, const char *ref, const char *folder,
			  struct reason *why)
{
	struct commits before = {0};
	struct buf path = {0};
	int err = commit_find(ref, kept->commit, why);

	if (!err)
		err = commits_list(&before, kept->commit, why);
	if (err)
		return err;
	kept->behind = first_with_results(&before, folder);
	if (kept->behind == before.n) {
		err = refuse_without_results(ref, folder, why);
	} else {
		strcpy(kept->commit, before.hash[kept->behind]);
		kept_path(&path, folder, kept->commit, KEPT_BASELINE);
		kept->path = copy_text(buf_text(&path), path.size);
	}
	buf_free(&path);
	commits_free(&before);
	return err;
}

bool kept_is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int kept_find(struct kept *kept, const char *against, const char *folder, struct reason *why)
{
	if (access(against, F_OK))
		return find_of_commit(kept, against, folder, why);
	if (kept_is_folder(against))
		return find_of_commit(kept, BEFORE_HEAD, against, why);
	kept->path = copy_text(against, strlen(against));
	return 0;
}

void kept_free(struct kept *kept)
{
	free(kept->path);
	*kept = (struct kept){0};
}
