/* SPDX-License-Identifier: BSD-2-Clause */
/* gate_options.h - the options of `perf0 gate`. */
#ifndef TOOLS_OPTIONS_GATE_OPTIONS_H
#define TOOLS_OPTIONS_GATE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* The options of a gate. A zeroed struct has none. */
struct gate_options {
	const char *against;    /* a file, a folder or a commit; NULL: not given */
	const char *commit_url; /* of a commit, without its hash; NULL: not given */
	const char *folder;     /* of results of commits; NULL: not given */
	const char *baseline, *config, *junit, *gitlab, *json, *sarif,
		*markdown;   /* NULL: not given */
	const char **events; /* lists of events */
	size_t nevents;
	const char *tolerance;  /* see tolerance.h; NULL: not given */
	unsigned shard, shards; /* 0: all */
	bool update, github, strict, save;
};

#endif
