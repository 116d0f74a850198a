/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * credentials.h - the user and the groups of a process: credentials(7). The threads of a process
 * share them. Only root may become another user. Modes of files refuse nothing.
 */
#ifndef LINUX_PROGRAM_CREDENTIALS_H
#define LINUX_PROGRAM_CREDENTIALS_H

#include <stdint.h>

/* With this number of groups a process fits into one page. */
#define CREDENTIALS_GROUPS_MOST 8

struct credential_ids {
	uint32_t real, effective, saved, file;
};

struct credentials {
	struct credential_ids user, group;
	unsigned ngroups;
	uint32_t groups[CREDENTIALS_GROUPS_MOST];
};

#endif
