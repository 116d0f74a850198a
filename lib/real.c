// SPDX-License-Identifier: BSD-2-Clause
/*
 * real.c - see real.h. A number is split into mantissa * 2^exponent, where the mantissa has 64 bits
 * and the highest is set. Results have more bits than that, or a flag (`sticky`) that non-zero bits
 * were dropped below them, and are rounded once.
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
#define LEAST_NORMAL  (-1022) /* exponents of the highest bit */
#define MOST_NORMAL   1023
#define POWERS        27 /* powers of five that fit in 63 bits */
#define DIGITS        19 /* digits of any number of 63 bits */
#define LIMBS         36 /* limbs of 32 bits: for 2^1024 and the rest of a division */
#define LIMB_TENS     1000000000u

typedef unsigned __int128 wide;

struct parts {
	uint64_t mantissa; /* 0: the number is 0 */
	int exponent;
	bool negative;
};

static unsigned highest_bit(wide n)
{
	const uint64_t high = (uint64_t)(n >> 64);

	return high ? 127 - (unsigned)__builtin_clzll(high)
		    : 63 - (unsigned)__builtin_clzll((uint64_t)n);
}

static struct real signed_bits(bool negative, uint64_t bits)
{
	return (struct real){bits | (negative ? SIGN : 0)};
}

/* Rounds a mantissa with its highest bit at 63 to the bits of the format. */
static struct real round_parts(struct parts p, bool sticky)
{
	const int e = p.exponent + 63;
	const int shift = e >= LEAST_NORMAL ? 11 : 11 + LEAST_NORMAL - e;
	uint64_t keep, rest, half;

	if (e > MOST_NORMAL)
		return signed_bits(p.negative, INFINITE);
	if (shift > 64)
		return signed_bits(p.negative, 0);
	keep = shift == 64 ? 0 : p.mantissa >> shift;
	rest = shift == 64 ? p.mantissa : p.mantissa & ((1ull << shift) - 1);
	half = 1ull << (shift - 1);
	if (rest > half || (rest == half && (sticky || (keep & 1))))
		keep++;
	/* The highest bit of a mantissa adds one to the exponent, and so does a carry. */
	if (shift == 11)
		keep += (uint64_t)(e - LEAST_NORMAL) << FRACTION_BITS;
	return signed_bits(p.negative, keep);
}

static struct real round_wide(wide n, int exponent, bool negative, bool sticky)
{
	struct parts p = {.exponent = exponent, .negative = negative};
	unsigned top, drop;

	if (!n)
		return signed_bits(negative, 0);
	top = highest_bit(n);
	if (top <= 63) {
		p.mantissa = (uint64_t)n << (63 - top);
		p.exponent -= (int)(63 - top);
		return round_parts(p, sticky);
	}
	drop = top - 63;
	p.mantissa = (uint64_t)(n >> drop);
	p.exponent += (int)drop;
	return round_parts(p, sticky || (n & (((wide)1 << drop) - 1)));
}

static bool is_special(struct real a)
{
	return (a.bits & INFINITE) == INFINITE;
}

/* `a` is finite. */
static struct parts take_apart(struct real a)
{
	const int biased = (int)(a.bits >> FRACTION_BITS & EXPONENT_MASK);
	struct parts p = {.negative = a.bits & SIGN};
	unsigned up;

	p.mantissa = a.bits & ((1ull << FRACTION_BITS) - 1);
	if (biased)
		p.mantissa |= 1ull << FRACTION_BITS;
	p.exponent = (biased ? biased : 1) - MOST_NORMAL - FRACTION_BITS;
	if (!p.mantissa)
		return p;
	up = (unsigned)__builtin_clzll(p.mantissa);
	p.mantissa <<= up;
	p.exponent -= (int)up;
	return p;
}

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
	return !is_special(a);
}

bool real_is_zero(struct real a)
{
	return !(a.bits & ~SIGN);
}

struct real real_of(uint64_t n)
{
	return round_wide(n, 0, false, false);
}

struct real real_of_signed(int64_t n)
{
	return round_wide(n < 0 ? -(uint64_t)n : (uint64_t)n, 0, n < 0, false);
}

struct real real_ratio(uint64_t n, uint64_t d)
{
	return d ? real_divide(real_of(n), real_of(d)) : real_nan();
}

struct real real_negate(struct real a)
{
	return (struct real){a.bits ^ SIGN};
}

/*
 * Adds two numbers with |a| >= |b|, neither 0. `sticky` tells whether non-zero bits of `b` were
 * shifted out.
 */
static struct real add_parts(struct parts a, struct parts b)
{
	const int distance = a.exponent - b.exponent;
	const wide high = (wide)a.mantissa << 63;
	wide low = (wide)b.mantissa << 63;
	bool sticky = false;

	if (distance >= 127) {
		low = 0;
		sticky = true;
	} else if (distance) {
		sticky = low & (((wide)1 << distance) - 1);
		low >>= distance;
	}
	if (a.negative == b.negative)
		return round_wide(high + low, a.exponent - 63, a.negative, sticky);
	if (high == low && !sticky)
		return (struct real){0};
	return round_wide(high - low - sticky, a.exponent - 63, a.negative, sticky);
}

