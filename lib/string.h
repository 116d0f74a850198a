/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * string.h - the functions of <string.h> that the images need, as ISO C defines them. The hosted
 * build uses libc's. Any context.
 */
#ifndef LIB_STRING_H
#define LIB_STRING_H

#if __STDC_HOSTED__
#include <string.h>
#else
#include <stddef.h>
void *memcpy(void *restrict dst, const void *restrict src, size_t n);
void *memmove(void *dst, const void *src, size_t n);
void *memset(void *dst, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t max);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strstr(const char *haystack, const char *needle);

/* A freestanding compiler knows these by their builtin names alone: then it copies a few bytes
 * without a call. */
#define memcpy(...) __builtin_memcpy(__VA_ARGS__)
#define memset(...) __builtin_memset(__VA_ARGS__)
#endif

#endif
