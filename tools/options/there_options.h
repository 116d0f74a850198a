/* SPDX-License-Identifier: BSD-2-Clause */
/* there_options.h - the options of there-and-back. */
#ifndef TOOLS_OPTIONS_THERE_OPTIONS_H
#define TOOLS_OPTIONS_THERE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Each text is NULL if its option is absent. */
struct there_options {
	bool fast, quiet_dma;
	const char *kernel, *initrd, *append, *key;
	uint32_t timeout, keep;
};

#endif
