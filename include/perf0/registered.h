/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * registered.h - named things of the image: commands (rt/console/command.h) and built-in workloads
 * (linux/program/workload.h). Tables of pointers in perf0.elf list them; the host tool reads these,
 * too.
 */
#ifndef PERF0_REGISTERED_H
#define PERF0_REGISTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The operands of a command, after its options. */
enum operand_kind {
	OPERANDS_NONE,
	OPERANDS_WORKLOAD, /* a workload and its arguments */
	OPERANDS_TEXT,     /* at most one */
	OPERANDS_WORD,     /* at most one of `words` */
	OPERANDS_NUMBER,   /* at most one, from `least` to `most` */
	OPERANDS_NAMES,    /* any number of `names` */
	OPERANDS_SETTINGS, /* NAME or NAME=VALUE, any number; `names` are struct setting */
};

/* A table of rows that each begin with their name, a const char *. */
struct name_table {
	const void *start, *end;
	size_t size; /* bytes of a row */
};

/* A setting of sysctl. */
struct setting {
	const char *name;
	uint64_t least, most;
	uint64_t (*get)(void);
	int (*set)(uint64_t value); /* -EINVAL: out of range */
};

struct operands {
	enum operand_kind kind;
	bool needed;       /* OPERANDS_WORD: the operand is required */
	const char *words; /* separated by bars */
	uint64_t least, most;
	struct name_table names;
};

struct command {
	const char *name;
	const char *usage;   /* the words after the name: "-e LIST [-r N] -- WORKLOAD [ARGS]" */
	const char *summary; /* one line without a full stop */
	const char *help;    /* help beside that of the options; NULL: none */
	uint64_t options;    /* one bit of enum option_taker; 0: no options */
	struct operands operands;
	/*
	 * Returns the exit status, 0..255. Errors have already been reported to err(), as one line.
	 */
	int (*run)(int argc, char **argv);
};

#define WORKLOAD_MAX_PARAMS 4

enum workload_unit {
	WORKLOAD_NUMBER,  /* decimal or 0x hex, with k, M or G for 10^3, 10^6, 10^9 */
	WORKLOAD_SECONDS, /* decimal, up to nine digits after the point; passed on as ns */
};

struct workload_param {
	const char *name; /* as in name=VALUE; also set by position */
	enum workload_unit unit;
	uint64_t fallback, min, max; /* in the unit that is passed on */
};

struct workload {
	const char *name;
	const char *usage;
	const char *summary;
	void (*entry)(void); /* see linux/program/workload.h; takes the parameters in registers */
	struct workload_param params[WORKLOAD_MAX_PARAMS]; /* a row without a name ends the list */
};

#endif
