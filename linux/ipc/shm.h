/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shm.h - System V shared memory: a file without a name, which areas of memory map. Each area
 * holds a reference to the segment, so the references count its attachments. Task context,
 * interrupts off. Errors are those of shmget(2), shmop(2), shmctl(2).
 */
#ifndef LINUX_IPC_SHM_H
#define LINUX_IPC_SHM_H

#include <stddef.h>
#include <stdint.h>

struct mm;

long shm_get(int32_t key, size_t bytes, int flags, uint32_t pid);

/* shm_attach() - the address in `mm`, or -errno. shm_detach() - of the segment that begins at
 * `address`. */
long shm_attach(struct mm *mm, int id, uint64_t address, int flags, uint32_t pid);
long shm_detach(struct mm *mm, uint64_t address, uint32_t pid);

/* shm_control() - shmctl(2); `user` is ring 3's buffer. */
long shm_control(int id, int command, uint64_t user);

/* shm_forget() - all segments are removed. */
void shm_forget(void);

#endif
