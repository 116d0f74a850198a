// SPDX-License-Identifier: BSD-2-Clause
/*
 * real.c - see real.h. The FPU computes. Its registers belong to the program in ring 3 that runs or
 * waits meanwhile: each operation saves those that it uses, and restores them.
 */
#include "lib/real.h"

#include "lib/ascii.h"
#include "lib/math.h"
#include "lib/string.h"

#define FRACTION_BITS 52
#define EXPONENT_MASK 0x7ffull
#define SIGN          (1ull << 63)
#define INFINITE      (EXPONENT_MASK << FRACTION_BITS)
#define NOT_A_NUMBER  (INFINITE | 1ull << (FRACTION_BITS - 1))
#define BIAS          1023
#define POWERS        27 /* powers of five that fit in 63 bits */
#define DIGITS        19 /* digits of any number of 63 bits */
#define LIMBS         36 /* limbs of 32 bits: for 2^1024 and nine digits */
#define LIMB_TENS     1000000000u

typedef unsigned __int128 wide;

/* MXCSR after reset: rounds to the nearest, masks all exceptions; Intel SDM volume 1, 10.2.3. */
static const uint32_t mxcsr_at_reset = 0x1f80;

/*
 * Executes `operation` on %xmm0, which begins with the bits of `in`, and on the quadword %[with];
 * returns the bits of %xmm0.
 */
#define IN_SSE(operation, in, by)                                                               \
	({                                                                                      \
		const uint64_t with_ = (by);                                                    \
		uint64_t bits_ = (in), kept_[2];                                                \
		uint32_t mxcsr_;                                                                \
		__asm__ volatile("movups %%xmm0, %[kept]\n\t"                                   \
				 "stmxcsr %[mxcsr]\n\t"                                         \
				 "ldmxcsr %[reset]\n\t"                                         \
				 "movq %[bits], %%xmm0\n\t" operation "\n\t"                    \
				 "movq %%xmm0, %[bits]\n\t"                                     \
				 "ldmxcsr %[mxcsr]\n\t"                                         \
				 "movups %[kept], %%xmm0"                                       \
				 : [bits] "+r"(bits_), [kept] "=m"(kept_), [mxcsr] "=m"(mxcsr_) \
				 : [with] "m"(with_), [reset] "m"(mxcsr_at_reset));             \
		bits_;                                                                          \
	})

struct real real_nan(void)
{
	return (struct real){NOT_A_NUMBER};
}

bool real_is_nan(struct real a)
{
	return (a.bits & ~SIGN) > INFINITE;
}

bool real_is_finite(struct real a)
{
	return (a.bits & INFINITE) != INFINITE;
}

bool real_is_zero(struct real a)
{
	return !(a.bits & ~SIGN);
}

struct real real_of_signed(int64_t n)
{
	const uint64_t bits = IN_SSE("cvtsi2sdq %[with], %%xmm0", 0, (uint64_t)n);

	return (struct real){bits};
}

static struct real power_of_two(int n)
{
	return (struct real){(uint64_t)(BIAS + n) << FRACTION_BITS};
}

/*
 * n * 2^exponent, rounded once; `sticky`: and non-zero bits below. The lowest of the 63 bits that
 * are converted stands for all bits below it: the rounding is the same, for a double has 53.
 */
static struct real round_wide(wide n, int exponent, bool sticky)
{
	const uint64_t high = (uint64_t)(n >> 63);
	unsigned drop = 0;

	if (high) {
		drop = 64 - (unsigned)__builtin_clzll(high);
		sticky |= (n & (((wide)1 << drop) - 1)) != 0;
	}
	return real_multiply(real_of_signed((int64_t)(n >> drop) | sticky),
			     power_of_two(exponent + (int)drop));
}

struct real real_of(uint64_t n)
{
	return round_wide(n, 0, false);
}

struct real real_ratio(uint64_t n, uint64_t d)
{
	return d ? real_divide(real_of(n), real_of(d)) : real_nan();
}

