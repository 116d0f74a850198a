/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc_init.h - what /proc and /sys tell of this machine: the writers and domains of
 * linux/tree/synth.h. Formats are those of proc(5) and of Linux's Documentation/ABI.
 */
#ifndef LINUX_PROC_PROC_INIT_H
#define LINUX_PROC_PROC_INIT_H

/* proc_init() - sets all of them. Once, at start-up. */
void proc_init(void);

#endif
