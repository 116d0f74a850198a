/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * msg.h - System V message queues.
 *
 * System call context. Errors are those of msgget(2), msgop(2), msgctl(2).
 */
#ifndef LINUX_IPC_MSG_H
#define LINUX_IPC_MSG_H

#include <stddef.h>
#include <stdint.h>

long msg_get(int32_t key, int flags);

/* msg_send(), msg_receive() - `user` is ring 3's struct msgbuf: 8 bytes of type, and up to `bytes`
 * of text. */
long msg_send(int id, uint64_t user, size_t bytes, int flags);
long msg_receive(int id, uint64_t user, size_t bytes, int64_t type, int flags);

/* msg_control() - msgctl(2); `user` is ring 3's buffer. */
long msg_control(int id, int command, uint64_t user);

/* msg_forget() - all queues are removed. */
void msg_forget(void);

#endif
