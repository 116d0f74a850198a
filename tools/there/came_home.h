/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * came_home.h - saves the results of a journey. Linux keeps them in memory until its next boot, as
 * a setup_data (include/perf0/there.h).
 */
#ifndef TOOLS_THERE_CAME_HOME_H
#define TOOLS_THERE_CAME_HOME_H

#include <limits.h>
#include <stdint.h>

#include "lib/reason.h"

#define CAME_HOME_FOLDER "/var/lib/perf0"
#define CAME_HOME_KEEP   10 /* folders that stay by default */

/*
 * came_home_save() - saves the results that this boot of Linux has in a new folder of `to`, whose
 * name is a number and the time, unless they were saved already. `folder` receives its path. `root`
 * is the folder of Linux's own files, "" but in tests. Returns 1: they are new; 0: `folder` has
 * them since an earlier call; -ENOENT: there are none; or -E with the reason.
 */
int came_home_save(const char *root, const char *to, char folder[PATH_MAX], struct reason *why);

/* came_home_trim() - removes the oldest folders of `to`, until `keep` are left. -E with the
 * reason. */
int came_home_trim(const char *to, uint32_t keep, struct reason *why);

#endif
