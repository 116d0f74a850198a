/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fb.h - the same text on all linear framebuffers: printable ASCII, newline, carriage return, tab,
 * backspace (to the end of the line above from the start of one). Without a framebuffer, or before
 * fb_init(), everything is a no-op.
 */
#ifndef ARCH_X86_DEV_FB_H
#define ARCH_X86_DEV_FB_H

#include "include/perf0/handoff.h"

#include <stdbool.h>
#include <stddef.h>

/* fb_init() - maps and clears the `n` screens. After paging_init(). -ENODEV: none, or all are too
 * small for a line; -ENOMEM. */
int fb_init(const struct handoff_framebuffer *screens, unsigned n);

/* fb_count() - how many screens there are. Any context. */
unsigned fb_count(void);

/* fb_write() - writes text, scrolls as needed, and shows the newest lines again. Task and IRQ
 * context (a panic in any context). */
void fb_write(const char *text, size_t n);

/* fb_cursor() - marks the place of the next character, or not; at first it does not. fb_scroll() -
 * shows the text `pages` further up, or down. Task context. */
void fb_cursor(bool on);
void fb_scroll(int pages);

#endif
