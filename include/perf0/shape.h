/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape.h - the properties of a personality's PMU that options can override: number and width of
 * counters, and version. Shared by the host tool and vpmu.
 */
#ifndef PERF0_SHAPE_H
#define PERF0_SHAPE_H

#include <stdint.h>

/* ROW(PART, name, least, most) */
#define SHAPE_ROWS(ROW)             \
	ROW(GP, "gp", 1, 10)        \
	ROW(FIXED, "fixed", 0, 4)   \
	ROW(WIDTH, "width", 32, 48) \
	ROW(VERSION, "version", 1, 5)

#define SHAPE_PART(part, name, least, most) SHAPE_##part,
enum shape_part { SHAPE_ROWS(SHAPE_PART) SHAPE_PARTS };
#undef SHAPE_PART

#define SHAPE_FIXED_VERSION 2 /* the first version with fixed counters */

/* AMD: counters with the old registers, with PerfCtrExtCore, and the width of all. */
#define SHAPE_AMD_OLD   4
#define SHAPE_AMD_CORE  6
#define SHAPE_AMD_WIDTH 48

struct vpmu_shape {
	uint8_t given; /* bits by enum shape_part; other parts are the personality's */
	uint8_t value[SHAPE_PARTS];
};

#endif
