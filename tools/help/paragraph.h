/* SPDX-License-Identifier: BSD-2-Clause */
/* paragraph.h - text in lines of a width, on standard output. */
#ifndef TOOLS_HELP_PARAGRAPH_H
#define TOOLS_HELP_PARAGRAPH_H

/*
 * paragraph_put() - prints the words of `text` in lines of at most `width` characters, and a line
 * end. Blanks in `...` separate no words.
 */
void paragraph_put(const char *text, unsigned width);

#endif
