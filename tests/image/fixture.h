/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fixture.h - shared by tests of the machine: a place in ring 3 to run a piece of user_code.h, the
 * timer, and stores and loads that may fault. Handlers of the runtime are put back when
 * fixture_run() returns.
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
 * fixture_run() - runs `piece` with `args`; `on_fault` and `on_syscall` may be NULL: then a fault
 * ends it with FIXTURE_FAULT + vector, and the system call EXIT with its status. -ENOMEM without
 * memory.
 */
#define FIXTURE_FAULT 1000
long fixture_run(const uint8_t *piece, const uint64_t args[6], trap_handler *on_fault,
		 user_syscall *on_syscall);

/* fixture_with() - as fixture_run(), but calls `fn` while the code and the stack are mapped. */
long fixture_with(trap_handler *on_fault, user_syscall *on_syscall, long (*fn)(const void *arg),
		  const void *arg);

/* fixture_map(), fixture_unmap() - as space_map() and space_unmap(), in whatever space this CPU has
 * entered; the memory is the caller's. */
int fixture_map(uint64_t va, void *memory, size_t pages, unsigned prot);
void fixture_unmap(uint64_t va, size_t pages);

/* fixture_code() - where ring 3 sees `piece`. */
uint64_t fixture_code(const uint8_t *piece);

/* fixture_fault() - the piece of `user_faults` called `name`; panics when there is none. */
const uint8_t *fixture_fault(const char *name);

/* fixture_arm_timer() - the APIC timer interrupts by VECTOR_TIMER in `ns` nanoseconds, once. */
void fixture_arm_timer(uint64_t ns);

/* can_write() - a byte of ring 0 can be written; it is given the value that it has. */
bool can_write(uint64_t va);

/* rflags() - as they are now. */
uint64_t rflags(void);

#endif
