/* SPDX-License-Identifier: BSD-2-Clause */
/* typed_files.h - frames in the input at the prompt: files that are sent to be run. */
#ifndef RT_CONSOLE_TYPED_FILES_H
#define RT_CONSOLE_TYPED_FILES_H

#include <stdbool.h>

/* typed_init() - finds the memory through which such files may come. After shared_init(). */
void typed_init(void);

/*
 * typed_is_key() - is that byte of the input a key? Otherwise it belongs to a frame, damaged or
 * not. A complete frame is answered. Task context.
 */
bool typed_is_key(int byte);

#endif
