// SPDX-License-Identifier: BSD-2-Clause
/* offline.c - see offline.h. */
#include "tools/options/offline.h"

#include <errno.h>

#include "tools/options/option_scan.h"

static int store_scanned(void *ctx, const struct scanned *option, struct reason *why)
{
	return option_store(ctx, 1, option->id, option->value, why);
}

int offline_options_read(enum option_taker taker, const struct option_targets *targets,
			 const char **words, struct reason *why)
{
	bool ended;
	int err;

	options_defaults(taker, targets, 1);
	err = scan_options(taker, true, words, &ended, store_scanned, (void *)targets, why);
	if (!err && *words)
		err = refuse(why, EINVAL, "takes no operand: '%s'", *words);
	return err;
}
