// SPDX-License-Identifier: BSD-2-Clause
/* workload_words.c - see workload_words.h. */
#include "lib/words/workload_words.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "lib/words/number.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

static unsigned count_params(const struct workload *w)
{
	unsigned n = 0;

	while (n < WORKLOAD_MAX_PARAMS && w->params[n].name)
		n++;
	return n;
}

/*
 * The index of the parameter that `arg` sets: by name, else the next by position. *value is the
 * start of the value.
 */
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

/* Prints a bound in the unit that users type. */
static const char *print_bound(const struct workload_param *p, uint64_t value, char *buf,
			       size_t size)
{
	if (p->unit == WORKLOAD_SECONDS)
		return fmt_ratio(buf, size, value, NSEC_PER_SEC, 0);
	fmt_print(buf, size, "%llu", (unsigned long long)value);
	return buf;
}

static int bad_value(const struct workload *w, const struct workload_param *p, const char *value,
		     struct reason *why)
{
	char least[24], most[24];

	return refuse(why, EINVAL, "%s: '%s' is no %s: a number from %s to %s is wanted", w->name,
		      value, p->name, print_bound(p, p->min, least, sizeof(least)),
		      print_bound(p, p->max, most, sizeof(most)));
}

int workload_args(const struct workload *w, int argc, const char *const *argv,
		  uint64_t args[WORKLOAD_MAX_PARAMS], struct reason *why)
{
	unsigned position = 0, given = 0;

	for (unsigned i = 0; i < count_params(w); i++)
		args[i] = w->params[i].fallback;
	for (int i = 0; i < argc; i++) {
		const char *value;
		int k = which_param(w, argv[i], &position, &value);

		if (k < 0)
			return refuse(why, EINVAL, "%s takes no argument '%s'; usage: %s %s",
				      w->name, argv[i], w->name, w->usage);
		if (given >> k & 1)
			return refuse(why, EINVAL, "%s: %s is given twice", w->name,
				      w->params[k].name);
		given |= 1u << k;
		if (read_value(&w->params[k], value, &args[k]))
			return bad_value(w, &w->params[k], value, why);
	}
	return 0;
}
