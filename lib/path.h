/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h - paths as texts. Pure. */
#ifndef LIB_PATH_H
#define LIB_PATH_H

/* path_name() - the last part of a path, within it: what is behind the last slash that something
 * follows. */
static inline const char *path_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/' && path[1])
			name = path + 1;
	return name;
}

#endif
