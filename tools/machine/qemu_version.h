/* SPDX-License-Identifier: BSD-2-Clause */
/* qemu_version.h - which QEMU it is. */
#ifndef TOOLS_MACHINE_QEMU_VERSION_H
#define TOOLS_MACHINE_QEMU_VERSION_H

#include <stdbool.h>

/*
 * qemu_is_since() - the QEMU that `name` starts, as execvp() would find it, says by --version that
 * it is version `major`.`minor` or newer; false also where it says no version.
 */
bool qemu_is_since(const char *name, unsigned major, unsigned minor);

#endif
