// SPDX-License-Identifier: BSD-2-Clause
/*
 * string.c - the freestanding string functions. The compiler generates calls to memcpy, memmove,
 * memset and memcmp, so these four must exist. They must not be compiled into calls to themselves
 * (-fno-tree-loop-distribute-patterns in the Makefile).
 *
 * From LONG bytes on a REP instruction is faster than a loop, although a CPU takes some 30 cycles
 * to begin one. Shorter ranges are done by 32 bytes, and by 8, and what is left by single bytes.
 */
#include "lib/string.h"

#include <stdint.h>

#define LONG 256

static inline void move_word(unsigned char *to, const unsigned char *from)
{
	uint64_t word;

	__builtin_memcpy(&word, from, 8);
	__builtin_memcpy(to, &word, 8);
}

static void copy_long(unsigned char **to, const unsigned char **from, size_t words)
{
	__asm__ volatile("rep movsq" : "+D"(*to), "+S"(*from), "+c"(words) : : "memory");
}

void *(memcpy)(void *restrict dst, const void *restrict src, size_t n)
{
	unsigned char *d = dst;
	const unsigned char *s = src;

	if (n >= LONG) {
		copy_long(&d, &s, n / 8);
		n %= 8;
	}
	for (; n >= 32; n -= 32, d += 32, s += 32) {
		move_word(d, s);
		move_word(d + 8, s + 8);
		move_word(d + 16, s + 16);
		move_word(d + 24, s + 24);
	}
	for (; n >= 8; n -= 8, d += 8, s += 8)
		move_word(d, s);
	while (n--)
		*d++ = *s++;
	return dst;
}

/* A word is read whole before it is written, so overlaps within a word do no harm. */
void *memmove(void *dst, const void *src, size_t n)
{
	unsigned char *d = dst;
	const unsigned char *s = src;

	if (d <= s || d >= s + n) {
		for (; n >= 8; n -= 8, d += 8, s += 8)
			move_word(d, s);
		while (n--)
			*d++ = *s++;
		return dst;
	}
	for (; n >= 8; n -= 8)
		move_word(d + n - 8, s + n - 8);
	while (n--)
		d[n] = s[n];
	return dst;
}

static void fill_long(unsigned char **to, uint64_t fill, size_t words)
{
	__asm__ volatile("rep stosq" : "+D"(*to), "+c"(words) : "a"(fill) : "memory");
}

void *(memset)(void *dst, int c, size_t n)
{
	unsigned char *d = dst;
	const uint64_t fill = 0x0101010101010101u * (unsigned char)c;

	if (n >= LONG) {
		fill_long(&d, fill, n / 8);
		n %= 8;
	}
	for (; n >= 32; n -= 32, d += 32) {
		__builtin_memcpy(d, &fill, 8);
		__builtin_memcpy(d + 8, &fill, 8);
		__builtin_memcpy(d + 16, &fill, 8);
		__builtin_memcpy(d + 24, &fill, 8);
	}
	for (; n >= 8; n -= 8, d += 8)
		__builtin_memcpy(d, &fill, 8);
	while (n--)
		*d++ = (unsigned char)c;
	return dst;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n--; p++, q++)
		if (*p != *q)
			return *p - *q;
	return 0;
}

size_t strlen(const char *s)
{
	return strnlen(s, SIZE_MAX);
}

size_t strnlen(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && s[n])
		n++;
	return n;
}

int strcmp(const char *a, const char *b)
{
	return strncmp(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	for (; n && *a && *a == *b; n--, a++, b++)
		;
	return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

char *strchr(const char *s, int c)
{
	for (;; s++) {
		if (*s == (char)c)
			return (char *)s;
		if (!*s)
			return NULL;
	}
}

char *strstr(const char *haystack, const char *needle)
{
	size_t n = strlen(needle);

	for (; *haystack; haystack++)
		if (!strncmp(haystack, needle, n))
			return (char *)haystack;
	return n ? NULL : (char *)haystack;
}