struct real real_negate(struct real a)
{
	return (struct real){a.bits ^ SIGN};
}

struct real real_add(struct real a, struct real b)
{
	const uint64_t bits = IN_SSE("addsd %[with], %%xmm0", a.bits, b.bits);

	return (struct real){bits};
}

struct real real_subtract(struct real a, struct real b)
{
	const uint64_t bits = IN_SSE("subsd %[with], %%xmm0", a.bits, b.bits);

	return (struct real){bits};
}

struct real real_multiply(struct real a, struct real b)
{
	const uint64_t bits = IN_SSE("mulsd %[with], %%xmm0", a.bits, b.bits);

	return (struct real){bits};
}

struct real real_divide(struct real a, struct real b)
{
	const uint64_t bits = IN_SSE("divsd %[with], %%xmm0", a.bits, b.bits);

	return (struct real){bits};
}

struct real real_sqrt(struct real a)
{
	const uint64_t bits = IN_SSE("sqrtsd %[with], %%xmm0", 0, a.bits);

	return (struct real){bits};
}

int64_t real_to_integer(struct real a)
{
	/* The conversion gives INT64_MIN for a value out of range. */
	const int64_t n =
		(int64_t)IN_SSE("cvttsd2si %%xmm0, %[bits]\n\tmovq %[bits], %%xmm0", a.bits, 0);

	if (real_is_nan(a))
		return 0;
	return n == INT64_MIN && !(a.bits & SIGN) ? INT64_MAX : n;
}

bool real_equal(struct real a, struct real b)
{
	if (real_is_nan(a) || real_is_nan(b))
		return false;
	return a.bits == b.bits || (real_is_zero(a) && real_is_zero(b));
}

bool real_less(struct real a, struct real b)
{
	if (real_is_nan(a) || real_is_nan(b) || real_equal(a, b))
		return false;
	if ((a.bits ^ b.bits) & SIGN)
		return a.bits & SIGN;
	return a.bits & SIGN ? a.bits > b.bits : a.bits < b.bits;
}

/* --- Text --- */

static uint64_t power_of(uint64_t base, unsigned n)
{
	uint64_t power = 1;

	while (n--)
		power *= base;
	return power;
}

/* n * 10^power, computed as n * 5^power * 2^power; n is not 0. */
static struct real scale_by_ten(uint64_t n, int power)
{
	const uint64_t fives = power_of(5, (unsigned)(power < 0 ? -power : power));
	const unsigned up = (unsigned)__builtin_clzll(n);
	wide dividend, quotient;

	if (power >= 0)
		return round_wide((wide)n * fives, power, false);
	dividend = (wide)n << 64 << up;
	quotient = div_wide(dividend, fives);
	return round_wide(quotient, power - 64 - (int)up, quotient * fives != dividend);
}

/* Reads digits and a point; returns the number of characters. */
static size_t read_digits(const char *text, size_t n, uint64_t *value, int *power, unsigned *digits)
{
	bool behind = false;
	size_t i = 0;

	for (; i < n && (ascii_is_digit(text[i]) || (text[i] == '.' && !behind)); i++) {
		if (text[i] == '.') {
			behind = true;
			continue;
		}
		*digits += *value || text[i] != '0';
		if (*digits <= DIGITS)
			*value = *value * 10 + (uint64_t)(text[i] - '0');
		*power -= behind;
	}
	return i;
}

/* Reads E, a sign and digits; returns the number of characters, 0: there is no exponent. */
static size_t read_exponent(const char *text, size_t n, int *exponent)
{
	const bool negative = n > 1 && text[1] == '-';
	size_t i = 1 + (n > 1 && (text[1] == '-' || text[1] == '+'));
	const size_t begin = i;
	int value = 0;

	if (!n || (text[0] != 'e' && text[0] != 'E'))
		return 0;
	for (; i < n && ascii_is_digit(text[i]); i++)
		if (value < 10000)
			value = value * 10 + (text[i] - '0');
	*exponent += negative ? -value : value;
	return i > begin ? i : 0;
}

