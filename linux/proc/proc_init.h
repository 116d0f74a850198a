/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc_init.h - content of /proc and /sys about this machine: the writers and domains of
 * linux/tree/synth.h. Formats are those of proc(5) and of Linux's Documentation/ABI.
 */
#ifndef LINUX_PROC_PROC_INIT_H
#define LINUX_PROC_PROC_INIT_H

/* proc_init() - sets all writers and domains. Once, at start-up. */
void proc_init(void);

#endif
