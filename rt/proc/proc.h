/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc.h - content of /proc and /sys about this machine: the writers and domains of
 * rt/tree/synth.h. Formats are those of proc(5) and of Linux's Documentation/ABI.
 */
#ifndef RT_PROC_PROC_H
#define RT_PROC_PROC_H

/* proc_init() - sets all writers and domains. Once, at start-up. */
void proc_init(void);

#endif
