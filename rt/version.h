/* SPDX-License-Identifier: BSD-2-Clause */
/* version.h - perf0's own version, in HELLO and in `help`. */
#ifndef RT_VERSION_H
#define RT_VERSION_H

#define PERF0_VERSION "0.1"

#endif
