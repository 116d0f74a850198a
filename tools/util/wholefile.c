// SPDX-License-Identifier: BSD-2-Clause
/* wholefile.c - see wholefile.h. */
#include "tools/util/wholefile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int whole_file_read(struct buf *to, const char *path, size_t most, struct reason *why)
{
	FILE *file = fopen(path, "rbe");
	char bytes[1 << 16];
	size_t n;
	int err;

	if (!file)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	errno = 0;
	while (to->size <= most && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(to, bytes, n);
	err = !ferror(file) ? 0 : errno ? errno : EIO;
	fclose(file);
	return err ? refuse(why, err, "%s: %s", path, strerror(err)) : 0;
}

int text_file_read(struct buf *out, const char *path, struct reason *why)
{
	const int err = whole_file_read(out, path, TEXT_FILE_MOST, why);

	if (!err && out->size > TEXT_FILE_MOST)
		return refuse(why, EFBIG, "%s: over %u MiB", path, TEXT_FILE_MOST >> 20);
	return err;
}
