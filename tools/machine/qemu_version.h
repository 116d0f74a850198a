/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu_version.h - finds the version of a QEMU. */
#ifndef TOOLS_MACHINE_QEMU_VERSION_H
#define TOOLS_MACHINE_QEMU_VERSION_H

#include <stdbool.h>

/*
 * qemu_is_since() - returns whether the QEMU that execvp() finds for `name` has version
 * `major`.`minor` or newer, as reported by --version; false if it reports none.
 */
bool qemu_is_since(const char *name, unsigned major, unsigned minor);

#endif
