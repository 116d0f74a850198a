/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pinned.h - keeps the system's libraries and their loader in a folder, so that programs use the
 * same ones on each host: FOLDER/BUILD-ID/SONAME. The folder has one library of a name.
 *
 * Files below /lib*, /usr/lib* are the system's. All others are the project's own, and stay.
 */
#ifndef TOOLS_PROGRAM_PINNED_H
#define TOOLS_PROGRAM_PINNED_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/program/pack_tree.h"

/*
 * pinned_apply() - replaces the system's libraries in `tree` by those of the same name in `folder`.
 * `adds`: a library that the folder lacks is copied into it; otherwise it is refused. -E with the
 * reason, also where a file of the folder is not of the build that its path names.
 */
int pinned_apply(struct tree *tree, const char *folder, bool adds, struct reason *why);

#endif
