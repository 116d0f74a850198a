/* SPDX-License-Identifier: BSD-2-Clause */
/* files.h - what other system calls want of those on files. System call context. */
#ifndef RT_SYSCALL_FILES_H
#define RT_SYSCALL_FILES_H

#include "rt/mem/mm.h"

/* files_mapped() - mmap(2) of `fd` (-1: of no file): `request` gets what is mapped, with a reference.
 * -EBADF, -ENODEV, -EACCES, -ENOMEM. */
int files_mapped(int fd, struct mm_request *request);

/* For the time being: rings of events, whose memory is mapped by the event. */
struct trap_frame;
bool files_is_event(const struct trap_frame *mmap);
long files_map_event(struct trap_frame *mmap);
bool files_is_ring(uint64_t address);
long files_unmap_ring(uint64_t address);

#endif
