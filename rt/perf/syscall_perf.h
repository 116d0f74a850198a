/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall_perf.h - what system calls do with the events of a process, which they name by handle: of
 * several threads one at a time. Results are those of the system call; a sentence that says why one
 * was refused stays with the process. System call context.
 */
#ifndef RT_PERF_SYSCALL_PERF_H
#define RT_PERF_SYSCALL_PERF_H

#include <stdint.h>

struct perf_open;

/* As perf_event_open(2), read(2), ioctl(2), close(2), mmap(2), munmap(2) and poll(2) have it; `attr` and
 * `buffer` are addresses of ring 3. */
long syscall_perf_open(uint64_t attr, const struct perf_open *args);
long syscall_perf_read(long handle, uint64_t buffer, uint64_t bytes);
long syscall_perf_ioctl(long handle, uint64_t request, uint64_t arg);
long syscall_perf_close(long handle);
long syscall_perf_mmap(long handle, uint64_t data_pages, uint64_t prot);
long syscall_perf_munmap(long handle);
long syscall_perf_poll(long handle, uint64_t ns);

#endif
