// SPDX-License-Identifier: BSD-2-Clause
/* await_host.c - see await_host.h. */
#include "rt/console/await_host.h"

#include "arch/x86/dev/fwcfg.h"
#include "include/perf0/programs.h"
#include "include/perf0/wire_frames.h"
#include "rt/clock/restart.h"
#include "rt/console/console.h"
#include "rt/wire/wire.h"

static char *read_commands(char *text, size_t size)
{
	struct fwcfg_file file;

	text[0] = '\0';
	if (!fwcfg_find(PROGRAMS_COMMANDS, &file))
		return text;
	if (file.bytes >= size)
		file.bytes = (uint32_t)size - 1;
	if (fwcfg_read(&file, 0, text, file.bytes))
		text[file.bytes] = '\0';
	return text;
}

char *await_commands(char *text, size_t size)
{
	wire_await();
	console_await(WIRE_TYPED_START);
	/* The clocks are restarted, so that no result depends on the start-up time, or on the place
	 * in a tick where the machine was saved. */
	restart_clocks(0);
	return read_commands(text, size);
}
