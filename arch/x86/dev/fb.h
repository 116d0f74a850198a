/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fb.h - text on a linear framebuffer: printable ASCII, newline, carriage return, tab. Without one,
 * or before fb_init(), everything is a no-op.
 */
#ifndef ARCH_X86_DEV_FB_H
#define ARCH_X86_DEV_FB_H

#include "include/perf0/handoff.h"

#include <stddef.h>

/* fb_init() - maps and clears it. After paging_init(). -ENODEV: none, or too small for a line. */
int fb_init(const struct handoff_framebuffer *fb);

/* fb_write() - scrolls as needed. Task and IRQ context (panic may from any). */
void fb_write(const char *text, size_t n);

#endif
