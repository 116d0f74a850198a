// SPDX-License-Identifier: BSD-2-Clause
/* workload.c - finds workloads and reads their arguments. */
#include "rt/task/workload.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "rt/portable/number.h"
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

static unsigned count_params(const struct workload *w)
{
	unsigned n = 0;

	while (n < WORKLOAD_MAX_PARAMS && w->params[n].name)
		n++;
	return n;
}

/* The parameter that `arg` sets: by name, else the next by position. *value is where it starts. */
static int which_param(const struct workload *w, const char *arg, unsigned *position,
		       const char **value)
{
	const char *eq = strchr(arg, '=');

	if (!eq) {
		*value = arg;
		return *position < count_params(w) ? (int)(*position)++ : -ENOENT;
	}
	*value = eq + 1;
	for (unsigned i = 0; i < count_params(w); i++) {
		size_t n = strlen(w->params[i].name);

		if (n == (size_t)(eq - arg) && !strncmp(arg, w->params[i].name, n))
			return (int)i;
	}
	return -ENOENT;
}

static int read_value(const struct workload_param *p, const char *text, uint64_t *value)
{
	int err = p->unit == WORKLOAD_SECONDS ? number_seconds(text, value)
					      : number_parse(text, value);

	if (err)
		return err;
	return *value < p->min || *value > p->max ? -ERANGE : 0;
}

/* A bound in the unit that people write. */
static const char *format_bound(const struct workload_param *p, uint64_t value, char *buf,
				size_t size)
{
	if (p->unit == WORKLOAD_SECONDS)
		return fmt_ratio(buf, size, value, NSEC_PER_SEC, 0);
	fmt_print(buf, size, "%llu", (unsigned long long)value);
	return buf;
}

static int bad_value(const char *command, const struct workload *w, const struct workload_param *p,
		     const char *value)
{
	char least[24], most[24];

	err("%s: %s: '%s' is no %s: a number from %s to %s is wanted\n", command, w->name, value,
	    p->name, format_bound(p, p->min, least, sizeof(least)),
	    format_bound(p, p->max, most, sizeof(most)));
	return -EINVAL;
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

		if (i == WORKLOAD_MAX_WORDS || bytes > sizeof(call->words) - used) {
			err("%s: %s has more than %d arguments, or more than %d bytes of them\n",
			    command, argv[0], WORKLOAD_MAX_WORDS - 1, WORKLOAD_ARGV_BYTES);
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
	unsigned position = 0, given = 0;
	int n;

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
	for (unsigned i = 0; i < count_params(w); i++)
		call->args[i] = w->params[i].fallback;
	n = fmt_print(call->title, sizeof(call->title), "%s", w->name);
	for (int i = 1; i < argc; i++) {
		const char *value;
		int k = which_param(w, argv[i], &position, &value);

		if (k < 0) {
			err("%s: %s takes no argument '%s'; usage: %s %s\n", command, w->name,
			    argv[i], w->name, w->usage);
			return -EINVAL;
		}
		if (given >> k & 1) {
			err("%s: %s: %s is given twice\n", command, w->name, w->params[k].name);
			return -EINVAL;
		}
		given |= 1u << k;
		if (read_value(&w->params[k], value, &call->args[k]))
			return bad_value(command, w, &w->params[k], value);
		n += fmt_print(call->title + n, sizeof(call->title) - (size_t)n, " %s", argv[i]);
	}
	return 0;
}
