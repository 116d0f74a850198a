/* SPDX-License-Identifier: BSD-2-Clause */
/* typed_files.h - frames among what is typed at the prompt: files that are sent to be run. */
#ifndef RT_CONSOLE_TYPED_FILES_H
#define RT_CONSOLE_TYPED_FILES_H

#include <stdbool.h>

/* typed_init() - finds the memory through which such files may come. After shared_init(). */
void typed_init(void);

/*
 * typed_is_key() - whether that byte of what was typed is a key; else it was of a frame, which is
 * answered when it is whole, or of one that was damaged. Task context.
 */
bool typed_is_key(int byte);

#endif
