/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_options.h - the options of a guest of vpmu that is not the image. */
#ifndef TOOLS_OPTIONS_GUEST_OPTIONS_H
#define TOOLS_OPTIONS_GUEST_OPTIONS_H

/* Each member is NULL if its option is absent. */
struct guest_options {
	const char *initrd, *append, *share, *modules;
	const char *page; /* events page for a machine whose command line is only printed */
};

#endif
