/* SPDX-License-Identifier: BSD-2-Clause */
/* config_check.h - checks the perf0.cfg of a stick as the image will read it. */
#ifndef TOOLS_STICK_CONFIG_CHECK_H
#define TOOLS_STICK_CONFIG_CHECK_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * config_check() - reads the file `path` into `text`. -E with the reason: the file cannot be read,
 * or has a mistake, reported with line and column. Commands are checked like those of a command
 * line. Paths and names of the `nprograms` files `programs`, which the stick will contain, count as
 * programs.
 */
int config_check(struct buf *text, const char *path, const char *const *programs, size_t nprograms,
		 struct reason *why);

#endif
