// SPDX-License-Identifier: BSD-2-Clause
/* boot.c - see boot.h. */
#include "tools/machine/boot.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "tools/events/events.h"
#include "tools/util/message.h"
#include "tools/machine/mistakes.h"
#include "tools/machine/programs.h"
#include "tools/machine/standing.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* Of several, the image refuses those that are wrong, and runs the others. */
static bool is_one_command(const char **words)
{
	for (; *words; words++)
		if (!strcmp(*words, ";"))
			return false;
	return true;
}

/* What boot_check() leaves for boot_image(). */
static struct {
	struct programs programs;
	uint32_t memory; /* MiB, for them */
	struct buf line;
} checked;

int boot_check(const struct options *options, const char **words)
{
	struct reason why;
	int err;

	/* Of a command that was refused. */
	checked.line.size = 0;
	programs_free(&checked.programs);
	err = is_one_command(words) ? command_mistakes(words, &why) : 0;

	if (!err)
		err = programs_find(&checked.programs, words, &why);
	if (!err && !options->memory)
		err = programs_machine(&checked.programs, &checked.memory, &why);
	if (!err)
		err = events_encode_words(words, options->vpmu ? options->uarch : NULL,
					  events_tell_refused, &why);
	if (!err)
		err = quote_words(&checked.line, words, count_words(words), &why);
	if (!err)
		return 0;
	message("perf0: %s", why.text);
	return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_USAGE;
}

static void prepare_memory(struct options *options)
{
	if (!options->memory)
		options->memory = checked.memory;
	if (options->verbose && options->memory != OPTION_MEMORY_MIB)
		message("perf0: a machine with %u MiB of memory", options->memory);
}

int boot_image(const struct options *options, const struct session_files *files,
	       struct stream *stream)
{
	struct options with = *options;
	int status;

	with.programs = &checked.programs;
	if (standing_takes(&with)) {
		status = standing_run(&with, buf_text(&checked.line), files, stream);
	} else {
		prepare_memory(&with);
		status = session_run(&with, buf_text(&checked.line), files, stream);
	}
	buf_free(&checked.line);
	programs_free(&checked.programs);
	return status;
}
