/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * volume_layout.h - members of a volume of programs (cpio, newc), one behind the other. One walk
 * plans a layout and writes it.
 */
#ifndef RT_PORTABLE_VOLUME_LAYOUT_H
#define RT_PORTABLE_VOLUME_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Where the next member goes. */
struct volume_layout {
	uint8_t *archive; /* NULL: nothing is written */
	uint64_t at;
	uint32_t ino;
};

/*
 * volume_put() - adds a member of `bytes` bytes; its name is `folder`, "" included, and `name`.
 * Returns where its content goes: at a page if it has a page or more. `content`: is written there;
 * NULL: the caller does that.
 */
uint64_t volume_put(struct volume_layout *l, const char *folder, const char *name, uint32_t mode,
		    const void *content, uint64_t bytes);

/* volume_end() - adds the environment that programs find, and the end of the archive. */
void volume_end(struct volume_layout *l);

#endif
