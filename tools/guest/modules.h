/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modules.h - packs modules of a Linux kernel into the guest's initial file system: the requested
 * ones, each behind its dependencies (`depends=` of section .modinfo). A name without a file is
 * assumed to be built into the kernel. xz, zstd or gzip unpack compressed modules.
 */
#ifndef TOOLS_GUEST_MODULES_H
#define TOOLS_GUEST_MODULES_H

#include <limits.h>
#include <stdbool.h>

#include "tools/program/pack_tree.h"

#define MODULES_GUEST "/perf0/modules"

/*
 * modules_find() - finds the folder with the modules of the kernel file `kernel` of `version`:
 * beside the kernel's own folder, as in packages, or the host's. Returns false if there is none.
 */
bool modules_find(char folder[PATH_MAX], const char *kernel, const char *version);

/*
 * modules_pack() - packs the modules of perf's PMUs and of /dev/cpu from `folder`, and with `share`
 * those of 9p over virtio, as files below MODULES_GUEST. Appends their names to `order`, one in
 * each line, in load order. -E with the reason.
 */
int modules_pack(struct tree *tree, const char *folder, bool share, struct buf *order,
		 struct reason *why);

#endif
