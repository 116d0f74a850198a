// SPDX-License-Identifier: BSD-2-Clause
/* explained_bench.c - see explained_bench.h. */
#include "tools/cmd/explained_bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vpmu/core/timed_core.h"

#include "tools/bench/assemble.h"
#include "tools/explain/explain_report.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define CODE_VA 0x10000 /* where the code is taken to be: at the start of a page */

static int complain(int status, const struct reason *why)
{
	message("perf0 bench: --explain: %s", why->text);
	return status;
}

static int assemble(const struct options *options, struct buf *code, struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = {0};
	int err;

	buf_printf(&folder, "%s/perf0-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	buf_text(&folder);
	if (!mkdtemp((char *)folder.data)) {
		err = refuse(why, errno, "%s: %s", buf_text(&folder), strerror(errno));
	} else {
		err = bench_assemble_code(&options->bench, buf_text(&folder), code, why);
		rmdir(buf_text(&folder));
	}
	buf_free(&folder);
	return err;
}

static bool wants_json(const struct options *options, const char **words)
{
	for (size_t i = 1; i < 1 + options->nkept; i++)
		if (!strcmp(words[i], "-j") || !strcmp(words[i], "--json-output"))
			return true;
	return false;
}

static int tell_code(const struct options *options, const char **words,
		     const struct explaining_core *core, const struct buf *code)
{
	const struct explain_options o = {.json = wants_json(options, words),
					  .html = options->output.html};
	struct buf text = {0};
	struct reason why;
	int err = explain_code(&text, core, code->data, code->size, CODE_VA, &o, options->typed,
			       &why);

	fwrite(text.data, 1, text.size, stdout);
	buf_free(&text);
	return err ? complain(STATUS_FAILED, &why) : 0;
}

int explained_bench(const struct options *options, const char **words)
{
	struct core_model model;
	const struct explaining_core core = {&model, options->machine.vpmu.uarch->name};
	struct buf code = {0};
	struct reason why;
	int status;

	if (!core_model_near(&model, core.asked)) {
		refuse(&why, ENOTSUP, "no tables of a core like %s's: try --uarch skx, icl or zen4",
		       core.asked);
		return complain(STATUS_USAGE, &why);
	}
	if (assemble(options, &code, &why))
		status = complain(STATUS_USAGE, &why);
	else if (!code.size)
		status =
			complain(STATUS_USAGE,
				 (refuse(&why, EINVAL, "there is no code: --asm or --code"), &why));
	else
		status = tell_code(options, words, &core, &code);
	buf_free(&code);
	return status;
}
