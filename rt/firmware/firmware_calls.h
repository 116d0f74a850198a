/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware_calls.h - the runtime's interface to a firmware that stays in the machine (mode=borrow).
 * Without one (mode=own) every call fails with -ENODEV. Task context on the boot CPU, at the prompt
 * or between commands: nothing is measured then, and no timer is armed.
 */
#ifndef RT_FIRMWARE_FIRMWARE_CALLS_H
#define RT_FIRMWARE_FIRMWARE_CALLS_H

#include "include/perf0/firmware.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * firmware_keys() - waits for keys, for input of the serial line, or for `ms` milliseconds. `put`
 * gets the bytes that a terminal would have sent for the keys. 1: the line has input; 0: it has
 * none; -ENODEV.
 */
int firmware_keys(uint32_t ms, void (*put)(const char *bytes, size_t n));

/* firmware_list_lines() - lists the serial lines that the firmware drives, at most
 * FIRMWARE_LINES_MOST, and returns their number. firmware_write_line() - writes `n` bytes to line
 * `i` of these (rt/firmware/firmware_lines.h). */
int firmware_list_lines(struct firmware_serial_place *places);
int firmware_write_line(uint32_t i, const char *bytes, size_t n);

/*
 * firmware_read() - reads up to `n` bytes of a file from `offset` on, into memory of page_alloc()
 * or of the image. Returns their number; `*size` is the size of the file. firmware_write() -
 * replaces everything from `offset` on by these bytes; offset 0 makes the file. firmware_list() -
 * calls `entry` for each name in a folder. Written data is on the medium when the functions return.
 * -ENOSPC, -EROFS, -ENODEV (also: the medium is gone), -ENOENT, -EEXIST, -EIO and others, as in
 * boot/files.h.
 */
int64_t firmware_read(const char *path, uint64_t offset, void *bytes, size_t n, uint64_t *size);
int firmware_write(const char *path, uint64_t offset, const void *bytes, size_t n);
int firmware_make_folder(const char *path);
int firmware_remove(const char *path);
int firmware_list(const char *folder, void (*entry)(void *to, const char *name), void *to);

/*
 * firmware_halts_usb() - boot option usb=halt: from now on the firmware's USB controllers halt
 * while a command runs; prints their number. firmware_quiet() - a command begins (`on`), or has
 * ended; reports a controller that does not obey.
 */
void firmware_halts_usb(void);
void firmware_quiet(bool on);

/* firmware_wants_cpus() - do the other CPUs have to return to the firmware? firmware_returns_cpu()
 * - a CPU is about to return. Any context. */
bool firmware_wants_cpus(void);
void firmware_returns_cpu(void);

/* firmware_exit() - gives the machine with all CPUs back to the firmware. firmware_reset() -
 * restarts the machine, or switches it off. They return only on failure: -ENODEV, -EIO. */
int firmware_exit(void);
int firmware_reset(bool off);

#endif
