// SPDX-License-Identifier: BSD-2-Clause
/*
 * Execution units: the micro-operations of each form of instruction on a core, their units, and
 * latencies.
 *
 * The tables of the cores are generated (scripts/core-tables). corrections.c has the rows that the
 * source of the tables lacks or has wrong. A form is found by its key (core_key.h).
 */
#ifndef PERF0_VPMU_MODEL_CORES_CORE_TABLES_H
#define PERF0_VPMU_MODEL_CORES_CORE_TABLES_H

#include <stdint.h>

#define CORE_USES   8
#define CORE_WRITES 3
#define CORE_UNITS  32
#define CORE_NO_ROW UINT16_MAX

/* Micro-operations of one kind. */
struct core_use {
	uint32_t ports; /* bit N: unit N of the core can execute it */
	uint8_t cycles; /* the unit takes no other micro-operation for so many cycles */
	uint8_t count;  /* so many such micro-operations */
};
#define CORE_EACH_UNIT 255 /* `cycles`: it takes each of its units, for one cycle */

struct core_row {
	uint8_t uops;    /* micro-operations that the front end delivers */
	uint8_t nuses;   /* at most CORE_USES */
	uint8_t nwrites; /* 1 to CORE_WRITES */
	uint8_t advance; /* register sources may come so many cycles later than the load's address,
			  * or vectors later than general registers */
	uint16_t latency[CORE_WRITES]; /* cycles from the sources, the load included, to the N-th
					* written operand: explicit ones first; the last one holds
					* for the rest */
	const struct core_use *uses;
};

struct core_table {
	const char *name;              /* "skx" */
	const char *llvm_cpu;          /* "skylake-avx512" */
	const char *units[CORE_UNITS]; /* "p0", ..., "DIV"; NULL: there are no more */
	uint32_t loads;                /* units that execute loads */
	uint32_t store_addresses;
	uint32_t store_data;
	uint32_t branches;
	uint32_t dividers; /* units that are no ports: dividers, load and store pipes */
	const struct core_row *rows;
	uint16_t nrows;
	const uint16_t *row_of; /* the index of the row, by the number of the form; CORE_NO_ROW */
};

/* All cores, ending with NULL. */
extern const struct core_table *const core_tables[];

/* Returns the core with this name, or NULL. Any context. */
const struct core_table *core_table(const char *name);

/* Returns the number of the form with this key, or -1: no core has the form. A binary search. Any
 * context. */
int core_key_number(uint32_t key);

/*
 * Returns the row of the form with this key on a core, a correction before the table's own; NULL if
 * the core has none. Any context.
 */
const struct core_row *core_row(const struct core_table *core, uint32_t key);

/* Mends a copy of that row: where all sizes and encodings of an instruction are wrong, or where the
 * core was measured. Its uses may be in `uses` then. Any context. */
void core_change_row(struct core_row *row, struct core_use uses[CORE_USES],
		     const struct core_table *core, uint32_t key);

#endif
