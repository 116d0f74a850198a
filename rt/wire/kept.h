/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept.h - keeps frames and text in memory for files on the stick, beside the line or in its place.
 * Kept frames are numbered from 0, begin with HELLO and end with BYE. So the file of a command is a
 * complete stream, whatever went over the line.
 *
 * Only on the CPU that runs commands, which alone sends frames and writes text. Contexts as for
 * frames and text: IRQ too; not NMI.
 */
#ifndef RT_WIRE_KEPT_H
#define RT_WIRE_KEPT_H

#include "rt/portable/memory_pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * kept_begin() - keeps frames and text from now on, each up to `most` bytes; earlier ones are
 * dropped. `quiet`: text goes nowhere else. Task context.
 */
void kept_begin(uint64_t most, bool quiet);

/* kept_end() - stops keeping; the caller gets the kept bytes. Task context. */
void kept_end(struct pieces *stream, struct pieces *text);

bool kept_is_on(void);
bool kept_is_quiet(void);

/* kept_now() - what was kept since kept_begin(), and stays so. False: nothing is being kept. */
bool kept_now(const struct pieces **stream, const struct pieces **text);

/* kept_has_frames() - has a frame been kept since kept_begin()? */
bool kept_has_frames(void);

/* kept_number() - counts the next frame of the stream, and returns its number. */
uint32_t kept_number(uint8_t stream);

/* Keep a frame or text. Data is dropped while nothing is kept, and without room; the latter is
 * counted. */
void kept_frame(const void *frame, size_t n);
void kept_text(const char *text, size_t n);

#endif
