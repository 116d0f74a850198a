/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * real.h - numbers with a fraction where there is no FPU: those of IEEE 754 binary64 (`double`),
 * bit for bit, each operation rounded to the nearest and ties to even. So a formula has the value
 * here that it has in any other program. Pure, any context.
 */
#ifndef LIB_REAL_H
#define LIB_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As a double lies in memory. */
struct real {
	uint64_t bits;
};

/* real_of() - the nearest to n. real_ratio() - to n / d: two numbers and a division; d == 0: not a
 * number. real_nan() - what is not a number. */
struct real real_of(uint64_t n);
struct real real_of_signed(int64_t n);
struct real real_ratio(uint64_t n, uint64_t d);
struct real real_nan(void);

/* Arithmetic. What is not a number stays so; what is too large is infinite. */
struct real real_add(struct real a, struct real b);
struct real real_subtract(struct real a, struct real b);
struct real real_multiply(struct real a, struct real b);
struct real real_divide(struct real a, struct real b);
struct real real_negate(struct real a);
struct real real_sqrt(struct real a);

/* real_less(), real_equal() - false where one is not a number. -0 equals 0. */
bool real_less(struct real a, struct real b);
bool real_equal(struct real a, struct real b);
bool real_is_nan(struct real a);
bool real_is_finite(struct real a);
bool real_is_zero(struct real a);

/* real_to_integer() - towards 0; what does not fit is the nearest that does; not a number: 0. */
int64_t real_to_integer(struct real a);

/*
 * real_read() - a decimal number at the begin of the `n` characters `text`: digits, a point, E and
 * an exponent. Returns how many characters it takes; 0: there is none, or it has more than 19
 * digits that are told, or a power of ten beyond 27.
 */
size_t real_read(struct real *out, const char *text, size_t n);

/* real_print() - with `decimals` (0 to 9) digits behind the point, as printf's %f; into `text`,
 * which it returns. "nan", "inf". */
#define REAL_TEXT 352
char *real_print(char text[REAL_TEXT], struct real a, unsigned decimals);

#endif
