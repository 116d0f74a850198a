/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fb.h - text on linear framebuffers, on all of them the same: printable ASCII, newline, carriage
 * return, tab, backspace (to the end of the line above from the start of one). Without one, or
 * before fb_init(), everything is a no-op.
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

/* fb_write() - scrolls as needed, and shows the newest again. Task and IRQ context (panic may from
 * any). */
void fb_write(const char *text, size_t n);

/* fb_cursor() - where the next character goes is marked, or not: not, at first. fb_scroll() - shows
 * what is `pages` further up, or down. Task context. */
void fb_cursor(bool on);
void fb_scroll(int pages);

#endif