size_t real_read(struct real *out, const char *text, size_t n)
{
	unsigned digits = 0;
	uint64_t value = 0;
	int power = 0, exponent = 0;
	size_t taken = read_digits(text, n, &value, &power, &digits);

	if (!taken || (taken == 1 && text[0] == '.'))
		return 0;
	taken += read_exponent(text + taken, n - taken, &exponent);
	power += exponent;
	*out = (struct real){0};
	if (digits > DIGITS)
		return 0;
	if (!value)
		return taken;
	if (power > POWERS || power < -POWERS)
		return 0;
	*out = scale_by_ten(value, power);
	return taken;
}

/* n * 2^up, as limbs. */
static void fill_limbs(uint32_t limb[LIMBS], wide n, unsigned up)
{
	memset(limb, 0, LIMBS * sizeof(*limb));
	for (unsigned bit = 0; bit < 128; bit++)
		if (n >> bit & 1)
			limb[(bit + up) / 32] |= 1u << (bit + up) % 32;
}

/* Removes the lowest nine digits; returns false when only 0 is left. */
static bool take_digits(uint32_t limb[LIMBS], uint32_t *digits)
{
	uint64_t rest = 0, any = 0;

	for (unsigned i = LIMBS; i--;) {
		rest = rest << 32 | limb[i];
		limb[i] = (uint32_t)(rest / LIMB_TENS);
		rest %= LIMB_TENS;
		any |= limb[i];
	}
	*digits = (uint32_t)rest;
	return any;
}

/* `n` * 2^-down, rounded to the nearest, ties to even. */
static wide shift_down(wide n, unsigned down)
{
	wide rest, half, keep;

	if (!down)
		return n;
	if (down > 126)
		return 0;
	keep = n >> down;
	rest = n & (((wide)1 << down) - 1);
	half = (wide)1 << (down - 1);
	return keep + (rest > half || (rest == half && (keep & 1)));
}

/*
 * Writes the digits from the last to the first, in front of `end`, with `decimals` behind the
 * point.
 */
static char *put_digits(char *end, uint32_t limb[LIMBS], unsigned decimals)
{
	unsigned n = 0;
	bool more = true;

	*end = '\0';
	while (more || n <= decimals) {
		uint32_t digits;

		more = take_digits(limb, &digits);
		for (unsigned i = 0; i < 9 && (more || digits || n <= decimals); i++) {
			if (n == decimals && n)
				*--end = '.';
			*--end = (char)('0' + digits % 10);
			digits /= 10;
			n++;
		}
	}
	return end;
}

char *real_print(char text[REAL_TEXT], struct real a, unsigned decimals)
{
	const bool negative = (a.bits & SIGN) && !real_is_nan(a);
	const int biased = (int)(a.bits >> FRACTION_BITS & EXPONENT_MASK);
	const int exponent = (biased ? biased : 1) - BIAS - FRACTION_BITS;
	const uint64_t mantissa =
		(a.bits & ((1ull << FRACTION_BITS) - 1)) | (uint64_t)(biased != 0) << FRACTION_BITS;
	wide scaled = (wide)mantissa * power_of(10, decimals);
	uint32_t limb[LIMBS];
	const char *word;
	char *begin;

	if (!real_is_finite(a)) {
		word = real_is_nan(a) ? "nan" : negative ? "-inf" : "inf";
		return memcpy(text, word, strlen(word) + 1);
	}
	if (exponent < 0)
		scaled = shift_down(scaled, (unsigned)-exponent);
	fill_limbs(limb, scaled, exponent < 0 ? 0 : (unsigned)exponent);
	begin = put_digits(text + REAL_TEXT - 1, limb, decimals);
	if (negative)
		*--begin = '-';
	return memmove(text, begin, (size_t)(text + REAL_TEXT - begin));
}
