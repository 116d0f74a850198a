// SPDX-License-Identifier: BSD-2-Clause
/* workload.c - finds workloads and reads their arguments. */
#include "rt/task/workload.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/workload.h"
#include "rt/console/print.h"
#include "rt/task/program.h"

#include <linux/errno.h>
#include <stdbool.h>

static const struct workload *find_workload(const char *name)
{
	for (const struct workload *const *w = __workloads_start; w < __workloads_end; w++)
		if (!strcmp((*w)->name, name))
			return *w;
	return NULL;
}

const struct workload *workload_at(const char *path)
{
	const size_t n = sizeof(WORKLOAD_FOLDER) - 1;

	return strncmp(path, WORKLOAD_FOLDER, n) ? NULL : find_workload(path + n);
}

static int parse_program(const char *command, int argc, char **argv, struct workload_call *call)
{
	const char *why;
	const struct program *program = program_find(argv[0], &why);
	size_t used = 0;
	int n = 0;

	if (!program) {
		err("%s: %s: %s\n", command, argv[0], why);
		return -ENOENT;
	}
	*call = (struct workload_call){.workload = &program->workload, .program = program};
	for (int i = 0; i < argc; i++) {
		const size_t bytes = strlen(argv[i]) + 1;

		if (i == PROGRAM_WORDS_MAX || bytes > sizeof(call->words) - used) {
			err("%s: %s has more than %d arguments, or more than %d bytes of them\n",
			    command, argv[0], PROGRAM_WORDS_MAX - 1, PROGRAM_WORDS_BYTES);
			return -EINVAL;
		}
		memcpy(call->words + used, argv[i], bytes);
		used += bytes;
		n += fmt_print(call->title + n, sizeof(call->title) - (size_t)n, "%s%s",
			       i ? " " : "", argv[i]);
	}
	call->nwords = (unsigned)argc;
	return 0;
}

int workload_parse(const char *command, int argc, char **argv, struct workload_call *call)
{
	const bool is_path = argc && strchr(argv[0], '/');
	const struct workload *w = argc && !is_path ? find_workload(argv[0]) : NULL;
	struct reason why;
	int n = 0;

	if (!argc) {
		err("%s: no workload given; `help workloads` lists them\n", command);
		return -EINVAL;
	}
	if (is_path)
		return parse_program(command, argc, argv, call);
	if (!w) {
		err("%s: unknown workload '%s'; `help workloads` lists them\n", command, argv[0]);
		return -ENOENT;
	}
	*call = (struct workload_call){.workload = w};
	if (workload_args(w, argc - 1, (const char *const *)argv + 1, call->args, &why)) {
		err("%s: %s\n", command, why.text);
		return -EINVAL;
	}
	for (int i = 0; i < argc; i++)
		n += fmt_print(call->title + n, sizeof(call->title) - (size_t)n, "%s%s",
			       i ? " " : "", argv[i]);
	return 0;
}
