/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.h - numbers that C and assembly share: selectors, vectors, RFLAGS, and where things stand
 * in struct trap_frame and in the TSS. Macros only; trap.h and trap.c assert that they are right.
 */
#ifndef ARCH_X86_VECTOR_H
#define ARCH_X86_VECTOR_H

/* Selectors, in the order that SYSCALL and SYSRET ask for (SDM vol. 2, "SYSRET"). */
#define SEL_KERNEL_CODE 0x08
#define SEL_KERNEL_DATA 0x10
#define SEL_USER_BASE   0x18 /* SYSRET: SS = base + 8, CS = base + 16 */
#define SEL_USER_DATA   0x20
#define SEL_USER_CODE   0x28
/* 16 bytes, beyond the end of any firmware's GDT: firmware that has no task register finds ours in
 * it (arch/x86/world/world.c), and some of it would give its own descriptor there to its other
 * CPUs. */
#define SEL_TSS      0xff0
#define SEL_RPL_USER 3

/* Exceptions (SDM vol. 3, "Exception and Interrupt Vectors"). */
#define VEC_DE        0
#define VEC_DB        1
#define VEC_NMI       2
#define VEC_BP        3
#define VEC_UD        6
#define VEC_DF        8
#define VEC_NP        11
#define VEC_SS        12
#define VEC_GP        13
#define VEC_PF        14
#define VEC_MF        16
#define VEC_AC        17
#define VEC_MC        18
#define VEC_XM        19
#define VEC_NEXCEPT   32   /* exceptions are below, interrupts from here on */
#define VEC_PIC       0x20 /* 16 vectors where the masked 8259s would deliver */
#define VEC_FREE      0x30 /* first and last vector free for trap_set_irq() */
#define VEC_FREE_LAST 0xfe
#define VEC_SPURIOUS  0xff

#define TRAP_NVECTORS 256

#define RFLAGS_RESERVED (1 << 1)
#define RFLAGS_TF       (1 << 8)
#define RFLAGS_IF       (1 << 9)
#define RFLAGS_DF       (1 << 10)
#define RFLAGS_NT       (1 << 14)
#define RFLAGS_RF       (1 << 16)
#define RFLAGS_AC       (1 << 18)

/* Page fault error code (SDM vol. 3, "Page-Fault Exceptions"). */
#define PF_PRESENT (1 << 0)
#define PF_WRITE   (1 << 1)
#define PF_USER    (1 << 2)
#define PF_FETCH   (1 << 4)

/* struct trap_frame (trap.h). */
#define FRAME_CLOBBERED 48 /* registers that a C function may change begin here */
#define FRAME_R10       56
#define FRAME_R9        64
#define FRAME_R8        72
#define FRAME_RAX       80
#define FRAME_RDX       96
#define FRAME_RSI       104
#define FRAME_RDI       112
#define FRAME_VECTOR    120
#define FRAME_RIP       136
#define FRAME_CS        144
#define FRAME_RFLAGS    152
#define FRAME_RSP       160
#define FRAME_SIZE      176

/* Brief system calls (user.h): numbers below the first may be, and what one returns that has to be
 * made the long way. */
#define USER_BRIEF_CALLS 512
#define USER_NOT_BRIEF   (-0x7fffffff)

/* The TSS (SDM vol. 3, "64-Bit Mode Task-State Segment"). */
#define TSS_RSP0 4

#endif
