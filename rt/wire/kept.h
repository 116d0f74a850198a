/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept.h - frames and text that are kept in memory, beside what goes over the line, or in its
 * place: for files on the stick. They are numbered from 0, begin with HELLO and end with BYE, so
 * that the file of a command is a stream by itself, whatever went over the line.
 *
 * The CPU that runs commands, which is the only one that sends frames and writes text. Contexts as
 * frames and text have: IRQ too; not NMI.
 */
#ifndef RT_WIRE_KEPT_H
#define RT_WIRE_KEPT_H

#include "rt/portable/memory_pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * kept_begin() - from now on frames are made and kept, and text is, each up to `most` bytes; what
 * was kept before is forgotten. `quiet`: text goes nowhere else. Task context.
 */
void kept_begin(uint64_t most, bool quiet);

/* kept_end() - stops keeping; the caller gets the kept bytes. Task context. */
void kept_end(struct pieces *stream, struct pieces *text);

bool kept_is_on(void);
bool kept_is_quiet(void);

/* kept_has_frames() - has a frame been kept since kept_begin()? */
bool kept_has_frames(void);

/* kept_number() - the number of the stream's next frame, which is counted. */
uint32_t kept_number(uint8_t stream);

/* Data that arrives while nothing is kept, or without room, is dropped; the latter is counted. */
void kept_frame(const void *frame, size_t n);
void kept_text(const char *text, size_t n);

#endif
