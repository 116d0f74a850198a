/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registered.h - what the image has by name: commands (rt/console/command.h) and built-in workloads
 * (rt/task/workload.h). They lie in tables of pointers in perf0.elf, which the host tool reads,
 * too.
 */
#ifndef PERF0_REGISTERED_H
#define PERF0_REGISTERED_H

#include <stdint.h>

struct command {
	const char *name;
	const char *usage;   /* after the name: "-e LIST [-r N] -- WORKLOAD [ARGS]" */
	const char *summary; /* one line, no full stop */
	const char *help;    /* what is to be said beside the options; NULL: nothing */
	uint32_t options;    /* one bit of enum option_taker; 0: has none */
	/* Returns the exit status, 0..255. Complaints went to err() already, as one line. */
	int (*run)(int argc, char **argv);
};

#define WORKLOAD_MAX_PARAMS 4

enum workload_unit {
	WORKLOAD_NUMBER,  /* decimal or 0x hex, with k, M or G for 10^3, 10^6, 10^9 */
	WORKLOAD_SECONDS, /* decimal with up to nine digits after the point; passed on as ns */
};

struct workload_param {
	const char *name; /* as in name=VALUE; also taken by position */
	enum workload_unit unit;
	uint64_t fallback, min, max; /* in the unit that is passed on */
};

struct workload {
	const char *name;
	const char *usage;
	const char *summary;
	void (*entry)(void); /* see include/perf0/workload.h; takes the parameters in registers */
	struct workload_param params[WORKLOAD_MAX_PARAMS]; /* the first without a name ends them */
};

#endif
