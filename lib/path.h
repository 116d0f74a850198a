/* SPDX-License-Identifier: BSD-2-Clause */
/* path.h - paths as strings. Pure functions. */
#ifndef LIB_PATH_H
#define LIB_PATH_H

/*
 * path_name() - the last component of a path, as a pointer into it. A trailing slash belongs to the
 * component: "a/b/" gives "b/".
 */
static inline const char *path_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/' && path[1])
			name = path + 1;
	return name;
}

#endif
