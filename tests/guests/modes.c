// SPDX-License-Identifier: BSD-2-Clause
/*
 * modes.c - out of long mode and back: 32-bit protected mode, without pages and with them, hardware
 * task switches, real mode, with interrupts and faults in each. SDM vol. 3, "Task Management",
 * "Mode Switching".
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "lib/string.h"
#include "tests/guests/legacy.h"
#include "tests/guests/world/guest_world.h"

#define IVT_AT      0x400 /* in the page */
#define REAL_NOTES  0x800
#define STACK_BYTES 1024
#define VECTOR_DB   1
#define VECTOR_BP   3
#define VECTOR_UD   6
#define VECTOR_PF   14

/* legacy_code.S */
void guest_legacy_tasks(void), guest_legacy_task_b(void);
void guest_legacy_interrupts(void), guest_legacy_on_int(void), guest_legacy_on_ud(void);
void guest_legacy_paged(void), guest_legacy_on_page_fault(void), guest_legacy_on_debug(void);
void guest_legacy_real(void), guest_legacy_back(void);
extern const uint8_t guest_legacy_page[], guest_legacy_page_end[];
extern const uint8_t guest_legacy_real_idtr[], guest_legacy_world_gdtr[], guest_legacy_far_back[];
extern const uint8_t guest_legacy_on_real_int[], guest_legacy_on_real_ud[];

static struct guest_legacy_task task_a, task_b;
static uint8_t stack_b[STACK_BYTES] __attribute__((aligned(16)));
static uint8_t *page;

static void prepare(const void *code32)
{
	guest_legacy_prepare(code32, page);
	guest_legacy_gate(VECTOR_BP, WORLD_CODE_32, guest_legacy_on_int, LEGACY_GATE);
	guest_legacy_gate(0x31, WORLD_CODE_32, guest_legacy_on_int, LEGACY_GATE);
	guest_legacy_gate(VECTOR_UD, WORLD_CODE_32, guest_legacy_on_ud, LEGACY_GATE);
	guest_legacy_gate(0x30, WORLD_TASK_B, NULL, LEGACY_GATE_TASK);
}

static void switch_tasks(void)
{
	const uint32_t data = WORLD_DATA;

	prepare(guest_legacy_tasks);
	memset(&task_a, 0, sizeof(task_a));
	memset(&task_b, 0, sizeof(task_b));
	task_b.eip = (uint32_t)(uint64_t)guest_legacy_task_b;
	task_b.eflags = 2;
	task_b.eax = 0x44444444;
	task_b.ecx = 0x55555555;
	task_b.ebx = (uint32_t)(uint64_t)&guest_legacy;
	task_b.esp = (uint32_t)(uint64_t)stack_b + STACK_BYTES;
	task_b.cs = WORLD_CODE_32;
	task_b.ss = task_b.ds = task_b.es = data;
	guest_legacy_set_task(WORLD_TASK_A, &task_a);
	guest_legacy_set_task(WORLD_TASK_B, &task_b);
	guest_legacy_run(&guest_legacy);
	guest_legacy_tell("tasks", guest_legacy.notes, 16);
	guest_print("task A: ECX %x, flags %x; task B: ECX %x, flags %x, back to %x", task_a.ecx,
		    task_a.eflags, task_b.ecx, task_b.eflags, task_b.back);
	guest_print("their types %x and %x", (unsigned)(world_gdt[WORLD_TASK_A / 8] >> 40 & 0xff),
		    (unsigned)(world_gdt[WORLD_TASK_B / 8] >> 40 & 0xff));
	guest_legacy_end_tasks();
}

static void interrupts_32(void)
{
	prepare(guest_legacy_interrupts);
	guest_legacy_run(&guest_legacy);
	guest_legacy_tell("32-bit code", guest_legacy.notes, 12);
}

/* --- 32-bit code with pages: by two tables, large ones and small ones, and by PAE's three --- */

#define CR4_PSE     (1u << 4)
#define CR4_PAE     (1u << 5)
#define PAGE_BYTES  4096
#define PAGE_LARGE  0x83u /* present, writable */
#define PAGE_SMALL  3u
#define ENTRIES_32  1024u
#define ENTRIES_PAE 512u
#define ABSENT      0xd0000000u /* legacy_code.S */

static uint32_t directory_32[ENTRIES_32] __attribute__((aligned(PAGE_BYTES)));
static uint32_t tables_32[4][ENTRIES_32] __attribute__((aligned(PAGE_BYTES)));
static uint64_t top_pae[4] __attribute__((aligned(32)));
static uint64_t directories_pae[4][ENTRIES_PAE] __attribute__((aligned(PAGE_BYTES)));

static bool is_absent(uint64_t at, uint64_t bytes)
{
	return ABSENT - at < bytes;
}

