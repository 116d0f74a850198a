// SPDX-License-Identifier: BSD-2-Clause
/* assemble.c - see assemble.h. */
#include "tools/bench/assemble.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/bench/source.h"
#include "tools/util/artifact.h"
#include "tools/util/helper.h"
#include "tools/util/outfile.h"

/* "FILE:LINE: Error: MESSAGE" is the assembler's first complaint; others are of no use. */
static int refuse_by_output(const struct source *source, const char *output, struct reason *why)
{
	static const char mark[] = ": Error: ";

	for (const char *at = output; at && *at;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		const size_t n = strcspn(at, "\n");
		const char *error = strstr(at, mark);
		const char *number = error;
		char *message;
		int err;

		if (!error || error > at + n)
			continue;
		while (number > at && number[-1] != ':')
			number--;
		error += strlen(mark);
		message = copy_text(error, strcspn(error, "\n"));
		err = source_refuse(source, strtoul(number, NULL, 10), message, why);
		free(message);
		return err;
	}
	return refuse(why, EIO, "as: %.*s", (int)strcspn(output, "\n"), output);
}

static int run_assembler(const struct source *source, const char *text, const char *object,
			 struct reason *why)
{
	const char *const words[] = {"as", "--64", "-o", object, text, NULL};
	struct buf output = {0};
	int status = helper_output(words, "binutils", &output, why);

	if (status > 0)
		status = refuse_by_output(source, buf_text(&output), why);
	buf_free(&output);
	return status;
}

/* "undefined reference to `x'" and the like. */
static int refuse_link(const char *output, struct reason *why)
{
	static const char no_output[] = "cannot open output file ", own[] = "code_";
	const char *symbol = strstr(output, "undefined reference to `"),
		   *path = strstr(output, no_output);

	if (path)
		return refuse(why, EINVAL, "--output: %.*s",
			      (int)strcspn(path, "\n") - (int)strlen(no_output),
			      path + strlen(no_output));
	if (!symbol)
		return refuse(why, EINVAL, "ld: %.*s", (int)strcspn(output, "\n"), output);
	symbol = strchr(symbol, '`') + 1;
	if (!strncmp(symbol, own, strlen(own)) && strstr(symbol, "_end'"))
		return refuse(why, EINVAL, "the code does not end: there is no */ behind its /*");
	return refuse(why, EINVAL, "the code uses '%.*s', which it does not define",
		      (int)strcspn(symbol, "'\n"), symbol);
}

static int run_linker(const char *object, const char *harness, const char *program,
		      struct reason *why)
{
	const char *const words[] = {"ld", "-static", "-z",   "noexecstack", "--build-id=none",
				     "-o", program,   object, harness,       NULL};
	struct buf output = {0};
	int status = helper_output(words, "binutils", &output, why);

	if (status > 0)
		status = refuse_link(buf_text(&output), why);
	buf_free(&output);
	return status;
}

/* The assembler's own complaint would be about a file of ours. */
static int check_machine_code(const struct bench_given *given, struct reason *why)
{
	for (unsigned i = 0; i < BENCH_PARTS; i++) {
		const char *path = given->machine[i];
		struct stat file;
		int err = path && (access(path, R_OK) || stat(path, &file)) ? errno : 0;

		if (path && !err && S_ISDIR(file.st_mode))
			err = EISDIR;
		if (err)
			return refuse(why, err, "%s: %s: %s",
				      source_option((enum bench_part)i, true), path, strerror(err));
	}
	return 0;
}

static int assemble_in(const struct bench_given *given, const char *folder, const char *harness,
		       const char *program, struct reason *why)
{
	struct buf text = {0}, object = {0};
	struct source source;
	int err = source_make(&source, given, why);

	buf_printf(&text, "%s/code.s", folder);
	buf_printf(&object, "%s/code.o", folder);
	if (!err)
		err = outfile_replace(buf_text(&text), &source.text, false, why);
	if (!err)
		err = run_assembler(&source, buf_text(&text), buf_text(&object), why);
	if (!err)
		err = run_linker(buf_text(&object), harness, program, why);
	unlink(buf_text(&text));
	unlink(buf_text(&object));
	source_free(&source);
	buf_free(&text);
	buf_free(&object);
	return err;
}

int bench_assemble(const struct bench_given *given, const char *folder, const char *program,
		   struct reason *why)
{
	char harness[PATH_MAX];
	int err = check_machine_code(given, why);

	if (!err)
		err = artifact_path(harness, sizeof(harness), ARTIFACT_HARNESS, why);
	return err ? err : assemble_in(given, folder, harness, program, why);
}
