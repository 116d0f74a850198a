/* SPDX-License-Identifier: BSD-2-Clause */
/* shim_print.h - rt/print/print.h for host tests: what was printed is kept, to be looked at. */
#ifndef TESTS_SHIM_SHIM_PRINT_H
#define TESTS_SHIM_SHIM_PRINT_H

/* shim_printed() - everything since the last call, terminated; valid until the next print. */
const char *shim_printed(void);

#endif
