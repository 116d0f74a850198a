// SPDX-License-Identifier: BSD-2-Clause
/* gate_keeping.c - the results of commits, kept in a folder; see gate.h. */
#include "tools/gate/gate.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/util/message.h"
#include "tools/util/outfile.h"
#include "tools/util/wholefile.h"

static const char *folder_of_results(const struct gate *g)
{
	const char *folder = g->options.gate.folder, *against = g->options.gate.against;

	return folder ? folder : against && kept_is_folder(against) ? against : KEPT_FOLDER;
}

int gate_find_against(struct gate *g, struct reason *why)
{
	const char *against = g->options.gate.against;
	const int err = kept_find(&g->kept, against, folder_of_results(g), why);

	if (err == -ENODATA && g->options.gate.save) {
		message("perf0 gate: %s: nothing is compared", why->text);
		return 0;
	}
	if (err)
		return refuse(why, -err, "--against: %s", why->text);
	g->baseline = g->kept.path;
	if (g->kept.behind)
		message("perf0 gate: compared with %.*s, the nearest commit before %s that has "
			"results",
			COMMIT_SHORT, g->kept.commit, kept_is_folder(against) ? "HEAD" : against);
	return 0;
}

int gate_save_file(const char *path, struct buf *bytes)
{
	struct reason why;
	int err = path ? outfile_replace(path, bytes, false, &why) : 0;

	buf_free(bytes);
	return err ? gate_complain(&why) : 0;
}

int gate_write_results(const char *path, const struct gate_results *results)
{
	struct buf bytes = {0};

	if (path)
		gate_results_write(&bytes, results);
	return gate_save_file(path, &bytes);
}

/* Keeps the stacks beside the results at `path`; shards have none. */
static int keep_stacks(const struct gate *g, const char *path)
{
	struct buf text = {0}, beside = {0};
	int status = 0;

	kept_stacks_path(&beside, path);
	stack_tree_write(&text, &g->stacks, STACK_NEW);
	if (text.size)
		status = gate_save_file(buf_text(&beside), &text);
	else
		unlink(buf_text(&beside));
	buf_free(&beside);
	buf_free(&text);
	return status;
}

void gate_read_stacks(struct gate *g)
{
	struct buf text = {0}, path = {0};
	struct reason why;

	kept_stacks_path(&path, g->baseline);
	if (access(buf_text(&path), F_OK)) {
		buf_free(&path);
		return;
	}
	if (text_file_read(&text, buf_text(&path), &why))
		message("perf0 gate: %s", why.text);
	else if (stack_tree_read(&g->stacks, STACK_OLD, (const char *)text.data, text.size, &why))
		message("perf0 gate: %s: %s", buf_text(&path), why.text);
	buf_free(&text);
	buf_free(&path);
}

void gate_find_commits(struct gate *g)
{
	struct reason ignored;

	commit_find("HEAD", g->commit, &ignored);
	commits_url(&g->commit_url, g->options.gate.commit_url);
}

int gate_keep_results(const struct gate *g)
{
	const char *folder = folder_of_results(g);
	char commit[COMMIT_MAX];
	struct buf path = {0};
	struct reason why;
	int status = 0;

	if (commit_find("HEAD", commit, &why) || outfile_make_folder(folder, &why))
		return gate_complain(&why);
	if (commits_differ())
		message("perf0 gate: files differ from HEAD, whose results these become");
	kept_path(&path, folder, commit, KEPT_BASELINE);
	status = gate_write_results(buf_text(&path), &g->got);
	if (!status)
		status = keep_stacks(g, buf_text(&path));
	buf_free(&path);
	return status;
}
