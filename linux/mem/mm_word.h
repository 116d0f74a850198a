/* SPDX-License-Identifier: BSD-2-Clause */
/* mm_word.h - the identity of a word at an address: the same for all that share the memory. */
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

/* mm_mapped_at() - the object that the area at `address` maps, with a reference, and the
 * `*offset` of the address in it. NULL: no object, or no area. Interrupts off; any CPU. */
struct mapped *mm_mapped_at(struct mm *mm, uint64_t address, uint64_t *offset);

#endif
