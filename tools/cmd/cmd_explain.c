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
#include "tools/machine/boot.h"
#include "tools/machine/session.h"
#include "tools/util/message.h"
#include "tools/util/quote.h"
#include "tools/util/status.h"

static int report_explained(const struct profile_run *run, const struct options *options,
			    const struct core_model *model)
{
	struct profile_lines lines = {0};
	struct profile profile;
	struct buf text = {0};
	struct reason why;
	int err = profile_run_fold(run, &profile, &why);

	if (err) {
		message("perf0 explain: %s", why.text);
		return STATUS_FAILED;
	}
	profile_lines_read(&lines, &profile, &run->map);
	err = explain_report(&text, &profile, &lines, model, options->machine.vpmu.uarch->name,
			     &options->explain, &why);
	if (err)
		message("perf0 explain: %s", why.text);
	fwrite(text.data, 1, text.size, stdout);
	buf_free(&text);
	profile_lines_free(&lines);
	profile_free(&profile);
	return err ? STATUS_FAILED : profiling_tell_missing(run);
}

static int explain_words(struct options *options, const struct core_model *model)
{
	struct profile_run profile;
	struct stream stream;
	struct reason why;
	int status, reported;

	options->profile.events = "instructions:u";
	if (profiling_begin(&profile, options, &why)) {
		message("perf0 explain: %s", why.text);
		profile_run_end(&profile);
		return STATUS_USAGE;
	}
	stream_init(&stream);
	status = profiling_run(options, &stream);
	reported = report_explained(&profile, options, model);
	stream_free(&stream);
	profile_run_end(&profile);
	return status ? status : reported;
}

int cmd_explain(const struct options *options, const char **words)
{
	struct options with = *options;
	const struct core_model *model = core_model_near(with.machine.vpmu.uarch->name);
	const char **program = words + 1, **line;
	int status;

	if (*program && !strcmp(*program, "--"))
		program++;
	if (!*program) {
		message("perf0 explain: no program: perf0 explain [OPTIONS] -- PROGRAM [ARGS]");
		return STATUS_USAGE;
	}
	if (!model) {
		message("perf0 explain: no tables of a core like %s's: try --uarch skx, icl or "
			"zen4",
			with.machine.vpmu.uarch->name);
		return STATUS_USAGE;
	}
	line = profiling_line("instructions:u", program);
	status = boot_check(&with, line);
	if (!status)
		status = explain_words(&with, model);
	free(line);
	return status;
}
