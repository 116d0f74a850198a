// SPDX-License-Identifier: BSD-2-Clause
/* cmd_profile.c - `profile`: counts by function, line and call, exactly. */
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/profiling.h"
#include "tools/forms/profile_out.h"
#include "tools/machine/boot.h"
#include "tools/machine/session.h"
#include "tools/util/memory.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* If the program fails, its counts until then are reported. */
static int profile_words(struct options *options, const char *const *words)
{
	struct profile_run profile;
	struct stream stream;
	struct reason why;
	int status, reported;

	if (profiling_begin(&profile, options, &why)) {
		message("perf0 profile: %s", why.text);
		profile_run_end(&profile);
		return STATUS_USAGE;
	}
	stream_init(&stream);
	status = profiling_run(options, &stream);
	reported = profiling_report(&profile, options, words, stdout);
	stream_free(&stream);
	profile_run_end(&profile);
	return status ? status : reported;
}

int cmd_profile(const struct options *options, const char **words)
{
	struct options with = *options;
	struct profile_options *p = &with.profile;
	const char **program = words + 1, **line;
	struct reason why;
	int status;

	if (*program && !strcmp(*program, "--"))
		program++;
	if (!*program) {
		message("perf0 profile: no program: perf0 profile [OPTIONS] -- PROGRAM [ARGS]");
		return STATUS_USAGE;
	}
	if (!p->callgrind && !p->pprof && !p->folded && !p->speedscope && !p->html)
		p->callgrind = "callgrind.out";
	p->functions = p->rows;
	if (profile_check_files(p, &why)) {
		message("perf0 profile: %s", why.text);
		return STATUS_FAILED;
	}
	line = profiling_line("instructions:u", program);
	status = boot_check(&with, line);
	if (!status)
		status = profile_words(&with, words);
	free(line);
	return status;
}
