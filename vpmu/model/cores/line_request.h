/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line_request.h - a line that a modelled prefetcher asks for, as vpmu/micro tells it to vpmu/core.
 * Its number, 1 to LINE_FLIGHTS, is its own until another line gets that number.
 */
#ifndef VPMU_MODEL_CORES_LINE_REQUEST_H
#define VPMU_MODEL_CORES_LINE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_FLIGHTS 64

struct line_request {
	uint8_t unused;  /* it is 0; where requests are told as words, that of their kind */
	uint8_t flight;  /* its number */
	uint16_t cycles; /* of a load from the level that has the line */
	uint8_t level;   /* enum micro_level, enum core_level: the level that has the line */
	bool into_l2;    /* the line goes to L2, and not to L1 */
	bool joins;      /* the line may be on its way to L2, with the same number */
};

#endif
