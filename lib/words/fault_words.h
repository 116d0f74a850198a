/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fault_words.h - parses `fault=...` of vpmu's options (include/perf0/faults.h). Portable, any
 * context.
 */
#ifndef LIB_WORDS_FAULT_WORDS_H
#define LIB_WORDS_FAULT_WORDS_H

#include "include/perf0/faults.h"
#include "lib/reason.h"

/*
 * faults_parse() - adds the faults of `text`, separated by commas. -EINVAL with the reason: an
 * unknown fault, a missing or impossible number, or too many faults.
 */
int faults_parse(const char *text, struct vpmu_faults *faults, struct reason *why);

#endif
