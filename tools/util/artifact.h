/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * artifact.h - finds the files that are built beside the tool: the images, the ELF file of symbols,
 * the parts of programs.
 */
#ifndef TOOLS_UTIL_ARTIFACT_H
#define TOOLS_UTIL_ARTIFACT_H

#include <stddef.h>

#include "lib/reason.h"

#define ARTIFACT_ESP      "esp.img"
#define ARTIFACT_PERF0    "perf0.efi"
#define ARTIFACT_IA32     "bootia32.efi"
#define ARTIFACT_VPMU     "vpmu.efi"
#define ARTIFACT_PERF0_BZ "perf0.bz"
#define ARTIFACT_VPMU_BZ  "vpmu.bz"
#define ARTIFACT_ELF      "perf0.elf"
#define ARTIFACT_PLUGIN   "vpmu-events.so"
#define ARTIFACT_HARNESS  "bench-harness.o"
#define ARTIFACT_PIECES   "bench-pieces.o"
#define ARTIFACT_MEMORY   "latency-memory"

/* artifact_folder() - writes the folder of the running program, with its `/`, to `folder` of
 * PATH_MAX bytes. Returns 0, or -E with the reason. */
int artifact_folder(char *folder, struct reason *why);

/*
 * artifact_path() - writes the path of `name`: in the folder of the running program, or in an
 * installation, in lib/perf0 beside that folder. Returns 0, or -E with the reason: the file cannot
 * be read.
 */
int artifact_path(char *path, size_t size, const char *name, struct reason *why);

#endif
