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

#include "tools/bench/binutils.h"
#include "tools/bench/code_source.h"
#include "tools/util/artifact.h"
#include "tools/util/outfile.h"

/* Reports the assembler's first error; later errors may be consequences of it. */
static int refuse_by_output(const struct source *source, const char *output, struct reason *why)
{
	const char *at = output;
	size_t line;
	char *message = binutils_error(&at, &line);
	int err;

	if (!message)
		return refuse(why, EIO, "as: %.*s", (int)strcspn(output, "\n"), output);
	err = source_refuse(source, line, message, why);
	free(message);
	return err;
}

static int run_assembler(const struct source *source, const char *text, const char *object,
			 struct reason *why)
{
	struct buf output = {0};
	int status = binutils_assemble(text, object, &output, why);

	if (status > 0)
		status = refuse_by_output(source, buf_text(&output), why);
	buf_free(&output);
	return status;
}

/* Checks files of machine code first: the assembler would name a temporary file instead. */
static int check_machine_code(const struct bench_options *options, struct reason *why)
{
	for (unsigned i = 0; i < BENCH_PARTS; i++) {
		const char *path = options->machine[i];
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

static int assemble_in(const struct bench_options *options, const char *folder, const char *harness,
		       const char *program, struct reason *why)
{
	struct buf text = {0}, object = {0};
	struct source source;
	int err = source_make(&source, options, why);

	buf_printf(&text, "%s/code.s", folder);
	buf_printf(&object, "%s/code.o", folder);
	if (!err)
		err = outfile_replace(buf_text(&text), &source.text, false, why);
	if (!err)
		err = run_assembler(&source, buf_text(&text), buf_text(&object), why);
	if (!err)
		err = binutils_link(buf_text(&object), harness, program, why);
	unlink(buf_text(&text));
	unlink(buf_text(&object));
	source_free(&source);
	buf_free(&text);
	buf_free(&object);
	return err;
}

/* The options with the measured code alone. */
static struct bench_options code_alone(const struct bench_options *options)
{
	struct bench_options alone = *options;

	for (unsigned i = 0; i < BENCH_PARTS; i++)
		if (i != BENCH_CODE)
			alone.assembly[i] = alone.machine[i] = NULL;
	return alone;
}

int bench_assemble_code(const struct bench_options *options, const char *folder, struct buf *code,
			struct reason *why)
{
	const struct bench_options alone = code_alone(options);
	struct buf text = {0}, object = {0}, plain = {0};
	struct source source = {0};
	int err = check_machine_code(&alone, why);

	buf_printf(&text, "%s/code.s", folder);
	buf_printf(&object, "%s/code.o", folder);
	buf_printf(&plain, "%s/code.bin", folder);
	if (!err)
		err = source_make(&source, &alone, why);
	if (!err)
		err = outfile_replace(buf_text(&text), &source.text, false, why);
	if (!err)
		err = run_assembler(&source, buf_text(&text), buf_text(&object), why);
	if (!err)
		err = binutils_code(buf_text(&object), buf_text(&plain), code, why);
	unlink(buf_text(&text));
	unlink(buf_text(&object));
	unlink(buf_text(&plain));
	source_free(&source);
	buf_free(&text);
	buf_free(&object);
	buf_free(&plain);
	return err;
}

int bench_assemble(const struct bench_options *options, const char *folder, const char *program,
		   struct reason *why)
{
	char harness[PATH_MAX];
	int err = check_machine_code(options, why);

	if (!err)
		err = artifact_path(harness, sizeof(harness), ARTIFACT_HARNESS, why);
	return err ? err : assemble_in(options, folder, harness, program, why);
}
