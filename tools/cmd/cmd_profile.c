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

static int report_profile(const struct profile_run *run, const struct options *options,
			  const void *words)
{
	return profiling_report(run, options, words, stdout);
}

int cmd_profile(const struct options *options, const char **words)
{
	struct options with = *options;
	struct profile_options *p = &with.profile;
	const char *const *program = profiling_program(words);
	struct reason why;

	if (!program)
		return STATUS_USAGE;
	if (!p->callgrind && !p->pprof && !p->folded && !p->speedscope && !p->html)
		p->callgrind = "callgrind.out";
	p->functions = p->rows;
	if (profile_check_files(p, &why)) {
		message("perf0 profile: %s", why.text);
		return STATUS_FAILED;
	}
	return profiling_do("profile", &with, program, report_profile, words);
}
