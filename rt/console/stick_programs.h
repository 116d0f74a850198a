/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick_programs.h - the user's programs on the volume that the image came from, in \perf0\bin.
 * They are found as /perf0/bin/NAME, or by NAME before built-in workloads. Task context on the boot
 * CPU, between commands and while a command line is read.
 */
#ifndef RT_CONSOLE_STICK_PROGRAMS_H
#define RT_CONSOLE_STICK_PROGRAMS_H

/* programs_init() - makes these programs available, beside files from a host. */
void programs_init(void);

#endif
