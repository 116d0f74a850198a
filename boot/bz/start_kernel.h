/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start_kernel.h - starts another file of the boot protocol of Linux by its 64-bit entry: a kernel,
 * or perf0.bz. Linux, Documentation/arch/x86/boot.rst, "64-bit Boot Protocol".
 */
#ifndef BOOT_BZ_START_KERNEL_H
#define BOOT_BZ_START_KERNEL_H

#include "boot/bz/memory_map.h"
#include "lib/reason.h"

#include <asm/bootparam.h>

struct kernel_file {
	const uint8_t *bytes;
	size_t size;
	const char *options;
};

/* kernel_check() - whether the file can be started so; -ENOEXEC with the reason. Pure. */
int kernel_check(const struct kernel_file *file, struct reason *why);

/*
 * kernel_fill() - fills `params` for the file, which kernel_check() took: the header, the screen,
 * the initrd and the RSDP as in `ours`, the command line, and memory by `ranges`, of which free
 * memory that has no entry is lost. Pure.
 */
void kernel_fill(struct boot_params *params, const struct kernel_file *file,
		 const struct boot_params *ours, const struct map_range *ranges, size_t n);

/* kernel_bytes(), kernel_align() - the memory that the file needs, and where it may begin. */
uint64_t kernel_bytes(const struct kernel_file *file);
uint64_t kernel_align(const struct kernel_file *file);

/* kernel_start() - copies it to `at`, memory of kernel_bytes(), and enters it. */
_Noreturn void kernel_start(const struct kernel_file *file, uint64_t at,
			    const struct boot_params *params);

#endif
