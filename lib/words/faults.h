/* SPDX-License-Identifier: BSD-2-Clause */
/* faults.h - reads `fault=...` of vpmu's options (include/perf0/faults.h). Portable, any context.
 */
#ifndef LIB_WORDS_FAULTS_H
#define LIB_WORDS_FAULTS_H

#include "include/perf0/faults.h"
#include "lib/reason.h"

/*
 * faults_parse() - adds what `text`, faults separated by commas, says. -EINVAL with the reason: a
 * fault that there is not, a number that is missing or cannot be, or too many of them.
 */
int faults_parse(const char *text, struct vpmu_faults *faults, struct reason *why);

#endif
