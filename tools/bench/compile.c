// SPDX-License-Identifier: BSD-2-Clause
/* compile.c - see compile.h. */
#include "tools/bench/compile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/artifact.h"
#include "tools/util/helper.h"
#include "tools/util/shellwords.h"
#include "tools/util/wholefile.h"

#define PROGRAM_MOST (256u << 20)
#define FLAGS_MOST   16 /* helper_output() takes 31 words */

/* Places of header and library, in the build tree and in an installation. */
static const char *const folders[] = {"-I%s../bench", "-I%s../include", "-L%s.", "-L%s../lib"};

#define NFOLDERS (sizeof(folders) / sizeof(folders[0]))

static int split_flags(struct shellwords *flags, const char *text, struct reason *why)
{
	struct reason what;

	*flags = (struct shellwords){0};
	if (!text || !text[strspn(text, " \t")])
		return 0;
	if (shellwords_split(flags, text, &what))
		return refuse(why, EINVAL, "--cflags: %s", what.text);
	if (flags->ncommands == 1 && flags->nwords <= FLAGS_MOST)
		return 0;
	return refuse(why, EINVAL,
		      flags->ncommands == 1 ? "--cflags: more than %d words"
					    : "--cflags: a ; is in it",
		      FLAGS_MOST - 1);
}

static int run_compiler(const struct bench_options *options, const struct shellwords *flags,
			const char *folder, const char *program, struct reason *why)
{
	const char *const compiler = options->is_cxx ? "g++" : "gcc";
	const char *words[FLAGS_MOST + 16] = {compiler, "-O2", "-g", "-static"};
	struct buf where[NFOLDERS] = {{0}}, output = {0};
	size_t n = 4;
	int status;

	for (size_t i = 0; i < flags->nwords && flags->word[i]; i++)
		words[n++] = flags->word[i];
	for (size_t i = 0; i < NFOLDERS; i++) {
		buf_printf(&where[i], folders[i], folder);
		words[n++] = buf_text(&where[i]);
	}
	words[n++] = "-o";
	words[n++] = program;
	words[n++] = options->source;
	words[n++] = "-lperf0bench";
	status = helper_output(words, compiler, &output, why);
	fwrite(output.data, 1, output.size, stderr);
	if (status > 0)
		status = refuse(why, EINVAL, "--%s: %s: %s refuses it",
				options->is_cxx ? "cxx" : "c", options->source, compiler);
	for (size_t i = 0; i < NFOLDERS; i++)
		buf_free(&where[i]);
	buf_free(&output);
	return status;
}

/* Functions stand in a section of that name, which is in a program without symbols, too. */
static int check_functions(const struct bench_options *options, const char *program,
			   struct reason *why)
{
	static const char section[] = "\0perf0_benches"; /* as a table of names has it */
	struct buf bytes = {0};
	int err = whole_file_read(&bytes, program, PROGRAM_MOST, why);

	if (!err && !memmem(bytes.data, bytes.size, section, sizeof(section)))
		err = refuse(why, EINVAL,
			     "--%s: %s: no function is marked by PERF0_BENCH(), as in `perf0 help "
			     "bench` and docs/TUTORIAL-BENCH.md",
			     options->is_cxx ? "cxx" : "c", options->source);
	buf_free(&bytes);
	return err;
}

int bench_compile(const struct bench_options *options, const char *program, struct reason *why)
{
	struct shellwords flags;
	char folder[PATH_MAX];
	int err;

	if (access(options->source, R_OK))
		return refuse(why, errno, "--%s: %s: %s", options->is_cxx ? "cxx" : "c",
			      options->source, strerror(errno));
	err = artifact_folder(folder, why);
	if (!err)
		err = split_flags(&flags, options->cflags, why);
	if (err)
		return err;
	err = run_compiler(options, &flags, folder, program, why);
	if (flags.nwords)
		shellwords_free(&flags);
	return err ? err : check_functions(options, program, why);
}
