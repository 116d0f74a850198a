/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick_programs.h - the user's programs on the volume that the image came from, in \perf0\bin.
 * They are found as /perf0/bin/NAME, or by name, before built-in workloads. Task context on the
 * boot CPU, between commands and while one is read.
 */
#ifndef RT_CONSOLE_STICK_PROGRAMS_H
#define RT_CONSOLE_STICK_PROGRAMS_H

/* programs_init() - makes them available, beside files from a host. */
void programs_init(void);

#endif
