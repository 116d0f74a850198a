/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registered.h - what the image has by name: commands (rt/console/command.h) and built-in workloads
 * (rt/task/workload.h). They lie in tables of pointers in perf0.elf, which the host tool reads,
 * too.
 */
#ifndef PERF0_REGISTERED_H
#define PERF0_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What may stand behind a command's options. */
enum operand_kind {
	OPERANDS_NONE,
	OPERANDS_WORKLOAD, /* and its arguments */
	OPERANDS_TEXT,     /* one, or none */
	OPERANDS_WORD,     /* one of `words`, or none */
	OPERANDS_NUMBER,   /* one from `least` to `most`, or none */
	OPERANDS_NAMES,    /* any number of `names` */
	OPERANDS_SETTINGS, /* NAME or NAME=VALUE, any number; `names` are struct setting */
};

/* A table of rows that each begin with their name, a const char *. */
struct name_table {
	const void *start, *end;
	size_t size; /* of a row */
};

/* What sysctl shows and sets. */
struct setting {
	const char *name;
	uint64_t least, most;
	uint64_t (*get)(void);
	int (*set)(uint64_t value); /* -EINVAL: not in the range */
};

struct operands {
	enum operand_kind kind;
	bool needed;       /* OPERANDS_WORD: there has to be one */
	const char *words; /* separated by bars */
	uint64_t least, most;
	struct name_table names;
};

struct command {
	const char *name;
	const char *usage;   /* after the name: "-e LIST [-r N] -- WORKLOAD [ARGS]" */
	const char *summary; /* one line, no full stop */
	const char *help;    /* what is to be said beside the options; NULL: nothing */
	uint32_t options;    /* one bit of enum option_taker; 0: has none */
	struct operands operands;
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
	void (*entry)(void); /* see rt/task/workload.h; takes the parameters in registers */
	struct workload_param params[WORKLOAD_MAX_PARAMS]; /* the first without a name ends them */
};

#endif
