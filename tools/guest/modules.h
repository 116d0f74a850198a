/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modules.h - modules of a Linux kernel for the guest's first file system: those that are wanted,
 * and before each those that it needs, by what is in their files (`depends=` of section .modinfo).
 * A name that no file has is taken to be built into the kernel. Compressed ones are unpacked, by
 * xz, zstd or gzip.
 */
#ifndef TOOLS_GUEST_MODULES_H
#define TOOLS_GUEST_MODULES_H

#include <limits.h>
#include <stdbool.h>

#include "tools/program/pack_tree.h"

#define MODULES_GUEST "/perf0/modules"

/*
 * modules_find() - the folder of the modules of the kernel file `kernel`, which is of `version`: as
 * packages have them, beside the kernel's own folder, or the host's. False: there is none.
 */
bool modules_find(char folder[PATH_MAX], const char *kernel, const char *version);

/*
 * modules_pack() - of `folder`, the modules of perf's PMUs and of /dev/cpu, and with `share` those
 * of 9p by virtio, as files of MODULES_GUEST; appends their names to `order`, a line each, as they
 * are to be loaded.
 * -E with the reason.
 */
int modules_pack(struct tree *tree, const char *folder, bool share, struct buf *order,
		 struct reason *why);

#endif
