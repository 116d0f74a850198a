// SPDX-License-Identifier: BSD-2-Clause
/* state_path.c - see state_path.h. */
#include "tools/saved/state_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/util/outfile.h"

/* The specification requires to ignore relative paths. */
int state_path(char path[PATH_MAX], const char *name, struct reason *why)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n;

	if (state && *state == '/')
		n = snprintf(path, PATH_MAX, "%s/perf0/%s", state, name);
	else if (home && *home == '/')
		n = snprintf(path, PATH_MAX, "%s/.local/state/perf0/%s", home, name);
	else
		return refuse(why, ENOENT, "neither XDG_STATE_HOME nor HOME says where it is");
	if (n >= PATH_MAX)
		return refuse(why, ENAMETOOLONG, "the path of the file '%s' is too long", name);
	return outfile_make_way(path, 0, 0700, why);
}
