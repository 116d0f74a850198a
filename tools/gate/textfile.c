// SPDX-License-Identifier: BSD-2-Clause
/* textfile.c - see textfile.h. */
#include "tools/gate/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int text_file_read(struct buf *out, const char *path, struct reason *why)
{
	FILE *file = fopen(path, "rbe");
	char bytes[BUFSIZ];
	size_t n;
	int err = 0;

	if (!file)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	errno = 0;
	while (out->size <= TEXT_FILE_MOST && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		buf_add(out, bytes, n);
	if (ferror(file))
		err = refuse(why, errno ? errno : EIO, "%s: %s", path,
			     strerror(errno ? errno : EIO));
	else if (out->size > TEXT_FILE_MOST)
		err = refuse(why, EFBIG, "%s: over %u MiB", path, TEXT_FILE_MOST >> 20);
	fclose(file);
	return err;
}
