// SPDX-License-Identifier: BSD-2-Clause
/*
 * sbat.c - the section that shim reads before it starts a program by a key of its own or of the
 * machine's owner. It has names and generations, by which signed programs that turned out to be
 * unsafe can be refused (shim, SBAT.md, "Secure Boot Advanced Targeting"). A generation counts up
 * when a program of the one before it must not be started any more.
 */
#include "include/perf0/version.h"

#define SBAT                                                                            \
	"sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md\n" \
	"perf0,1,perf0,perf0," PERF0_VERSION ",perf0\n"

/* Text without a terminator, as it stands in the file. */
static const char sbat[sizeof(SBAT) - 1] __attribute__((used, nonstring, section(".sbat"))) = SBAT;
