/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modules.h - modules of a Linux kernel for the guest's first file system: the wanted ones, and
 * before each its dependencies (`depends=` of section .modinfo). A name without a file is assumed
 * to be built into the kernel. Compressed modules are unpacked by xz, zstd or gzip.
 */
#ifndef TOOLS_GUEST_MODULES_H
#define TOOLS_GUEST_MODULES_H

#include <limits.h>
#include <stdbool.h>

#include "tools/program/pack_tree.h"

#define MODULES_GUEST "/perf0/modules"

/*
 * modules_find() - the folder of the modules of the kernel file `kernel` of `version`: beside the
 * kernel's own folder, as in packages, or the host's. False: there is none.
 */
bool modules_find(char folder[PATH_MAX], const char *kernel, const char *version);

/*
 * modules_pack() - packs from `folder` the modules of perf's PMUs and of /dev/cpu, and with `share`
 * those of 9p by virtio, as files of MODULES_GUEST. Appends their names to `order`, a line each, in
 * load order. -E with the reason.
 */
int modules_pack(struct tree *tree, const char *folder, bool share, struct buf *order,
		 struct reason *why);

#endif
