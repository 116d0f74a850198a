/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device.h - devices in /dev, and the standard files of a program. Task context.
 */
#ifndef LINUX_TREE_DEVICE_H
#define LINUX_TREE_DEVICE_H

#include "linux/file/file.h"

/* device_fill() - adds all devices to `dev`, the directory /dev. -ENOMEM. */
int device_fill(struct inode *dev);

/* device_output() - standard output (1) or standard error (2): a stream, no terminal. -ENOMEM. */
int device_output(unsigned which, struct file **out);

/* device_null() - /dev/null, for a program without standard input. */
int device_null(unsigned flags, struct file **out);

#endif
