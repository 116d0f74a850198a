/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * font.h - the glyphs that fb.c draws.
 */
#ifndef ARCH_X86_DEV_FONT_H
#define ARCH_X86_DEV_FONT_H

#include <stdint.h>

#define FONT_FIRST  ' '
#define FONT_GLYPHS ('~' - ' ' + 1)
#define FONT_ROWS   8
#define FONT_COLS   5

/* font[c - FONT_FIRST][row]: bit FONT_COLS - 1 is the left column. */
extern const uint8_t font[FONT_GLYPHS][FONT_ROWS];

#endif
