/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware_calls.h - the runtime's interface to a firmware that lends the machine (mode=borrow).
 * Without one (mode=own) all of it fails with -ENODEV. Task context on the boot CPU, at the
 * prompt or between commands: nothing is measured meanwhile, and no timer is armed.
 */
#ifndef RT_FIRMWARE_FIRMWARE_CALLS_H
#define RT_FIRMWARE_FIRMWARE_CALLS_H

#include "include/perf0/firmware.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * firmware_keys() - waits for keys, for the serial line, or for `ms` milliseconds; `put` gets what
 * a terminal would have sent. Returns 1 where the line has something to be read, else 0, also when
 * nothing came at all, or -ENODEV.
 */
int firmware_keys(uint32_t ms, void (*put)(const char *bytes, size_t n));

/* firmware_list_lines() - serial lines that the firmware drives, up to FIRMWARE_LINES_MOST; returns
 * how many. firmware_write_line() - `n` bytes over line `i` of these; rt/firmware/firmware_lines.h.
 */
int firmware_list_lines(struct firmware_serial_place *places);
int firmware_write_line(uint32_t i, const char *bytes, size_t n);

/*
 * firmware_read() - up to `n` bytes of a file from `offset` on, into memory that page_alloc() gave,
 * or of the image; returns how many, and the file's size. firmware_write(): all that it has from
 * `offset` on becomes these bytes; offset 0 makes it. firmware_list() calls `entry` for each name
 * in a folder. All that was written is on the medium when they return. -ENOSPC, -EROFS, -ENODEV
 * (the medium is gone, too), -ENOENT, -EEXIST, -EIO and others, as boot/files.h has them.
 */
int64_t firmware_read(const char *path, uint64_t offset, void *bytes, size_t n, uint64_t *size);
int firmware_write(const char *path, uint64_t offset, const void *bytes, size_t n);
int firmware_make_folder(const char *path);
int firmware_remove(const char *path);
int firmware_list(const char *folder, void (*entry)(void *to, const char *name), void *to);

/*
 * firmware_halts_usb() - boot option usb=halt: from now on its USB controllers stand still while a
 * command runs; tells how many there are. firmware_quiet() - one begins, or has ended; a controller
 * that does not obey is told.
 */
void firmware_halts_usb(void);
void firmware_quiet(bool on);

/* firmware_wants_cpus() - are the other CPUs to go back to the firmware? firmware_returns_cpu()
 * - one is about to. Any context. */
bool firmware_wants_cpus(void);
void firmware_returns_cpu(void);

/* firmware_exit() - gives the machine with all CPUs back to the firmware. firmware_reset() -
 * restarts the machine, or switches it off. They return only on failure: -ENODEV, -EIO. */
int firmware_exit(void);
int firmware_reset(bool off);

#endif
