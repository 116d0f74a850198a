/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu_version.h - the version of a QEMU. */
#ifndef TOOLS_MACHINE_QEMU_VERSION_H
#define TOOLS_MACHINE_QEMU_VERSION_H

#include <stdbool.h>

/*
 * qemu_is_since() - whether the QEMU that execvp() finds for `name` reports version `major`.`minor`
 * or newer by --version; false if it reports none.
 */
bool qemu_is_since(const char *name, unsigned major, unsigned minor);

#endif
