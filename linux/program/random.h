/* SPDX-License-Identifier: BSD-2-Clause */
/* random.h - random bytes for programs. They are the same in each run; --seed selects others. */
#ifndef LINUX_PROGRAM_RANDOM_H
#define LINUX_PROGRAM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* random_start() - restarts the sequence. random_bytes() - gets its next `n` bytes; any CPU,
 * interrupts off. */
void random_start(uint64_t seed);
void random_bytes(void *to, size_t n);

/* random_auxiliary() - gets the bytes of AT_RANDOM, which are the same for each program of a
 * run. */
#define RANDOM_AUXILIARY 16
void random_auxiliary(uint8_t out[RANDOM_AUXILIARY]);

/* random_seed_added() - the number that is added to the seed of each run. random_set_seed_added() -
 * sets it to any number, from the next run on, and returns 0. Task context. */
uint64_t random_seed_added(void);
int random_set_seed_added(uint64_t added);

#endif
