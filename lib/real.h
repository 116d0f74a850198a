/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * real.h - numbers with a fraction: IEEE 754 binary64 (`double`) for code that is compiled without
 * floating point. Each operation is rounded to the nearest, ties to even, so a formula has the same
 * value as in any other program. Pure functions, any context: the FPU's registers stay as they are.
 */
#ifndef LIB_REAL_H
#define LIB_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bits of a double. */
struct real {
	uint64_t bits;
};

/*
 * real_of() - the nearest number to n.
 * real_ratio() - n / d, each rounded first; d == 0: not a number.
 * real_nan() - not a number.
 */
struct real real_of(uint64_t n);
struct real real_of_signed(int64_t n);
struct real real_ratio(uint64_t n, uint64_t d);
struct real real_nan(void);

/*
 * Arithmetic. An operation on not-a-number gives not-a-number; a result that is too large is
 * infinite.
 */
struct real real_add(struct real a, struct real b);
struct real real_subtract(struct real a, struct real b);
struct real real_multiply(struct real a, struct real b);
struct real real_divide(struct real a, struct real b);
struct real real_negate(struct real a);
struct real real_sqrt(struct real a);

/* real_less(), real_equal() - false where either is not a number. -0 equals 0. */
bool real_less(struct real a, struct real b);
bool real_equal(struct real a, struct real b);
bool real_is_nan(struct real a);
bool real_is_finite(struct real a);
bool real_is_zero(struct real a);

/*
 * real_to_integer() - rounds towards 0. A value out of range gives the nearest integer in range;
 * not-a-number gives 0.
 */
int64_t real_to_integer(struct real a);

/*
 * real_read() - reads a decimal number at the beginning of the `n` characters at `text`: digits, a
 * point, E and an exponent. Returns the number of characters. 0: no number, more than 19
 * significant digits, or a power of ten beyond 27.
 */
size_t real_read(struct real *out, const char *text, size_t n);

/*
 * real_print() - writes the number with `decimals` (0 to 9) digits after the point, as printf's
 * %f, or "nan", "inf", into `text`, which it returns.
 */
#define REAL_TEXT 352
char *real_print(char text[REAL_TEXT], struct real a, unsigned decimals);

#endif
