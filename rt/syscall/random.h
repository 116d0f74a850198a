/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h - random bytes for programs, which are the same in each run: --seed gives others. */
#ifndef RT_SYSCALL_RANDOM_H
#define RT_SYSCALL_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* random_start() - from the beginning. random_bytes() - the next `n`; any CPU, interrupts off. */
void random_start(uint64_t seed);
void random_bytes(void *to, size_t n);

#endif
