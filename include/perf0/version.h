/* SPDX-License-Identifier: BSD-2-Clause */
/* version.h - perf0's own version: of the image, told in HELLO, and of the host tool. */
#ifndef PERF0_VERSION_H
#define PERF0_VERSION_H

#define PERF0_VERSION "0.1"

#endif
