/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_page.h - pages of `doctor`. */
#ifndef TOOLS_PAGES_DOCTOR_PAGE_H
#define TOOLS_PAGES_DOCTOR_PAGE_H

#include "lib/reason.h"
#include "tools/doctor/doctor_said.h"
#include "tools/util/buf.h"

/*
 * doctor_host_page() - makes the page of the checks of a host: those of `list`. `title` is the
 * headline, and `typed` the command line.
 */
void doctor_host_page(struct buf *out, const struct said_list *list, const char *title,
		      const char *const *typed);

/*
 * doctor_machine_page() - makes the page of the checks of a machine's PMU from `n` bytes of
 * `doctor -j`. -EINVAL with the reason: they are something else.
 */
int doctor_machine_page(struct buf *out, const void *json, size_t n, const char *const *typed,
			struct reason *why);

#endif
