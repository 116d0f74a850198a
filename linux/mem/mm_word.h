/* SPDX-License-Identifier: BSD-2-Clause */
/* mm_word.h - the identity of a word of memory: the same for all processes that share the
 * memory. */
#ifndef LINUX_MEM_MM_WORD_H
#define LINUX_MEM_MM_WORD_H

#include "linux/portable/futex_queue.h"
#include "linux/mem/mm.h"

/*
 * mm_word() - sets `key` for the word at `address`, as futex(2) does. In a shared area: the object,
 * and the offset in it. In a private area, or if `private`: the address space, and the address.
 * -EFAULT: no area has the address; that is not checked if `private`. Interrupts off; any CPU.
 */
int mm_word(struct mm *mm, uint64_t address, bool private, struct futex_key *key);

/* mm_mapped_at() - the object that the area at `address` maps, with a reference; `*offset` is that
 * of the address in it. NULL: no object, or no area. Interrupts off; any CPU. */
struct mapped *mm_mapped_at(struct mm *mm, uint64_t address, uint64_t *offset);

#endif
