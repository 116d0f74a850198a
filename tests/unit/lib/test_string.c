// SPDX-License-Identifier: BSD-2-Clause
/* test_string.c - the images' own memcpy(), memmove() and memset() against loops of bytes: each
 * length around their steps, each alignment, and overlaps. */
#include "tests/unit/test.h"

#include <string.h>

#define memcpy  own_memcpy
#define memmove own_memmove
#define memset  own_memset
#define memcmp  own_memcmp
#define strlen  own_strlen
#define strnlen own_strnlen
#define strcmp  own_strcmp
#define strncmp own_strncmp
#define strchr  own_strchr
#define strstr  own_strstr

void *own_memcpy(void *restrict dst, const void *restrict src, size_t n);
void *own_memmove(void *dst, const void *src, size_t n);
void *own_memset(void *dst, int c, size_t n);
int own_memcmp(const void *a, const void *b, size_t n);
size_t own_strlen(const char *s);
size_t own_strnlen(const char *s, size_t max);
int own_strcmp(const char *a, const char *b);
int own_strncmp(const char *a, const char *b, size_t n);
char *own_strchr(const char *s, int c);
char *own_strstr(const char *haystack, const char *needle);

#include "lib/string.c"

#define BYTES 700
#define EDGE  16

static unsigned char area[BYTES + 2 * EDGE], expected[BYTES + 2 * EDGE];

static void fill_areas(void)
{
	for (size_t i = 0; i < sizeof(area); i++)
		area[i] = expected[i] = (unsigned char)(i * 37 + i / 256);
}

static void check_areas(const char *what, size_t to, size_t from, size_t n)
{
	for (size_t i = 0; i < sizeof(area); i++)
		if (area[i] != expected[i])
			fail_msg("%s: %zu bytes from %zu to %zu: byte %zu", what, n, from, to, i);
}

static bool is_tried(size_t n)
{
	return n < 80 || n % 64 < 10 || n % 64 > 60;
}

TEST(test_copies)
{
	unsigned char source[BYTES + EDGE];

	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (unsigned char)(i * 101 + 7);
	for (size_t n = 0; n <= BYTES; n++)
		for (size_t skew = 0; is_tried(n) && skew < 64; skew++) {
			const size_t to = skew % 8, from = skew / 8;

			fill_areas();
			for (size_t i = 0; i < n; i++)
				expected[to + i] = source[from + i];
			assert_ptr_equal(own_memcpy(area + to, source + from, n), area + to);
			check_areas("memcpy", to, from, n);
		}
}

TEST(test_moves_of_what_overlaps)
{
	for (size_t n = 0; n <= BYTES; n++)
		for (size_t way = 0; is_tried(n) && way < 2 * EDGE; way++) {
			const size_t to = way, from = EDGE;
			unsigned char aside[BYTES];

			fill_areas();
			for (size_t i = 0; i < n; i++)
				aside[i] = expected[from + i];
			for (size_t i = 0; i < n; i++)
				expected[to + i] = aside[i];
			assert_ptr_equal(own_memmove(area + to, area + from, n), area + to);
			check_areas("memmove", to, from, n);
		}
}

TEST(test_fills)
{
	for (size_t n = 0; n <= BYTES; n++)
		for (size_t to = 0; is_tried(n) && to < 8; to++) {
			fill_areas();
			for (size_t i = 0; i < n; i++)
				expected[to + i] = 0xa5;
			assert_ptr_equal(own_memset(area + to, 0x7a5, n), area + to);
			check_areas("memset", to, to, n);
		}
}

TEST(test_words)
{
	assert_int_equal(own_strlen("four"), 4);
	assert_int_equal(own_strnlen("four", 3), 3);
	assert_true(own_memcmp("abc", "abd", 3) < 0 && !own_memcmp("abc", "abd", 2));
	assert_true(own_strcmp("b", "a") > 0 && !own_strncmp("ab", "ac", 1));
	assert_string_equal(own_strchr("a:b", ':'), ":b");
	assert_string_equal(own_strstr("one two", "tw"), "two");
}
