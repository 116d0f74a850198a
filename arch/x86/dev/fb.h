/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fb.h - shows the same text on all linear framebuffers: printable ASCII, newline, carriage return,
 * tab and backspace. Backspace at a line's start goes to the end of the line above. Without a
 * framebuffer, or before fb_init(), everything is a no-op. A word without room
 * in its line begins the next one, and blanks without room are left out.
 */
#ifndef ARCH_X86_DEV_FB_H
#define ARCH_X86_DEV_FB_H

#include "include/perf0/handoff.h"

#include <stdbool.h>
#include <stddef.h>

/* fb_init() - maps and clears the `n` screens. After paging_init(). -ENODEV: no screen, or all are
 * too small for one line; -ENOMEM. */
int fb_init(const struct handoff_framebuffer *screens, unsigned n);

/* fb_count() - the number of screens. Any context. */
unsigned fb_count(void);

/* fb_write() - writes text, scrolls as needed, and shows the newest lines again. Task and IRQ
 * context (a panic in any context). */
void fb_write(const char *text, size_t n);

/* fb_keep_words() - lines break between words, as at first, or only where they are full: an editor
 * counts on that. Task context. */
void fb_keep_words(bool on);

/* fb_cursor() - marks the place of the next character, or stops to mark it, as at first.
 * fb_scroll() - scrolls the text `pages` up (positive) or down. Task context. */
void fb_cursor(bool on);
void fb_scroll(int pages);

#endif
