/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * there.h - there and back: Linux starts perf0.bz by kexec, and perf0.bz starts Linux again. The
 * initial ram disk of perf0.bz is a cpio archive (lib/format/cpio.h) with these files. A file of a
 * page or more begins at a multiple of a page.
 */
#ifndef PERF0_THERE_H
#define PERF0_THERE_H

#define THERE_PROGRAMS     "/perf0/programs"     /* a pack of programs.h; it may be missing */
#define THERE_KERNEL       "/perf0/home/kernel"  /* a bzImage with an entry for 64 bits */
#define THERE_INITRD       "/perf0/home/initrd"  /* its initial ram disk; it may be missing */
#define THERE_COMMAND_LINE "/perf0/home/cmdline" /* its command line, without a terminator */

/* The boot option that bounds the time away: the machine goes home after so many seconds. */
#define THERE_TIME_OPTION "home_after="

/* The boot option for devices that Linux has left: may they write to memory (run) or not (quiet)?
 */
#define THERE_DMA_OPTION "dma="

/*
 * Linux finds the results as a setup_data of this type (Linux, Documentation/arch/x86/boot.rst),
 * which is the file /sys/kernel/boot_params/setup_data/N/data: a cpio archive of files without
 * folders. Linux's command line then ends with THERE_MARK.
 */
#define THERE_SETUP_TYPE 0x70657266u /* "perf" */
#define THERE_MARK       "perf0.home=1"

/* Files of the results beside those of rt/portable/results.h. */
#define THERE_STATUS "status.txt" /* how the time away ended, one line */
#define THERE_ENDED  "the commands have ended"

#endif
