/* SPDX-License-Identifier: BSD-2-Clause */
/* paragraph.h - prints text in lines of limited width on standard output. */
#ifndef TOOLS_HELP_PARAGRAPH_H
#define TOOLS_HELP_PARAGRAPH_H

/*
 * paragraph_put() - prints the words of `text` in lines of at most `width` characters, and ends the
 * last line. Blanks inside `...` do not separate words.
 */
void paragraph_put(const char *text, unsigned width);

#endif
