/* SPDX-License-Identifier: BSD-2-Clause */
/* there_checks.h - what a machine has to allow before Linux can be left by kexec. */
#ifndef TOOLS_THERE_THERE_CHECKS_H
#define TOOLS_THERE_THERE_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/reason.h"

/*
 * there_check_machine() - checks that this Linux can be left: rights, kexec, lockdown, guests that
 * cannot do it. `root` is the folder of its files, "" but in tests. `has_key`: the image will be
 * signed. -E with the reason, which names the way out.
 */
int there_check_machine(const char *root, bool has_key, struct reason *why);

/* there_check_root() - checks that the user is root. */
int there_check_root(struct reason *why);

/*
 * there_check_memory() - checks that the machine's memory has room for `bytes` beside what
 * perf0 itself needs.
 */
int there_check_memory(const char *root, uint64_t bytes, struct reason *why);

/*
 * there_lock() - takes the lock of a journey, which ends with this program. -EBUSY with the reason:
 * another one is about to leave.
 */
int there_lock(const char *path, struct reason *why);
#define THERE_LOCK "/run/perf0-there-and-back.lock"

#endif
