/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_code.h - the measured code, as the linker puts it beside the harness: parts that may be
 * empty, each from one symbol to another (tools/bench/assemble.c writes them). */
#ifndef BENCH_BENCH_CODE_H
#define BENCH_BENCH_CODE_H

#include <stdint.h>

#define CODE_SYMBOLS(part) extern const uint8_t code_##part[], code_##part##_end[]

CODE_SYMBOLS(code);
CODE_SYMBOLS(init);
CODE_SYMBOLS(late_init);
CODE_SYMBOLS(once);
CODE_SYMBOLS(sibling);

/* The name that results are printed under; terminated. */
extern const char code_name[];

#define CODE_PART(part) \
	((struct emit_bytes){code_##part, (size_t)(code_##part##_end - code_##part)})

#endif
