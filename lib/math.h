/* SPDX-License-Identifier: BSD-2-Clause */
/* math.h - integer arithmetic that the images need and no library gives them. Any context. */
#ifndef LIB_MATH_H
#define LIB_MATH_H

#include <stdint.h>

/* mul_div() - a * b / c with a 128-bit product, rounded down; UINT64_MAX where it does not fit. */
uint64_t mul_div(uint64_t a, uint64_t b, uint64_t c);

/* int_sqrt() - the largest r with r * r <= n. */
uint64_t int_sqrt(uint64_t n);

#endif
