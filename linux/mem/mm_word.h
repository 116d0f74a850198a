/* SPDX-License-Identifier: BSD-2-Clause */
/* mm_word.h - what an address of a process means: the same for all that share the memory. */
#ifndef LINUX_MEM_MM_WORD_H
#define LINUX_MEM_MM_WORD_H

#include "linux/portable/futex_queue.h"
#include "linux/mem/mm.h"

/*
 * mm_word() - the key of the word at `address`. In an area that processes share: the file (or the
 * memory) and the offset in it, as futex(2) has it. Elsewhere, and everywhere where `private`: the
 * address space and the address. -EFAULT: no area has the address; it is not looked for where
 * `private`. Interrupts off; any CPU.
 */
int mm_word(struct mm *mm, uint64_t address, bool private, struct futex_key *key);

/* mm_mapped_at() - what the area at `address` shows, with a reference, and `*offset`: of the
 * address in it. NULL: nothing, or there is no area. Interrupts off; any CPU. */
struct mapped *mm_mapped_at(struct mm *mm, uint64_t address, uint64_t *offset);

#endif
