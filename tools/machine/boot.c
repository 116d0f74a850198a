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
#include "tools/util/quote.h"
#include "tools/util/status.h"

static size_t count_words(const char **words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

/* Of several, the image refuses those that are wrong, and runs the others. */
static bool is_one_command(const char **words)
{
	for (; *words; words++)
		if (!strcmp(*words, ";"))
			return false;
	return true;
}

/* The image will refuse that command, too, but knows nothing of libpfm4's names. */
static void tell_refused(const char *command, const char *what)
{
	message("perf0: %s: %s", command, what);
}

int boot_image(const struct options *options, const char **words, const struct session_files *files,
	       struct stream *stream)
{
	static struct programs programs;
	struct options with = *options;
	struct buf line = {0};
	struct reason why;
	int status = STATUS_USAGE;

	with.programs = &programs;
	if (is_one_command(words)) {
		int err = command_mistakes(words, &why);

		if (err) {
			message("perf0: %s", why.text);
			return err == -ENOENT ? STATUS_NOT_FOUND : STATUS_USAGE;
		}
	}
	if (programs_find(&programs, words, &why) ||
	    events_encode_words(words, options->vpmu ? options->uarch : NULL, tell_refused, &why) ||
	    quote_words(&line, words, count_words(words), &why))
		message("perf0: %s", why.text);
	else
		status = session_run(&with, buf_text(&line), files, stream);
	buf_free(&line);
	return status;
}
