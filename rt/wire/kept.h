/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept.h - frames and text that are kept in memory, beside what goes over the line, or in its
 * place: for files on the stick. A command's frames begin with HELLO, so that its file can be read
 * by itself.
 *
 * The CPU that runs commands, which is the only one that sends frames and writes text. Contexts as
 * frames and text have: IRQ too; not NMI.
 */
#ifndef RT_WIRE_KEPT_H
#define RT_WIRE_KEPT_H

#include "rt/portable/pieces.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * kept_begin() - from now on frames are made and kept, and text is, each up to `most` bytes; what
 * was kept before is forgotten. `quiet`: text goes nowhere else. Task context.
 */
void kept_begin(uint64_t most, bool quiet);

/* kept_end() - no more is kept; what was is the caller's. Task context. */
void kept_end(struct pieces *stream, struct pieces *text);

bool kept_is_on(void);
bool kept_is_quiet(void);

/* kept_has_frames() - since kept_begin(). */
bool kept_has_frames(void);

/* What comes while nothing is kept, or finds no room, is dropped; the latter is counted. */
void kept_frame(const void *frame, size_t n);
void kept_text(const char *text, size_t n);

#endif
