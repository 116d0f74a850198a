/* SPDX-License-Identifier: BSD-2-Clause */
/* config_check.h - a perf0.cfg that is put on a stick, read as the image will read it. */
#ifndef TOOLS_STICK_CONFIG_CHECK_H
#define TOOLS_STICK_CONFIG_CHECK_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * config_check() - the file `path`, into `text`. -E with the reason: it can not be read, or has a
 * mistake, which is told with its line and column. Commands are looked at as those of a command
 * line are, but for programs of the stick: words that are paths, or names of the `nprograms` files
 * `programs`, which are put there.
 */
int config_check(struct buf *text, const char *path, const char *const *programs, size_t nprograms,
		 struct reason *why);

#endif
