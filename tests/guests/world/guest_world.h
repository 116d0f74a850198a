/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_world.h - the guest's own world, in place of the firmware's: descriptor tables,
 * identity-mapped page tables that let ring 3 use all memory, handlers for expected exceptions,
 * interrupts off. Code in the world does not call the firmware.
 */
#ifndef TESTS_GUESTS_WORLD_GUEST_WORLD_H
#define TESTS_GUESTS_WORLD_GUEST_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Selectors, as SYSCALL, SYSRET, SYSENTER and SYSEXIT want them: ring 3's come behind ring 0's, the
 * 32-bit code first.
 */
#define WORLD_CODE      0x08
#define WORLD_DATA      0x10
#define WORLD_USER_32   0x18
#define WORLD_USER_DATA 0x20
#define WORLD_USER_CODE 0x28
#define WORLD_TASK      0x38 /* two entries */
#define WORLD_CODE_32   0x48
#define WORLD_CODE_16   0x50
#define WORLD_DATA_16   0x58
#define WORLD_TASK_A    0x60 /* for task state segments of a guest's own */
#define WORLD_TASK_B    0x68
#define WORLD_SELECTORS 14

struct world_trap {
	uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t vector, error;
	uint64_t rip, cs, rflags, rsp, ss;
};

/*
 * world_run() - calls `section` in the world, then `behind`. Returns false where an unexpected
 * exception ended one of them. INSN_EXTABLE marks expected ones. The program defines
 * world_unexpected(), which gets the others.
 */
bool world_run(void (*section)(void), void (*behind)(void));
void world_unexpected(const struct world_trap *trap);

/* world_in_ring3() - calls `code` with `argument` in ring 3. Returns the vector of the exception
 * that ended it, or WORLD_RETURNED where it returned. */
#define WORLD_RETURNED 256
unsigned world_in_ring3(void (*code)(uint64_t argument), uint64_t argument);

/*
 * NMIs, and interrupts by this vector, are counted, and told to a function unless that is NULL. Of
 * other vectors world_on_trap is asked first: true, it has dealt with it.
 */
#define WORLD_VECTOR 0xf1
extern volatile unsigned world_interrupts, world_nmis;
extern volatile uint64_t world_interrupted_at; /* RIP of the last one */
extern void (*volatile world_on_interrupt)(void);
extern bool (*volatile world_on_trap)(struct world_trap *trap);

/* The vector of the last exception that was expected, and its error code. */
extern volatile unsigned world_vector;
extern volatile uint64_t world_error;

extern uint64_t world_gdt[WORLD_SELECTORS];
extern uint64_t world_idt[256][2];

/* The local APIC's registers, in either mode. */
uint32_t world_apic_read(uint32_t offset);
void world_apic_write(uint32_t offset, uint32_t value);

#endif
