/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick_programs.h - programs of the user's that lie on the volume that the image came from, in
 * \perf0\bin: they are found as /perf0/bin/NAME, or by their names, before workloads that are built
 * in. Task context on the boot CPU, between commands and while one is read.
 */
#ifndef RT_CONSOLE_STICK_PROGRAMS_H
#define RT_CONSOLE_STICK_PROGRAMS_H

/* programs_init() - from now on they are found, beside what a host hands in. */
void programs_init(void);

#endif
