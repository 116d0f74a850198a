/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * membind.h - where the memory of a program lies while a command measures it: --membind. Task
 * context.
 */
#ifndef APPS_MEASURE_MEMBIND_H
#define APPS_MEASURE_MEMBIND_H

#include "apps/measure/command_options.h"

#include <stdint.h>

struct membind {
	const char *list; /* the option's value; NULL: not given */
	uint64_t nodes;   /* a bit each; 0: those of the CPUs that run the program */
};

#define MEMBIND_TARGET(membind)              \
	{                                    \
		OPT_MEMBIND, &(membind).list \
	}

/* membind_check() - after the options were read. -EINVAL, with a line: the value is no list, or
 * there is no such node. */
int membind_check(struct membind *m, const char *command);

/* membind_begin() - binds the memory of programs. membind_end() - ends that, with a line where the
 * nodes did not have enough. */
void membind_begin(const struct membind *m);
void membind_end(const struct membind *m, const char *command);

#endif
