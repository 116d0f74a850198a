/* SPDX-License-Identifier: BSD-2-Clause */
/* vmcb.h - the virtual machine control block: the guest's state, and the intercepts. Layout and
 * names: APM vol. 2, "Appendix B: VMCB Layout" and "Appendix C: SVM Intercept Exit Codes". */
#ifndef VPMU_SVM_VCPU_VMCB_H
#define VPMU_SVM_VCPU_VMCB_H

#include <stddef.h>
#include <stdint.h>

struct vmcb_segment {
	uint16_t selector;
	uint16_t attributes; /* bits 47:40 and 55:52 of a descriptor */
	uint32_t limit;      /* bytes, granularity applied */
	uint64_t base;
};

struct vmcb {
	/* Control area. */
	uint32_t intercept_cr;         /* 000 */
	uint32_t intercept_dr;         /* 004 */
	uint32_t intercept_exceptions; /* 008: bit n = vector n */
	uint32_t intercept_misc1;      /* 00c */
	uint32_t intercept_misc2;      /* 010 */
	uint8_t reserved_014[0x40 - 0x14];
	uint64_t iopm_base;  /* 040 */
	uint64_t msrpm_base; /* 048 */
	uint64_t tsc_offset; /* 050 */
	uint32_t asid;       /* 058 */
	uint32_t tlb_control;
	uint32_t int_ctl;       /* 060: V_TPR, V_IRQ, V_INTR_MASKING, ... */
	uint32_t int_vector;    /* 064: vector of V_IRQ */
	uint64_t int_state;     /* 068: bit 0 = interrupt shadow */
	uint64_t exit_code;     /* 070 */
	uint64_t exit_info1;    /* 078 */
	uint64_t exit_info2;    /* 080 */
	uint64_t exit_int_info; /* 088: the event whose delivery was interrupted */
	uint64_t np_enable;     /* 090 */
	uint8_t reserved_098[0xa8 - 0x98];
	uint64_t event_inj;  /* 0a8 */
	uint64_t nested_cr3; /* 0b0 */
	uint8_t reserved_0b8[0x400 - 0xb8];

	/* State save area. */
	struct vmcb_segment es, cs, ss, ds;               /* 400, 410, 420, 430 */
	struct vmcb_segment fs, gs, gdtr, ldtr, idtr, tr; /* 440 ... 490 */
	uint8_t reserved_4a0[0x4cb - 0x4a0];
	uint8_t cpl; /* 4cb */
	uint32_t reserved_4cc;
	uint64_t efer; /* 4d0 */
	uint8_t reserved_4d8[0x548 - 0x4d8];
	uint64_t cr4, cr3, cr0, dr7, dr6; /* 548 ... 568 */
	uint64_t rflags, rip;             /* 570, 578 */
	uint8_t reserved_580[0x5d8 - 0x580];
	uint64_t rsp; /* 5d8 */
	uint8_t reserved_5e0[0x5f8 - 0x5e0];
	uint64_t rax; /* 5f8 */
	uint8_t reserved_600[0x640 - 0x600];
	uint64_t cr2; /* 640 */
	uint8_t reserved_648[0x668 - 0x648];
	uint64_t g_pat; /* 668 */
	uint8_t reserved_670[0x1000 - 0x670];
};

_Static_assert(sizeof(struct vmcb) == 0x1000, "a page");
_Static_assert(offsetof(struct vmcb, exit_code) == 0x070, "layout");
_Static_assert(offsetof(struct vmcb, event_inj) == 0x0a8, "layout");
_Static_assert(offsetof(struct vmcb, nested_cr3) == 0x0b0, "layout");
_Static_assert(offsetof(struct vmcb, idtr) == 0x480, "layout");
_Static_assert(offsetof(struct vmcb, cpl) == 0x4cb, "layout");
_Static_assert(offsetof(struct vmcb, efer) == 0x4d0, "layout");
_Static_assert(offsetof(struct vmcb, cr4) == 0x548, "layout");
_Static_assert(offsetof(struct vmcb, rflags) == 0x570, "layout");
_Static_assert(offsetof(struct vmcb, g_pat) == 0x668, "layout");

#define SEGMENT_LONG (1u << 9)  /* attributes: 64-bit code */
#define SEGMENT_32   (1u << 10) /* 32-bit code, unless SEGMENT_LONG */

#define TLB_FLUSH_ALL 1u /* tlb_control */

/* Bits of intercept_cr. */
#define INTERCEPT_CR3_WRITE (1u << 19)
#define INTERCEPT_CR4_WRITE (1u << 20)

