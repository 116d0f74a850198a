/* SPDX-License-Identifier: BSD-2-Clause */
/* shim_print.h - rt/print/print.h for host tests: it keeps printed text for the tests. */
#ifndef TESTS_SHIM_SHIM_PRINT_H
#define TESTS_SHIM_SHIM_PRINT_H

/* shim_printed() - returns the text since the last call, terminated. It is valid until the next
 * print. */
const char *shim_printed(void);

#endif
