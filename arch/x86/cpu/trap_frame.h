/* SPDX-License-Identifier: BSD-2-Clause */
/* trap_frame.h - the registers of interrupted code, as every entry pushes them onto the stack. */
#ifndef ARCH_X86_CPU_TRAP_FRAME_H
#define ARCH_X86_CPU_TRAP_FRAME_H

#include <stdint.h>

/* The interrupted registers, lowest address first. Entry stubs push from the end to the beginning.
 */
struct trap_frame {
	/* C keeps these six: NMIs and IRQs save them for samplers and do not restore them. */
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
	uint64_t error;  /* 128: 0 if the vector has no error code */
	uint64_t rip;    /* 136: this and the following are pushed by the CPU */
	uint64_t cs;     /* 144 */
	uint64_t rflags; /* 152 */
	uint64_t rsp;    /* 160 */
	uint64_t ss;     /* 168 */
};

#endif
