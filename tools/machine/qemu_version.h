/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu_version.h - finds the version of a QEMU that execvp() finds by its name. */
#ifndef TOOLS_MACHINE_QEMU_VERSION_H
#define TOOLS_MACHINE_QEMU_VERSION_H

#include <stdbool.h>

#include "tools/util/buf.h"

/*
 * qemu_is_since() - returns whether the QEMU has version `major`.`minor` or newer, as reported by
 * --version; false if it reports none. qemu_version_text() - appends its version, as 7.2.22;
 * nothing if it reports none.
 */
bool qemu_is_since(const char *name, unsigned major, unsigned minor);
void qemu_version_text(struct buf *out, const char *name);

#endif
