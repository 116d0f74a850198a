/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * legacy.h - 32-bit protected mode for guests in long mode: legacy_code.S switches there and back.
 * Call these functions in the world (world/guest_world.h).
 */
#ifndef TESTS_GUESTS_LEGACY_H
#define TESTS_GUESTS_LEGACY_H

/* struct guest_legacy */
#define LEGACY_RSP       0x00
#define LEGACY_CODE32    0x08
#define LEGACY_IDT_32    0x10
#define LEGACY_IDT_LONG  0x20
#define LEGACY_FAR_16    0x30
#define LEGACY_IDT_REAL  0x40
#define LEGACY_GDTR      0x50
#define LEGACY_PAGE      0x60
#define LEGACY_PAGED_CR3 0x68
#define LEGACY_PAGED_CR4 0x6c
#define LEGACY_KEPT      0x70
#define LEGACY_FLAGS     0x78
#define LEGACY_NOTES     0x80

#ifndef __ASSEMBLER__
#include <stdint.h>

#define LEGACY_NOTED 64

struct guest_legacy_table {
	uint16_t limit;
	uint32_t base;
} __attribute__((packed));

struct guest_legacy {
	uint64_t rsp;
	uint64_t code32;
	struct guest_legacy_table idt_32;
	uint8_t unused_1[10];
	uint8_t idt_long[16];
	uint32_t far_16;
	uint16_t far_16_cs, unused_2;
	uint64_t unused_3[5];
	uint64_t page;
	uint32_t paged_cr3, paged_cr4;
	uint32_t kept[2]; /* legacy_code.S's, monitor.S's */
	uint32_t flags, unused_4;
	uint32_t notes[LEGACY_NOTED];
};
_Static_assert(__builtin_offsetof(struct guest_legacy, far_16) == LEGACY_FAR_16, "layout");
_Static_assert(__builtin_offsetof(struct guest_legacy, page) == LEGACY_PAGE, "layout");
_Static_assert(__builtin_offsetof(struct guest_legacy, paged_cr3) == LEGACY_PAGED_CR3, "layout");
_Static_assert(__builtin_offsetof(struct guest_legacy, flags) == LEGACY_FLAGS, "layout");
_Static_assert(__builtin_offsetof(struct guest_legacy, notes) == LEGACY_NOTES, "layout");

/* A task state segment of 32 bits: SDM vol. 3, "Task-State Segment (TSS)". */
struct guest_legacy_task {
	uint32_t back, esp0, ss0, more[4], cr3, eip, eflags;
	uint32_t eax, ecx, edx, ebx, esp, ebp, esi, edi;
	uint32_t es, cs, ss, ds, fs, gs, ldt, trap;
} __attribute__((packed));
_Static_assert(sizeof(struct guest_legacy_task) == 104, "layout");

#define LEGACY_GATE      0x8e00u
#define LEGACY_GATE_USER 0xee00u
#define LEGACY_GATE_TASK 0x8500u

extern struct guest_legacy guest_legacy;

/*
 * guest_legacy_prepare() - 32-bit code at `code32` comes next, with `page`, one below 1 MiB, and no
 * gates but those of guest_legacy_gate(): `type` to `selector` and `to`.
 * guest_legacy_set_task(): the descriptor of `task`, free. guest_legacy_tell(): the first `n` notes
 * at `notes`, a line for four. guest_legacy_end_tasks(): the task register is the world's again.
 */
void guest_legacy_prepare(const void *code32, uint8_t *page);
void guest_legacy_gate(unsigned vector, uint32_t selector, const void *to, uint32_t type);
void guest_legacy_set_task(uint32_t selector, const struct guest_legacy_task *task);
void guest_legacy_tell(const char *what, const uint32_t *notes, unsigned n);
void guest_legacy_end_tasks(void);

/* legacy_code.S: calls its code32, in 32-bit protected mode without pages, with it in EBX. */
void guest_legacy_run(struct guest_legacy *legacy);
#endif

#endif
