/* SPDX-License-Identifier: BSD-2-Clause */
/* synth_path.h - names in the paths of the rows of synth.h, and values of their words. Only synth.c
 * and synth_path.c include it. */
#ifndef LINUX_TREE_SYNTH_PATH_H
#define LINUX_TREE_SYNTH_PATH_H

#include "linux/file/readdir.h"
#include "linux/tree/synth.h"

/* synth_prepare_paths() - to call before any other function here. */
void synth_prepare_paths(void);

/* synth_depth() - the number of parts in the path of the row. */
unsigned synth_depth(unsigned row);

/* synth_find() - the child of that name. 1: it exists; 0: it does not; -ENOMEM. */
int synth_find(const struct synth_node *dir, const char *name, unsigned length,
	       struct synth_node *child);

/* synth_next() - the next child behind `*cookie`, and its name. Returns as synth_find(). */
int synth_next(const struct synth_node *dir, uint64_t *cookie, struct synth_node *child,
	       struct text *name);

/* synth_path() - writes the path of a node, with the values of its words. */
void synth_path(const struct synth_node *node, struct text *path);

/* synth_number() - the number of the node's inode: the same at each lookup. */
uint64_t synth_number(const struct synth_node *node);

#endif
