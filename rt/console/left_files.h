/* SPDX-License-Identifier: BSD-2-Clause */
/* left_files.h - programs and files of an archive that a loader left in memory. */
#ifndef RT_CONSOLE_LEFT_FILES_H
#define RT_CONSOLE_LEFT_FILES_H

struct handoff;

/* left_files_init() - the handoff's archive, if it has one, becomes the volume of programs.
 * Start-up. */
void left_files_init(const struct handoff *handoff);

#endif
