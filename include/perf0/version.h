/* SPDX-License-Identifier: BSD-2-Clause */
/* version.h - the version of perf0: of the image, sent in HELLO, and of the host tool. */
#ifndef PERF0_VERSION_H
#define PERF0_VERSION_H

#define PERF0_VERSION "0.1"

#endif
