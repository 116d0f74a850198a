/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * home_tables.h - page tables that map memory at its own address and in ring 0's half as well: code
 * in the image goes from one to the other. Boot CPU.
 */
#ifndef RT_HOME_HOME_TABLES_H
#define RT_HOME_HOME_TABLES_H

#include <stdbool.h>
#include <stdint.h>

/* home_map() - maps the range, in pages of 2 MiB that may reach beyond it. False: no memory. */
bool home_map(uint64_t base, uint64_t bytes);

/* home_root() - CR3 for these tables, with five levels where the CPU has them on; 0: no memory. */
uint64_t home_root(void);

#endif