static void map_large_32(void)
{
	const uint64_t bytes = 4u << 20;

	for (uint64_t i = 0; i < ENTRIES_32; i++)
		directory_32[i] =
			is_absent(i * bytes, bytes) ? 0 : (uint32_t)(i * bytes) | PAGE_LARGE;
}

/* Where the code and the data of this program are, pages are small. */
static void map_small_32(void)
{
	const uint32_t first = (uint32_t)((uint64_t)&guest_legacy >> 22) - 1;

	map_large_32();
	for (uint32_t i = 0; i < 4; i++) {
		for (uint32_t k = 0; k < ENTRIES_32; k++)
			tables_32[i][k] = ((first + i) << 22 | k * PAGE_BYTES) | PAGE_SMALL;
		directory_32[first + i] = (uint32_t)(uint64_t)tables_32[i] | PAGE_SMALL;
	}
}

static void map_pae(void)
{
	const uint64_t bytes = 2u << 20;

	for (uint64_t i = 0; i < 4 * ENTRIES_PAE; i++)
		directories_pae[i / ENTRIES_PAE][i % ENTRIES_PAE] =
			is_absent(i * bytes, bytes) ? 0 : i * bytes | PAGE_LARGE;
	for (unsigned i = 0; i < 4; i++)
		top_pae[i] = (uint64_t)directories_pae[i] | 1;
}

static void run_paged(const char *what, const void *tables, uint32_t cr4_bits)
{
	const uint32_t cr4 = (uint32_t)read_cr4() & ~(CR4_PSE | CR4_PAE);

	prepare(guest_legacy_paged);
	guest_legacy_gate(VECTOR_DB, WORLD_CODE_32, guest_legacy_on_debug, LEGACY_GATE);
	guest_legacy_gate(VECTOR_PF, WORLD_CODE_32, guest_legacy_on_page_fault, LEGACY_GATE);
	guest_legacy.paged_cr3 = (uint32_t)(uint64_t)tables;
	guest_legacy.paged_cr4 = cr4 | cr4_bits;
	guest_legacy_run(&guest_legacy);
	guest_legacy.notes[4] &= 0xffff; /* CR0 */
	guest_legacy_tell(what, guest_legacy.notes, 24);
}

static void pages_32(void)
{
	map_large_32();
	run_paged("pages of 4 MiB", directory_32, CR4_PSE);
	map_small_32();
	run_paged("pages of 4 KiB", directory_32, CR4_PSE);
	map_pae();
	run_paged("pages of PAE", top_pae, CR4_PAE);
}

/* A place in the page. */
static uint8_t *in_page(const uint8_t *label)
{
	return page + (label - guest_legacy_page);
}

static void set_real_vector(unsigned vector, const uint8_t *label)
{
	const uint16_t to[2] = {(uint16_t)(label - guest_legacy_page),
				(uint16_t)((uint64_t)page >> 4)};

	memcpy(page + IVT_AT + 4 * vector, to, sizeof(to));
}

static void real_mode(void)
{
	const struct guest_legacy_table idtr = {0x3ff, (uint32_t)(uint64_t)page + IVT_AT},
					gdtr = {sizeof(world_gdt) - 1,
						(uint32_t)(uint64_t)world_gdt};
	const uint32_t base = (uint32_t)(uint64_t)page;
	const struct {
		uint32_t offset;
		uint16_t selector;
	} __attribute__((packed)) far = {(uint32_t)(uint64_t)guest_legacy_back, WORLD_CODE_32};

	prepare(guest_legacy_real);
	memset(page, 0, 4096);
	memcpy(page, guest_legacy_page, (size_t)(guest_legacy_page_end - guest_legacy_page));
	memcpy(in_page(guest_legacy_real_idtr), &idtr, sizeof(idtr));
	memcpy(in_page(guest_legacy_world_gdtr), &gdtr, sizeof(gdtr));
	memcpy(in_page(guest_legacy_far_back), &far, sizeof(far));
	set_real_vector(0x40, guest_legacy_on_real_int);
	set_real_vector(VECTOR_UD, guest_legacy_on_real_ud);
	world_gdt[WORLD_CODE_16 / 8] = 0x00009b000000ffff | (uint64_t)(base & 0xffffff) << 16;
	world_gdt[WORLD_DATA_16 / 8] = 0x000093000000ffff | (uint64_t)(base & 0xffffff) << 16;
	guest_legacy.far_16 = 0;
	guest_legacy.far_16_cs = WORLD_CODE_16;
	guest_legacy_run(&guest_legacy);
	guest_legacy_tell("real mode", (const uint32_t *)(page + REAL_NOTES), 12);
}

static void enter_modes(void)
{
	interrupts_32();
	pages_32();
	switch_tasks();
	real_mode();
}

static void after_modes(void)
{
}

static void count_modes(void)
{
	guest_count_variously(enter_modes);
}

void guest_modes(void)
{
	page = guest_low_page();
	if (page)
		world_run(count_modes, after_modes);
}
