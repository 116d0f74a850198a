/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.h - interrupts, exceptions and NMIs: GDT, IDT, TSS, and who is called for which vector.
 *
 * Every entry makes the same frame and calls C with a pointer to it; handlers run with interrupts
 * off. Which vector runs on which stack, and why none can trample another, is argued in trap.c.
 *
 * Rules of use: trap_init() first of all in the runtime; handlers are registered in task context.
 * An IRQ handler ends with apic_eoi() by itself, before it calls user_leave().
 */
#ifndef ARCH_X86_TRAP_H
#define ARCH_X86_TRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Selectors, in the order that SYSCALL and SYSRET ask for (SDM vol. 2, "SYSRET"). */
#define SEL_KERNEL_CODE 0x08
#define SEL_KERNEL_DATA 0x10
#define SEL_USER_BASE   0x18 /* SYSRET: SS = base + 8, CS = base + 16 */
#define SEL_USER_DATA   0x20
#define SEL_USER_CODE   0x28
#define SEL_TSS         0x30 /* 16 bytes */
#define SEL_RPL_USER    3

/* Exceptions (SDM vol. 3, "Exception and Interrupt Vectors"). */
#define VEC_DE        0
#define VEC_DB        1
#define VEC_NMI       2
#define VEC_BP        3
#define VEC_UD        6
#define VEC_DF        8
#define VEC_GP        13
#define VEC_PF        14
#define VEC_MC        18
#define VEC_NEXCEPT   32   /* exceptions are below, interrupts from here on */
#define VEC_PIC       0x20 /* 16 vectors where the masked 8259s would deliver */
#define VEC_FREE      0x30 /* first and last vector free for trap_set_irq() */
#define VEC_FREE_LAST 0xfe
#define VEC_SPURIOUS  0xff

#define TRAP_NVECTORS 256

#define RFLAGS_RESERVED (1ull << 1)
#define RFLAGS_TF       (1ull << 8)
#define RFLAGS_IF       (1ull << 9)
#define RFLAGS_DF       (1ull << 10)
#define RFLAGS_NT       (1ull << 14)
#define RFLAGS_RF       (1ull << 16)
#define RFLAGS_AC       (1ull << 18)

/* Page fault error code (SDM vol. 3, "Page-Fault Exceptions"). */
#define PF_PRESENT (1u << 0)
#define PF_WRITE   (1u << 1)
#define PF_USER    (1u << 2)
#define PF_FETCH   (1u << 4)

/* The interrupted registers, lowest address first. Entry stubs push from the end to the beginning.
 */
struct trap_frame {
	/* C keeps these six: the NMI stub saves them for samplers and does not restore them. */
	uint64_t r15;    /*   0 */
	uint64_t r14;    /*   8 */
	uint64_t r13;    /*  16 */
	uint64_t r12;    /*  24 */
	uint64_t rbx;    /*  32 */
	uint64_t rbp;    /*  40 */
	uint64_t r11;    /*  48 */
	uint64_t r10;    /*  56 */
	uint64_t r9;     /*  64 */
	uint64_t r8;     /*  72 */
	uint64_t rax;    /*  80 */
	uint64_t rcx;    /*  88 */
	uint64_t rdx;    /*  96 */
	uint64_t rsi;    /* 104 */
	uint64_t rdi;    /* 112 */
	uint64_t vector; /* 120 */
	uint64_t error;  /* 128: 0 where the vector has none */
	uint64_t rip;    /* 136: from here on pushed by the CPU */
	uint64_t cs;     /* 144 */
	uint64_t rflags; /* 152 */
	uint64_t rsp;    /* 160 */
	uint64_t ss;     /* 168 */
};
_Static_assert(offsetof(struct trap_frame, rbp) == 40, "entry.S");
_Static_assert(offsetof(struct trap_frame, rdi) == 112, "entry.S");
_Static_assert(offsetof(struct trap_frame, rip) == 136, "entry.S");
_Static_assert(sizeof(struct trap_frame) == 176, "entry.S: keeps the stack 16-byte aligned");

static inline bool trap_from_user(const struct trap_frame *frame)
{
	return frame->cs & SEL_RPL_USER;
}

/*
 * trap_init() - own GDT, TSS, IDT and control registers CR0 and CR4 on this CPU, and the panic
 * handler. Interrupts stay off. Task context, once, before everything else that can fault.
 */
void trap_init(void);

/*
 * trap_set_irq() - `fn` gets interrupts of `vector` (VEC_FREE..VEC_FREE_LAST), NULL takes it back.
 * `fn` runs in IRQ context: on the interrupted stack (from ring 3: on the task's), interrupts off.
 */
typedef void trap_handler(struct trap_frame *frame);
void trap_set_irq(unsigned vector, trap_handler *fn);

/*
 * trap_set_nmi() - `fn` gets every NMI, in NMI context: own stack, neither user_leave() nor
 * anything that sleeps; the frame is read only but for rip and rflags. False: not ours; counted as
 * unknown.
 */
typedef bool trap_nmi_handler(struct trap_frame *frame);
void trap_set_nmi(trap_nmi_handler *fn);

/*
 * trap_set_user_fault() - `fn` gets the exceptions of ring 3, on the task's stack, interrupts off.
 * It may change the frame and return to ring 3, or call user_leave(). For VEC_PF,
 * trap_fault_address() is the address. Without one, an exception of ring 3 ends user_run() with
 * -EFAULT.
 */
void trap_set_user_fault(trap_handler *fn);

/* trap_fault_address() - CR2, as the page fault just reported to this handler left it. */
uint64_t trap_fault_address(void);

/* trap_name() - "#PF", "#GP", "NMI", "IRQ": never NULL. Any context. */
const char *trap_name(unsigned vector);

/* trap_new_vector() - a vector of VEC_FREE..VEC_FREE_LAST never given out before. Task context. */
unsigned trap_new_vector(void);

struct trap_counts {
	uint64_t irqs;       /* interrupts that a handler took */
	uint64_t stray_irqs; /* that nobody had asked for: acknowledged and forgotten */
	uint64_t nmis;       /* all of them */
	uint64_t unknown_nmis;
	uint64_t user_faults;
	uint64_t fixups; /* faults of ring 0 that the exception table expected */
};

/* trap_counts() - since trap_init(). Any context. */
const struct trap_counts *trap_counts(void);

#endif
