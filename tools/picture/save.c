// SPDX-License-Identifier: BSD-2-Clause
/* save.c - see save.h. */
#include "tools/picture/save.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/util/outfile.h"

static mode_t usual_mode(void)
{
	const mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int picture_save(const char *path, const struct buf *bytes, struct reason *why)
{
	struct buf copy = *bytes;
	struct outfile out;
	int err = outfile_begin(&out, path, why);

	if (err)
		return err;
	if (fchmod(out.file.fd, usual_mode()))
		err = refuse(why, errno, "%s: %s", path, strerror(errno));
	copy.file = &out.file;
	buf_settle(&copy, true);
	return outfile_end(&out, false, err, why);
}
