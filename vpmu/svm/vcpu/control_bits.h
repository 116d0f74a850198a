/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * control_bits.h - bits of RFLAGS and of the debug registers, the bits of CR0 and CR4 that msr.h
 * lacks, and the vectors of exceptions. SDM vol. 3, "Control Registers", "Debug Registers",
 * "Exception and Interrupt Vectors".
 */
#ifndef VPMU_SVM_VCPU_CONTROL_BITS_H
#define VPMU_SVM_VCPU_CONTROL_BITS_H

#include "arch/x86/msr.h"

#define RFLAGS_FIXED 0x2ull
#define RFLAGS_TF    (1ull << 8)
#define RFLAGS_IF    (1ull << 9)
#define RFLAGS_NT    (1ull << 14)
#define RFLAGS_RF    (1ull << 16)

#define CR0_EM      (1ull << 2)
#define CR0_TS      (1ull << 3)
#define CR0_NW      (1ull << 29)
#define CR0_AT_INIT 0x60000010ull /* CD, NW, ET */
#define CR4_DE      (1ull << 3)
#define CR4_PSE     (1ull << 4)
#define CR4_PGE     (1ull << 7)
#define CR4_PCIDE   (1ull << 17)
#define CR4_PKE     (1ull << 22)

#define DR6_BS      (1ull << 14)
#define DR6_AT_INIT 0xffff0ff0ull /* the bits that always read as 1 */
#define DR7_AT_INIT 0x400ull

enum vpmu_vector {
	VECTOR_DE,
	VECTOR_DB,
	VECTOR_NMI,
	VECTOR_BP,
	VECTOR_OF,
	VECTOR_UD = 6,
	VECTOR_NM,
	VECTOR_DF,
	VECTOR_TS = 10,
	VECTOR_NP,
	VECTOR_SS,
	VECTOR_GP,
	VECTOR_PF,
	VECTOR_MF = 16,
	VECTOR_AC,
	VECTOR_XM = 19,
};

#endif
