// SPDX-License-Identifier: BSD-2-Clause
/* cmd_explain.c - `explain`: the hottest code of a program, and what limits it in a model of a
 * core. */
#include "tools/cmd/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vpmu/core/timed_core.h"

#include "tools/cmd/profiling.h"
#include "tools/explain/explain_report.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

/* The plugin counts what the core spends where vpmu has a model. */
static bool has_times(const struct options *options)
{
	return options->machine.vpmu.events == EVENTS_MODEL && !options->machine.vpmu.ipc1;
}

static void want_times(struct profile_run *run, const void *options)
{
	run->file->header.wants_times = has_times(options);
}

static int report_explained(const struct profile_run *run, const struct options *options,
			    const struct core_model *model)
{
	struct profile_lines lines = {0};
	struct profile profile;
	const struct explain_source source = {
		.profile = &profile,
		.lines = &lines,
		.file = has_times(options) ? run->file : NULL,
		.core = {model, options->machine.vpmu.uarch->name},
		.words = options->typed,
	};
	struct buf text = {0};
	struct reason why;
	int err = profile_run_fold(run, &profile, &why);

	if (err) {
		message("perf0 explain: %s", why.text);
		return STATUS_FAILED;
	}
	profile_lines_read(&lines, &profile, &run->map);
	err = explain_report(&text, &source, &options->explain, &why);
	if (err)
		message("perf0 explain: %s", why.text);
	fwrite(text.data, 1, text.size, stdout);
	buf_free(&text);
	profile_lines_free(&lines);
	profile_free(&profile);
	return err ? STATUS_FAILED : profiling_tell_missing(run);
}

int cmd_explain(const struct options *options, const char **words)
{
	struct options with = *options;
	const char *core = with.machine.vpmu.uarch->name;
	const char *const *program = profiling_program(words);
	struct core_model model;
	struct profiled p;
	int status, reported = 0;

	if (!program)
		return STATUS_USAGE;
	if (!core_model_near(&model, core)) {
		message("perf0 explain: no tables of a core like %s's: try --uarch skx, icl or "
			"zen4",
			core);
		return STATUS_USAGE;
	}
	with.profile.events = "instructions:u";
	with.profile.is_self = true;
	status = profiled_begin(&p, "explain", &with, "instructions:u", program, want_times, &with);
	if (p.has_run)
		reported = report_explained(&p.profile, &with, &model);
	profiled_end(&p);
	return status ? status : reported;
}
