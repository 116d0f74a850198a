/* SPDX-License-Identifier: BSD-2-Clause */
/* gate_page.h - writes the findings of a gate as a page (tools/picture/html_page.h). */
#ifndef TOOLS_PAGES_GATE_PAGE_H
#define TOOLS_PAGES_GATE_PAGE_H

#include "tools/gate/report.h"

/* gate_page() - adds the page to `out`. `typed` is the command line, NULL-terminated. */
void gate_page(struct buf *out, const struct gate_report *report, const char *const *typed);

#endif