/* Bits of intercept_dr: DR6, and DR4, its alias. */
#define INTERCEPT_DR6 (1u << 4 | 1u << 6 | 1u << 20 | 1u << 22)

/* Bits of intercept_misc1. */
#define INTERCEPT_INTR     (1u << 0)
#define INTERCEPT_NMI      (1u << 1)
#define INTERCEPT_CR0_SEL  (1u << 5) /* writes that change bits beside TS and MP */
#define INTERCEPT_RDTSC    (1u << 14)
#define INTERCEPT_RDPMC    (1u << 15)
#define INTERCEPT_CPUID    (1u << 18)
#define INTERCEPT_IRET     (1u << 20)
#define INTERCEPT_INTN     (1u << 21)
#define INTERCEPT_HLT      (1u << 24)
#define INTERCEPT_INVLPGA  (1u << 26)
#define INTERCEPT_IOIO     (1u << 27)
#define INTERCEPT_MSR      (1u << 28)
#define INTERCEPT_SHUTDOWN (1u << 31)

/* Bits of intercept_misc2. */
#define INTERCEPT_VMRUN   (1u << 0)
#define INTERCEPT_VMMCALL (1u << 1)
#define INTERCEPT_VMLOAD  (1u << 2)
#define INTERCEPT_VMSAVE  (1u << 3)
#define INTERCEPT_STGI    (1u << 4)
#define INTERCEPT_CLGI    (1u << 5)
#define INTERCEPT_SKINIT  (1u << 6)
#define INTERCEPT_RDTSCP  (1u << 7)
#define INTERCEPT_MONITOR (1u << 10)
#define INTERCEPT_MWAIT   (1u << 11)

#define INT_CTL_V_TPR          0xfu
#define INT_CTL_V_IRQ          (1u << 8)
#define INT_CTL_V_IGN_TPR      (1u << 20)
#define INT_CTL_V_INTR_MASKING (1u << 24)
#define INT_STATE_SHADOW       (1ull << 0)

/* event_inj and exit_int_info: vector in bits 7:0, error code in bits 63:32. */
#define EVENT_VECTOR      0xffull
#define EVENT_TYPE        (7ull << 8)
#define EVENT_INTERRUPT   (0ull << 8)
#define EVENT_NMI         (2ull << 8)
#define EVENT_EXCEPTION   (3ull << 8)
#define EVENT_SOFTWARE    (4ull << 8)
#define EVENT_HAS_ERROR   (1ull << 11)
#define EVENT_VALID       (1ull << 31)
#define EVENT_ERROR_SHIFT 32

enum vmexit {
	VMEXIT_CR3_WRITE = 0x13,
	VMEXIT_CR4_WRITE = 0x14,
	VMEXIT_DR4_READ = 0x24,
	VMEXIT_DR6_READ = 0x26,
	VMEXIT_DR4_WRITE = 0x34,
	VMEXIT_DR6_WRITE = 0x36,
	VMEXIT_EXCEPTION = 0x40, /* + vector */
	VMEXIT_UD = 0x46,
	VMEXIT_EXCEPTION_LAST = 0x5f,
	VMEXIT_INTR = 0x60,
	VMEXIT_NMI = 0x61,
	VMEXIT_CR0_SEL = 0x65,
	VMEXIT_RDTSC = 0x6e, /* QEMU's RDTSCP, too */
	VMEXIT_RDPMC = 0x6f,
	VMEXIT_CPUID = 0x72,
	VMEXIT_IRET = 0x74,
	VMEXIT_INTN = 0x75,
	VMEXIT_HLT = 0x78,
	VMEXIT_INVLPGA = 0x7a,
	VMEXIT_IOIO = 0x7b, /* exit_info1: the access; exit_info2: the next instruction */
	VMEXIT_MSR = 0x7c,  /* exit_info1: 0 read, 1 write */
	VMEXIT_SHUTDOWN = 0x7f,
	VMEXIT_VMRUN = 0x80,
	VMEXIT_VMMCALL = 0x81,
	VMEXIT_VMLOAD = 0x82,
	VMEXIT_VMSAVE = 0x83,
	VMEXIT_STGI = 0x84,
	VMEXIT_CLGI = 0x85,
	VMEXIT_SKINIT = 0x86,
	VMEXIT_RDTSCP = 0x87,
	VMEXIT_MONITOR = 0x8a,
	VMEXIT_MWAIT = 0x8b,
	VMEXIT_COUNT = 0x8c,
	VMEXIT_NPF = 0x400, /* exit_info1: the reason; exit_info2: the physical address */
};

#endif
