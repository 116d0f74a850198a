/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.h - lists whose members are taken out without a walk: each knows its next one, and the
 * pointer that points to it. `first` is the list, `next` and `link` are names of members.
 */
#ifndef LIB_LIST_H
#define LIB_LIST_H

/* LIST_ADD() - as the first. LIST_DROP() - it is in the list no more. */
#define LIST_ADD(first, new, next, link)              \
	do {                                          \
		(new)->next = (first);                \
		(new)->link = &(first);               \
		if ((first))                          \
			(first)->link = &(new)->next; \
		(first) = (new);                      \
	} while (0)

#define LIST_DROP(old, next, link)                       \
	do {                                             \
		*(old)->link = (old)->next;              \
		if ((old)->next)                         \
			(old)->next->link = (old)->link; \
	} while (0)

#endif
