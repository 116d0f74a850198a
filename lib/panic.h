/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * panic.h - the end of the road, for our own bugs only: bad input, missing hardware and faults of
 * workloads have errors of their own.
 *
 * What a panic prints, and how the machine comes to rest, is a handler's business: nothing here
 * knows of serial lines. Without a handler (host tests, first instructions after boot) panic()
 * traps.
 */
#ifndef LIB_PANIC_H
#define LIB_PANIC_H

/*
 * panic() - formats the reason and hands it to the handler. Any context; callable again from within
 * the handler (the handler tells recursion by its own means).
 */
_Noreturn void panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * panic_set_handler() - panic() calls `fn`, which must not return; should it, the CPU traps.
 * Returns the handler so far, so that a test can put it back. Task context.
 */
typedef void panic_handler(const char *reason);
panic_handler *panic_set_handler(panic_handler *fn);

/* ASSERT() - a condition that only our own mistake can break; compiled in always. */
#define ASSERT(condition)                                                                 \
	do {                                                                              \
		if (__builtin_expect(!(condition), 0))                                    \
			panic("%s:%d: %s does not hold", __FILE__, __LINE__, #condition); \
	} while (0)

#endif
