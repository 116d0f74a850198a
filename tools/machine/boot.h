/* SPDX-License-Identifier: BSD-2-Clause */
/* boot.h - words of a command line to a machine that runs them. */
#ifndef TOOLS_MACHINE_BOOT_H
#define TOOLS_MACHINE_BOOT_H

#include "tools/options/options.h"
#include "tools/machine/session.h"

/*
 * boot_image() - boots the image, which runs `words` (terminated by NULL, event names of libpfm4
 * are encoded) as its command line. As session_run() otherwise.
 */
int boot_image(const struct options *options, const char **words, const struct session_files *files,
	       struct stream *stream);

#endif
