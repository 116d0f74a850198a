/* SPDX-License-Identifier: BSD-2-Clause */
/* gate_options.h - what the command line of `perf0 gate` says. */
#ifndef TOOLS_OPTIONS_GATE_OPTIONS_H
#define TOOLS_OPTIONS_GATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct says nothing. */
struct gate_given {
	const char *baseline, *config, *junit, *gitlab; /* NULL: not given */
	const char **events;                            /* lists */
	size_t nevents;
	const char *tolerance;  /* NULL: not given; tolerance.h */
	unsigned shard, shards; /* 0: all */
	bool update, github, strict;
};

#endif
