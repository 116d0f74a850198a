// SPDX-License-Identifier: BSD-2-Clause
/* textfile.c - see textfile.h. */
#include "tools/gate/textfile.h"

#include <errno.h>

#include "tools/util/wholefile.h"

int text_file_read(struct buf *out, const char *path, struct reason *why)
{
	const int err = whole_file_read(out, path, TEXT_FILE_MOST, why);

	if (!err && out->size > TEXT_FILE_MOST)
		return refuse(why, EFBIG, "%s: over %u MiB", path, TEXT_FILE_MOST >> 20);
	return err;
}
