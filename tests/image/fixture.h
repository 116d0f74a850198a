/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fixture.h - shared by tests of the machine: running a piece of user_code.h in ring 3, the timer,
 * and stores and loads that may fault. fixture_run() restores the runtime's handlers before it
 * returns.
 */
#ifndef TESTS_IMAGE_FIXTURE_H
#define TESTS_IMAGE_FIXTURE_H

#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Workloads never have this part of ring 3's memory. */
#define FIXTURE_CODE  RING3_TESTS
#define FIXTURE_STACK (RING3_TESTS + 0x100000) /* one page; nothing below it, FIXTURE_TOP above */
#define FIXTURE_TOP   (FIXTURE_STACK + 4096)

/*
 * fixture_run() - runs `piece` with `args`. Returns -ENOMEM without memory. With `on_fault` NULL a
 * fault ends the piece, and the result is FIXTURE_FAULT + vector. With `on_syscall` NULL the system
 * call EXIT ends it, and the result is its status.
 */
#define FIXTURE_FAULT 1000
long fixture_run(const uint8_t *piece, const uint64_t args[6], trap_handler *on_fault,
		 user_syscall *on_syscall);

/* fixture_with() - like fixture_run(), but calls `fn` while the code and the stack are mapped. */
long fixture_with(trap_handler *on_fault, user_syscall *on_syscall, long (*fn)(const void *arg),
		  const void *arg);

/* fixture_map(), fixture_unmap() - like space_map() and space_unmap(), in the space that this CPU
 * has entered. The memory belongs to the caller. */
int fixture_map(uint64_t va, void *memory, size_t pages, unsigned prot);
void fixture_unmap(uint64_t va, size_t pages);

/* fixture_code() - returns the address of `piece` in ring 3. */
uint64_t fixture_code(const uint8_t *piece);

/* fixture_fault() - returns the piece `name` of `user_faults`; panics if there is none. */
const uint8_t *fixture_fault(const char *name);

/* fixture_arm_timer() - makes the APIC timer interrupt by VECTOR_TIMER in `ns` nanoseconds, once.
 */
void fixture_arm_timer(uint64_t ns);

/* can_write() - returns whether a byte of ring 0 is writable, by writing its own value to it. */
bool can_write(uint64_t va);

/* rflags() - returns the current flags. */
uint64_t rflags(void);

#endif
