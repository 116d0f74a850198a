// SPDX-License-Identifier: BSD-2-Clause
/* artifact.c - see artifact.h. */
#include "tools/util/artifact.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int artifact_folder(char *folder, struct reason *why)
{
	ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);

	if (n < 0)
		return refuse(why, errno, "/proc/self/exe: %s", strerror(errno));
	folder[n] = '\0';
	strrchr(folder, '/')[1] = '\0';
	return 0;
}

/* Folders of the files, relative to the program's folder: in a build, and in an installation. */
static const char *const places[] = {"", "../lib/perf0/"};

int artifact_path(char *path, size_t size, const char *name, struct reason *why)
{
	char folder[PATH_MAX];
	int err = artifact_folder(folder, why);

	if (err)
		return err;
	for (size_t i = sizeof(places) / sizeof(places[0]); i--;) {
		if ((size_t)snprintf(path, size, "%s%s%s", folder, places[i], name) >= size)
			return refuse(why, ENAMETOOLONG, "%s%s: path too long", folder, name);
		if (!access(path, R_OK))
			return 0;
	}
	return refuse(why, errno, "%s: %s: `make` builds it", path, strerror(errno));
}
