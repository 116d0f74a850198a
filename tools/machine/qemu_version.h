/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu_version.h - finds the version of a QEMU that execvp() finds by its name. */
#ifndef TOOLS_MACHINE_QEMU_VERSION_H
#define TOOLS_MACHINE_QEMU_VERSION_H

#include <limits.h>
#include <stdbool.h>

#include "lib/reason.h"
#include "tools/options/machine_options.h"
#include "tools/util/buf.h"

/*
 * qemu_find() - finds the QEMU that execvp() finds for `name`. machine_check_host() - checks that
 * this host has the QEMU and the firmware of such a machine. Both return 0, or -E with the reason,
 * which names the package that has what is missing.
 */
int qemu_find(char path[PATH_MAX], const char *name, struct reason *why);
int machine_check_host(const struct machine_options *options, struct reason *why);

/*
 * qemu_says() - appends what the QEMU at `path` says to one option: its version, its devices.
 * False: it failed.
 */
bool qemu_says(struct buf *said, const char *path, const char *option, const char *value);

/*
 * qemu_is_since() - returns whether the QEMU has version `major`.`minor` or newer; false if it has
 * none. qemu_version_text() - appends its version, as 7.2.22; nothing if it has none. Both read the
 * version from QEMU's file. They run `QEMU --version` only if the file does not hold it: a script.
 */
bool qemu_is_since(const char *name, unsigned major, unsigned minor);
void qemu_version_text(struct buf *out, const char *name);

#endif
