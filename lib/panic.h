/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * panic.h - stops the machine, for perf0's own bugs only. Bad input, missing hardware and faults of
 * workloads have errors of their own.
 *
 * A handler prints the reason and halts the machine: this file knows no serial line. Without a
 * handler (host tests, first instructions after boot) panic() traps.
 */
#ifndef LIB_PANIC_H
#define LIB_PANIC_H

/*
 * panic() - formats the reason and passes it to the handler. Any context. The handler may call it
 * again, and detects recursion itself.
 */
_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * panic_set_handler() - makes panic() call `fn`, which must not return; if it does, the CPU traps.
 * Returns the previous handler, so that a test can restore it. Task context.
 */
typedef void panic_handler(const char *reason);
panic_handler *panic_set_handler(panic_handler *fn);

/* ASSERT() - checks a condition that only a bug of perf0 can break; always compiled in. */
#define ASSERT(condition)                                                                 \
	do {                                                                              \
		if (__builtin_expect(!(condition), 0))                                    \
			panic("%s:%d: %s does not hold", __FILE__, __LINE__, #condition); \
	} while (0)

#endif