static struct real add_special(struct real a, struct real b)
{
	if (real_is_nan(a) || real_is_nan(b))
		return real_nan();
	if (!is_special(b))
		return a;
	return is_special(a) && a.bits != b.bits ? real_nan() : b;
}

struct real real_add(struct real a, struct real b)
{
	struct parts p, q;

	if (is_special(a) || is_special(b))
		return add_special(a, b);
	if (real_is_zero(a) && real_is_zero(b))
		return (struct real){a.bits & b.bits};
	if (real_is_zero(b))
		return a;
	if (real_is_zero(a))
		return b;
	p = take_apart(a);
	q = take_apart(b);
	return (a.bits & ~SIGN) >= (b.bits & ~SIGN) ? add_parts(p, q) : add_parts(q, p);
}

struct real real_subtract(struct real a, struct real b)
{
	return real_is_nan(b) ? real_nan() : real_add(a, real_negate(b));
}

struct real real_multiply(struct real a, struct real b)
{
	const bool negative = (a.bits ^ b.bits) & SIGN;
	struct parts p, q;

	if (real_is_nan(a) || real_is_nan(b))
		return real_nan();
	if (is_special(a) || is_special(b))
		return real_is_zero(a) || real_is_zero(b) ? real_nan()
							  : signed_bits(negative, INFINITE);
	p = take_apart(a);
	q = take_apart(b);
	return round_wide((wide)p.mantissa * q.mantissa, p.exponent + q.exponent, negative, false);
}

struct real real_divide(struct real a, struct real b)
{
	const bool negative = (a.bits ^ b.bits) & SIGN;
	struct parts p, q;
	wide n, quotient;

	if (real_is_nan(a) || real_is_nan(b))
		return real_nan();
	if (is_special(a))
		return is_special(b) ? real_nan() : signed_bits(negative, INFINITE);
	if (is_special(b))
		return signed_bits(negative, 0);
	if (real_is_zero(b))
		return real_is_zero(a) ? real_nan() : signed_bits(negative, INFINITE);
	p = take_apart(a);
	q = take_apart(b);
	n = (wide)p.mantissa << 64;
	quotient = div_wide(n, q.mantissa);
	return round_wide(quotient, p.exponent - 64 - q.exponent, negative,
			  quotient * q.mantissa != n);
}

/* The largest r with r * r <= n, bit by bit; n below 2^127. */
static uint64_t wide_sqrt(wide n)
{
	wide rest = n, root = 0;

	for (wide bit = (wide)1 << 126; bit; bit >>= 2) {
		const bool fits = rest >= root + bit;

		if (fits)
			rest -= root + bit;
		root >>= 1;
		if (fits)
			root += bit;
	}
	return (uint64_t)root;
}

struct real real_sqrt(struct real a)
{
	struct parts p;
	unsigned up;
	uint64_t root;
	wide n;

	if (real_is_zero(a) || real_is_nan(a) || a.bits == INFINITE)
		return a;
	if (a.bits & SIGN)
		return real_nan();
	p = take_apart(a);
	up = p.exponent & 1 ? 63 : 62;
	n = (wide)p.mantissa << up;
	root = wide_sqrt(n);
	return round_wide(root, (p.exponent - (int)up) / 2, false, (wide)root * root != n);
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

int64_t real_to_integer(struct real a)
{
	struct parts p;
	uint64_t n;

	if (real_is_nan(a))
		return 0;
	p = take_apart(a);
	if (is_special(a) || p.exponent >= 0)
		return a.bits & SIGN ? INT64_MIN : real_is_zero(a) ? 0 : INT64_MAX;
	n = p.exponent <= -64 ? 0 : p.mantissa >> -p.exponent;
	return p.negative ? -(int64_t)n : (int64_t)n;
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
		return round_wide((wide)n * fives, power, false, false);
	dividend = (wide)n << 64 << up;
	quotient = div_wide(dividend, fives);
	return round_wide(quotient, power - 64 - (int)up, false, quotient * fives != dividend);
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
 * Writes the digits from the last to the first, in front of `end`, with `decimals` after the
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
	uint32_t limb[LIMBS];
	struct parts p;
	const char *word;
	char *begin;

	if (is_special(a)) {
		word = real_is_nan(a) ? "nan" : negative ? "-inf" : "inf";
		return memcpy(text, word, strlen(word) + 1);
	}
	p = take_apart(a);
	/* 53 bits leave room for nine more digits. */
	p.mantissa >>= 11;
	p.exponent += 11;
	if (p.exponent < 0)
		fill_limbs(limb,
			   shift_down((wide)p.mantissa * power_of(10, decimals),
				      (unsigned)-p.exponent),
			   0);
	else
		fill_limbs(limb, (wide)p.mantissa * power_of(10, decimals), (unsigned)p.exponent);
	begin = put_digits(text + REAL_TEXT - 1, limb, decimals);
	if (negative)
		*--begin = '-';
	return memmove(text, begin, (size_t)(text + REAL_TEXT - begin));
}
