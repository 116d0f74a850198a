/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fwcfg.h - files that QEMU was given for its guest ("QEMU Firmware Configuration Device" of its
 * specifications). A real machine has no files, and its ports are not touched. One CPU at a time;
 * task context.
 */
#ifndef ARCH_X86_DEV_FWCFG_H
#define ARCH_X86_DEV_FWCFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FWCFG_NAME_MAX 56 /* with its terminator */

struct fwcfg_file {
	uint16_t key;
	uint32_t bytes;
};

/*
 * fwcfg_find() - finds the file called `name`. fwcfg_list() - finds number `n`, from 0, of the
 * files whose names begin with `folder`, and stores the rest of its name in `name`. fwcfg_read() -
 * reads `bytes` bytes of a file from `offset` on; false: the file is shorter. By DMA, which QEMU
 * offers by default, it is as fast as memory. `to` is contiguous in physical memory; its address is
 * ring 0's or physical.
 */
bool fwcfg_find(const char *name, struct fwcfg_file *file);
bool fwcfg_list(const char *folder, unsigned n, char name[FWCFG_NAME_MAX], struct fwcfg_file *file);
bool fwcfg_read(const struct fwcfg_file *file, uint32_t offset, void *to, size_t bytes);

#endif
