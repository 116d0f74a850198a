/* SPDX-License-Identifier: BSD-2-Clause */
/* time.h - units of time; every duration in the images is in nanoseconds. */
#ifndef LIB_TIME_H
#define LIB_TIME_H

#define NSEC_PER_SEC 1000000000ull
#define NSEC_PER_MS  1000000ull
#define USEC_PER_SEC 1000000ull

#endif
