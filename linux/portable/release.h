/* SPDX-License-Identifier: BSD-2-Clause */
/* release.h - the system's own name: uname(2), /proc. */
#ifndef LINUX_PORTABLE_RELEASE_H
#define LINUX_PORTABLE_RELEASE_H

#include "include/perf0/version.h"

#define SYSTEM_NAME    "Linux"
#define SYSTEM_NODE    "perf0"
#define SYSTEM_RELEASE "6.1.0-perf0" /* the version of Linux whose system calls these are */
#define SYSTEM_VERSION "perf0 " PERF0_VERSION

#endif
