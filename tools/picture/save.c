// SPDX-License-Identifier: BSD-2-Clause
/* save.c - see save.h. */
#include "tools/picture/save.h"

#include "tools/util/outfile.h"

int picture_save(const char *path, const struct buf *bytes, struct reason *why)
{
	return outfile_replace(path, bytes, false, why);
}
