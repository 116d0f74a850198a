// SPDX-License-Identifier: BSD-2-Clause
/* bench_program.c - see bench_program.h. */
#include "tools/cmd/bench_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/pictured.h"
#include "tools/machine/boot.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

size_t made_operands(const struct options *options, const char **words)
{
	const size_t at = 1 + options->nkept;

	return words[at] && !strcmp(words[at], "--") ? at + 1 : at;
}

int made_check_operands(const struct options *options, const char **words, struct reason *why)
{
	for (const char *const *typed = options->typed; typed && *typed; typed++)
		if (!strcmp(*typed, "--"))
			return 0;
	for (size_t i = made_operands(options, words); words[i]; i++)
		if (words[i][0] == '-')
			return refuse(why, EINVAL,
				      "'%s' stands behind '%s': options come first, and all words "
				      "behind -- are none",
				      words[i], words[made_operands(options, words)]);
	return 0;
}

static int boot_line(const struct options *options, const char **line)
{
	struct session_files none = {0};
	struct stream stream;
	int status = boot_check(options, line);

	if (status)
		return status;
	stream_init(&stream);
	stream.max_size = options->stream.max_size;
	status = boot_image(options, &none, &stream);
	if (pictured_is_asked(&options->output))
		status = pictured_save(options, line, &stream, status);
	stream_free(&stream);
	return status;
}

struct made_words {
	const struct options *options;
	const char **words;
	const char *program;
	bool operands;
	const char **line;
	size_t n;
};

/* Adds the words that follow the head of each command. */
static void add_made_words(struct made_words *m)
{
	const size_t noptions = 1 + m->options->nkept;

	if (pictured_is_asked(&m->options->output))
		m->line[m->n++] = "--also-json";
	for (size_t i = 1; i < noptions; i++)
		m->line[m->n++] = m->words[i];
	m->line[m->n++] = "--";
	if (m->program)
		m->line[m->n++] = m->program;
	for (size_t i = made_operands(m->options, m->words); m->operands && m->words[i]; i++)
		m->line[m->n++] = m->words[i];
}

int made_run(const struct options *options, const char *const *first, const char **words,
	     const char *program, bool operands)
{
	const size_t each = count_words(words) + 4, ncommands = count_commands(first);
	struct made_words m = {options, words, program, operands, NULL, 0};
	struct options telling = *options;
	int status;

	telling.output.tells_progress = true;

	m.line = calloc(count_words(first) + ncommands * each + 1, sizeof(*m.line));
	if (!m.line)
		return STATUS_MACHINE;
	for (; *first; first++) {
		if (is_separator(*first))
			add_made_words(&m);
		m.line[m.n++] = *first;
	}
	add_made_words(&m);
	status = boot_line(&telling, m.line);
	free(m.line);
	return status;
}

static ssize_t add_output(void *ctx, const char *bytes, size_t n)
{
	buf_add(ctx, bytes, n);
	return (ssize_t)n;
}

static FILE *open_buf(struct buf *to)
{
	FILE *file =
		memory_checked(fopencookie(to, "w", (cookie_io_functions_t){.write = add_output}));

	setvbuf(file, NULL, _IONBF, 0);
	return file;
}

int made_collect(const struct options *options, const char *const *first, const char **words,
		 const char *program, struct buf *out, struct buf *said)
{
	const size_t room = count_words(first) + count_words(words) + 4;
	struct made_words m = {options, words, program, false, NULL, 0};
	struct session_files files = {.out = open_buf(out)};
	struct stream stream;
	int status;

	files.programs = files.errors = open_buf(said);
	m.line = memory_checked(calloc(room, sizeof(*m.line)));
	for (; *first; first++)
		m.line[m.n++] = *first;
	add_made_words(&m);
	stream_init(&stream);
	status = boot_check(options, m.line);
	if (!status)
		status = boot_image(options, &files, &stream);
	stream_free(&stream);
	fclose(files.out);
	fclose(files.errors);
	free(m.line);
	return status;
}

bool made_folder_begin(struct made_folder *made, const char *command)
{
	const char *tmp = getenv("TMPDIR");

	*made = (struct made_folder){0};
	buf_printf(&made->folder, "%s/perf0-%s-XXXXXX", tmp && *tmp ? tmp : "/tmp", command);
	buf_text(&made->folder);
	if (!mkdtemp((char *)made->folder.data)) {
		message("perf0 %s: %s: %s", command, buf_text(&made->folder), strerror(errno));
		buf_free(&made->folder);
		return false;
	}
	buf_printf(&made->program, "%s/code", buf_text(&made->folder));
	return true;
}

void made_folder_end(struct made_folder *made)
{
	unlink(buf_text(&made->program));
	rmdir(buf_text(&made->folder));
	buf_free(&made->folder);
	buf_free(&made->program);
}

int made_run_once(const struct made *made, const struct options *options, const char *const *first,
		  const char **words)
{
	struct made_folder at;
	struct reason why;
	int status = 0;

	if (!made_folder_begin(&at, made->command))
		return STATUS_FAILED;
	if (made->make(made->ctx, buf_text(&at.folder),
		       options->output.path ? options->output.path : buf_text(&at.program), &why)) {
		message("perf0 %s: %s", made->command, why.text);
		status = STATUS_USAGE;
	} else if (!options->output.path) {
		status = made_run(options, first, words, buf_text(&at.program), made->operands);
	}
	made_folder_end(&at);
	return status;
}
