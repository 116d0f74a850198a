/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.h - lists from which a member is removed without a walk. Each member knows the next one and
 * the pointer that points to itself. `first` is the list; `next` and `link` are the names of
 * members.
 */
#ifndef LIB_LIST_H
#define LIB_LIST_H

/*
 * LIST_ADD() - adds a member at the front.
 * LIST_DROP() - removes a member.
 */
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
