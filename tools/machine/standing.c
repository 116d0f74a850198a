// SPDX-License-Identifier: BSD-2-Clause
/* standing.c - see standing.h. */
#include "tools/machine/standing.h"

#include <stddef.h>

#include "tools/machine/line_programs.h"
#include "tools/util/message.h"

static struct {
	const struct options *options; /* NULL: commands share no machine */
	struct session *session;       /* NULL: the machine is not running */
	bool had_one;
} standing;

void standing_begin(const struct options *options)
{
	standing.options = options;
	standing.had_one = false;
}

bool standing_is_shared(void)
{
	return standing.options;
}

void standing_end(void)
{
	if (standing.session)
		session_close(standing.session);
	standing_forget();
}

void standing_forget(void)
{
	standing.session = NULL;
	standing.options = NULL;
}

int standing_start(void)
{
	int status;

	if (standing.session && session_is_up(standing.session))
		return 0;
	if (standing.session)
		session_close(standing.session);
	standing.session = NULL;
	if (standing.had_one)
		message("perf0: another machine is started: what was set in the one before is gone");
	status = session_open(&standing.session, standing.options);
	standing.had_one |= !status;
	return status;
}

static bool has_room_for(const struct programs *programs)
{
	const uint32_t mib = standing.options->machine.memory;

	return !programs || !programs->n || programs_fit(programs, mib ? mib : OPTION_MEMORY_MIB);
}

bool standing_takes(const struct options *options)
{
	const char *why = NULL;

	if (!standing.options)
		return false;
	if (!machine_options_same(&options->machine, &standing.options->machine))
		why = "its options ask for it";
	else if (!has_room_for(options->machine.programs))
		why = "its programs take more memory than the shell's has left";
	if (why)
		message("perf0: a machine of its own for this command: %s", why);
	return !why;
}

int standing_run(const struct options *options, const char *line, const struct session_files *files,
		 struct stream *stream)
{
	int status = standing_start();

	return status ? status : session_line(standing.session, options, line, files, stream);
}
