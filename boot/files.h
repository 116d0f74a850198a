/* SPDX-License-Identifier: BSD-2-Clause */
/* files.h - files of the volume that the image came from: FIRMWARE_FILE. */
#ifndef BOOT_FILES_H
#define BOOT_FILES_H

#include "boot/efi.h"
#include "include/perf0/firmware.h"

#include <stdbool.h>

/* files_begin() - finds the volume. False: the image came from none, as over a network. */
bool files_begin(EFI_HANDLE self, EFI_SYSTEM_TABLE *st);

/*
 * files_answer() - executes the request: 0, or -ENODEV (there is no volume, or it is gone),
 * -ENOENT, -EEXIST, -ENOSPC, -EROFS, -EACCES, -EISDIR, -ENOTDIR, -ENOMEM, -ENAMETOOLONG, -EILSEQ
 * (the path is no UTF-8), -EINVAL, -EIO. Interrupts on, TPL_APPLICATION.
 */
int files_answer(struct firmware_file *file);

#endif
