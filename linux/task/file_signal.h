/* SPDX-License-Identifier: BSD-2-Clause */
/* file_signal.h - signals that a file sends its owner: O_ASYNC, F_SETOWN and F_SETSIG of fcntl(2).
 */
#ifndef LINUX_TASK_FILE_SIGNAL_H
#define LINUX_TASK_FILE_SIGNAL_H

struct file;

/* file_signal() - sends the signal of `f` to its owner. `code` is POLL_IN, POLL_HUP and so on of
 * sigaction(2). Any context but NMI, without the lock of the tree of tasks. */
void file_signal(const struct file *f, int code);

#endif
