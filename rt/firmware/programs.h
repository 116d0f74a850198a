/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - programs of the user's that lie on the volume that the image came from, in
 * \perf0\bin: they are found as /perf0/bin/NAME, or by their names where no workload that is built
 * in has them. Task context on the boot CPU, between commands and while one is read.
 */
#ifndef RT_FIRMWARE_PROGRAMS_H
#define RT_FIRMWARE_PROGRAMS_H

/* programs_init() - from now on they are found, if no host hands in others. */
void programs_init(void);

#endif
