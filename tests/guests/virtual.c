// SPDX-License-Identifier: BSD-2-Clause
/*
 * virtual.c - virtual-8086 mode: instructions that its code may execute, instructions that enter
 * the monitor, their flags, and the places of single steps. SDM vol. 3, "8086 Emulation".
 */
#include "tests/guests/guests.h"

#include "lib/string.h"
#include "tests/guests/legacy.h"
#include "tests/guests/world/guest_world.h"

#define FLAGS(iopl) (0x20202u | (uint32_t)(iopl) << 12) /* VM, IF */
#define STACK_BYTES 1024
#define VECTOR_DB   1
#define VECTOR_BP   3
#define VECTOR_UD   6
#define VECTOR_GP   13

/* monitor.S */
void guest_virtual_run(void);
void guest_virtual_on_int(void), guest_virtual_on_int3(void), guest_virtual_on_debug(void);
void guest_virtual_on_ud(void), guest_virtual_on_gp(void);
extern const uint8_t guest_virtual_page[], guest_virtual_page_end[];

static struct guest_legacy_task task;
static uint8_t stack[STACK_BYTES] __attribute__((aligned(16)));
static uint8_t *page;

static void set_gates(void)
{
	guest_legacy_gate(VECTOR_DB, WORLD_CODE_32, guest_virtual_on_debug, LEGACY_GATE);
	guest_legacy_gate(VECTOR_BP, WORLD_CODE_32, guest_virtual_on_int3, LEGACY_GATE_USER);
	guest_legacy_gate(VECTOR_UD, WORLD_CODE_32, guest_virtual_on_ud, LEGACY_GATE);
	guest_legacy_gate(VECTOR_GP, WORLD_CODE_32, guest_virtual_on_gp, LEGACY_GATE);
	guest_legacy_gate(0x40, WORLD_CODE_32, guest_virtual_on_int, LEGACY_GATE_USER);
}

static void run_virtual(uint32_t iopl)
{
	guest_legacy_prepare(guest_virtual_run, page);
	set_gates();
	memset(page, 0, 4096);
	memcpy(page, guest_virtual_page, (size_t)(guest_virtual_page_end - guest_virtual_page));
	memset(&task, 0, sizeof(task));
	task.ss0 = WORLD_DATA;
	task.esp0 = (uint32_t)(uint64_t)stack + STACK_BYTES;
	guest_legacy_set_task(WORLD_TASK_A, &task);
	guest_legacy.flags = FLAGS(iopl);
	guest_legacy_run(&guest_legacy);
	guest_legacy_end_tasks();
	guest_print("IOPL %u: found %x", iopl, guest_legacy.flags);
	guest_legacy_tell("vectors, IPs and flags", guest_legacy.notes, LEGACY_NOTED);
}

static void all_of_them(void)
{
	run_virtual(3);
	run_virtual(0);
}

static void after_virtual(void)
{
}

static void count_virtual(void)
{
	guest_count_variously(all_of_them);
}

void guest_virtual(void)
{
	page = guest_low_page();
	if (page)
		world_run(count_virtual, after_virtual);
}
