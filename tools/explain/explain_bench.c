// SPDX-License-Identifier: BSD-2-Clause
/* explain_bench.c - see explain_bench.h. */
#include "tools/explain/explain_bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vpmu/core/timed_core.h"

#include "tools/bench/assemble.h"
#include "tools/explain/explain_forms.h"
#include "tools/explain/explain_report.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

#define CODE_VA 0x10000 /* where the code is taken to be: at the start of a page */

static int refuse_explaining(int status, const struct reason *why)
{
	message("perf0 bench: --explain: %s", why->text);
	return status;
}

static int assemble_alone(const struct bench_options *bench, struct buf *code, struct reason *why)
{
	const char *tmp = getenv("TMPDIR");
	struct buf folder = {0};
	int err;

	buf_printf(&folder, "%s/perf0-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	buf_text(&folder);
	if (!mkdtemp((char *)folder.data)) {
		err = refuse(why, errno, "%s: %s", buf_text(&folder), strerror(errno));
	} else {
		err = bench_assemble_code(bench, buf_text(&folder), code, why);
		rmdir(buf_text(&folder));
	}
	buf_free(&folder);
	if (!err && !code->size)
		return refuse(why, EINVAL, "there is no code: --asm or --code");
	return err;
}

int explain_bench(const struct bench_options *bench, const char *uarch,
		  const struct explain_options *options, const char *const *words)
{
	struct core_model model;
	const struct explaining_core core = {&model, uarch};
	struct buf code = {0}, text = {0};
	struct reason why;
	int status = 0;

	if (!core_model_near(&model, uarch)) {
		refuse(&why, ENOTSUP, "no tables of a core like %s's: try --uarch skx, icl or zen4",
		       uarch);
		return refuse_explaining(STATUS_USAGE, &why);
	}
	if (assemble_alone(bench, &code, &why))
		status = refuse_explaining(STATUS_USAGE, &why);
	else if (explain_code(&text, &core, code.data, code.size, CODE_VA, options, words, &why))
		status = refuse_explaining(STATUS_FAILED, &why);
	fwrite(text.data, 1, text.size, stdout);
	buf_free(&text);
	buf_free(&code);
	return status;
}

void explain_bench_section(struct buf *out, const struct bench_options *bench, const char *uarch)
{
	struct core_model model;
	const struct explaining_core core = {&model, uarch};
	struct buf code = {0};
	struct explained x;
	struct reason why;

	if (!core_model_near(&model, uarch) || assemble_alone(bench, &code, &why)) {
		buf_free(&code);
		return;
	}
	explained_snippet(&x, &core, code.data, code.size, CODE_VA);
	explain_section(out, &x, &core);
	explained_free(&x);
	buf_free(&code);
}
