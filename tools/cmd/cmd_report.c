// SPDX-License-Identifier: BSD-2-Clause
/* cmd_report.c - `perf0 report`: the history of benchmarks in a folder of results. */
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <string.h>

#include "tools/pages/trends.h"
#include "tools/pages/trends_page.h"
#include "tools/picture/save.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define PERF_MAGIC "PERFILE2"

/* --- perf's command of that name --- */

static bool is_perf_data(const char *path)
{
	char magic[sizeof(PERF_MAGIC) - 1];
	FILE *file = fopen(path, "re");
	const bool found = file && fread(magic, sizeof(magic), 1, file) == 1 &&
			   !memcmp(magic, PERF_MAGIC, sizeof(magic));

	if (file)
		fclose(file);
	return found;
}

/* Returns whether a word is an option of this command, or begins with its name and `=`. */
static bool is_own_option(const char *word)
{
	static const char *const own[] = {"--html", "--commit-url", "--help"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strncmp(word, own[i], strcspn(word, "=")) && word[1] == '-')
			return true;
	return !strcmp(word, "-h");
}

bool report_is_of_perf(const char **words)
{
	for (size_t i = 1; words[i]; i++)
		if ((words[i][0] == '-' && !is_own_option(words[i])) || is_perf_data(words[i]))
			return true;
	return !words[1];
}

int command_of_perf(const char **words)
{
	message("perf0: %s is a command of perf: `perf %s` reads the perf.data of `perf0 record`; "
		"`perf0 profile` and `perf0 explain` need no perf",
		words[0], words[0]);
	return STATUS_USAGE;
}

/* --- A folder of results --- */

static void tell_no_result(void *ctx, const struct reason *why)
{
	(void)ctx;
	message("perf0 report: left out: %s", why->text);
}

static int fail_report(const struct reason *why)
{
	message("perf0 report: %s", why->text);
	return STATUS_FAILED;
}

static int save_trends_page(const struct options *options, const struct trends *trends)
{
	struct buf page = {0}, url = {0};
	struct reason why;
	int err;

	commits_url(&url, options->gate.commit_url);
	trends_page(&page, trends, options->typed, url.size ? buf_text(&url) : NULL,
		    options->output.html);
	err = picture_save(options->output.html, &page, &why);
	buf_free(&page);
	buf_free(&url);
	return err ? fail_report(&why) : 0;
}

int cmd_report(const struct options *options, const char **words)
{
	struct trends trends = {0};
	struct buf text = {0};
	struct reason why;
	int status = 0;

	if (!words[1] || words[2]) {
		message("perf0 report: one folder of results is needed; see `perf0 help report`");
		return STATUS_USAGE;
	}
	if (trends_read(&trends, words[1], tell_no_result, NULL, &why)) {
		status = fail_report(&why);
	} else {
		trends_text(&text, &trends);
		fwrite(text.data, 1, text.size, stdout);
		if (options->output.html)
			status = save_trends_page(options, &trends);
	}
	buf_free(&text);
	trends_free(&trends);
	return status;
}
