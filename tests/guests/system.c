// SPDX-License-Identifier: BSD-2-Clause
/*
 * system.c - SYSCALL and SYSRET from 64-bit and from 32-bit code, single-stepped too. SDM vol. 2,
 * "SYSCALL"; APM vol. 3, "SYSCALL", "SYSENTER".
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#define STAR       ((uint64_t)WORLD_CODE << 32 | (uint64_t)(WORLD_USER_32 | 3) << 48)
#define TURNS      100
#define RFLAGS_TF  0x100ull
#define RFLAGS_IF  0x200ull
#define VECTOR_DB  1
#define VECTOR_BP  3
#define GATE_RING3 (3ull << 45)

/* calls.S */
struct notes {
	uint64_t rcx, r11, rsp;
	uint32_t cs, ss, entries, unused;
	uint64_t flags;
	uint32_t user_cs, user_ss;
};
_Static_assert(__builtin_offsetof(struct notes, user_ss) == 52, "calls.S");
volatile struct notes guest_system_notes;
void guest_on_syscall(void), guest_on_syscall_32(void), guest_on_sysenter(void);
void guest_syscalls(uint64_t turns), guest_syscalls_32(uint64_t turns);
void guest_sysenter(uint64_t unused);
extern const uint8_t guest_behind_syscall[];

static uint8_t stack[64] __attribute__((aligned(16)));

static void print_calls(const char *what, unsigned vector, uint64_t from)
{
	const volatile struct notes *n = &guest_system_notes;

	guest_print("%s: ended by %u, %u calls", what, vector, n->entries);
	guest_print("  in ring 0: CS %x, SS %x, flags %llx, R11 %llx, RCX %lld", n->cs, n->ss,
		    (unsigned long long)n->flags, (unsigned long long)n->r11,
		    n->entries ? (long long)(n->rcx - from) : 0);
	guest_print("  then: CS %x, SS %x", n->user_cs, n->user_ss);
	memset((void *)&guest_system_notes, 0, sizeof(guest_system_notes));
}

static unsigned steps_0, steps_3, other_flags;

static bool count_steps(struct world_trap *trap)
{
	if (trap->vector != VECTOR_DB)
		return false;
	if (trap->cs & 3)
		steps_3++;
	else
		steps_0++;
	other_flags |= (uint32_t)trap->rflags & ~0x8d5u;
	return true;
}

static void syscalls_with_tf(uint64_t turns)
{
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
	guest_syscalls(turns);
	__asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

static void stepped(const char *what, uint64_t mask)
{
	unsigned vector;

	wrmsr(MSR_SFMASK, mask);
	steps_0 = steps_3 = other_flags = 0;
	world_on_trap = count_steps;
	vector = world_in_ring3(syscalls_with_tf, 3);
	world_on_trap = NULL;
	print_calls(what, vector, (uint64_t)guest_behind_syscall);
	guest_print("  %u steps in ring 3, %u in ring 0, flags %x", steps_3, steps_0, other_flags);
}

/* AMD's CPUs have none in long mode, Intel's have. */
static void sysenter(void)
{
	const volatile struct notes *n = &guest_system_notes;
	unsigned vector, refused;

	refused = world_in_ring3(guest_sysenter, 0);
	wrmsr(MSR_IA32_SYSENTER_CS, WORLD_CODE);
	wrmsr(MSR_IA32_SYSENTER_ESP, (uint64_t)stack + sizeof(stack));
	wrmsr(MSR_IA32_SYSENTER_EIP, (uint64_t)guest_on_sysenter);
	vector = world_in_ring3(guest_sysenter, 0);
	wrmsr(MSR_IA32_SYSENTER_CS, 0);
	guest_print("CPU: SYSENTER: %u without a selector; ended by %u, %u calls", refused, vector,
		    n->entries);
	guest_print("CPU: its CS %x, SS %x, stack %d, then CS %x, SS %x", n->cs, n->ss,
		    n->rsp == (uint64_t)stack + sizeof(stack), n->user_cs, n->user_ss);
	memset((void *)&guest_system_notes, 0, sizeof(guest_system_notes));
}

void guest_with_calls(void (*what)(void), void (*on_syscall)(void), uint64_t mask)
{
	const uint64_t efer = rdmsr(MSR_EFER);

	wrmsr(MSR_EFER, efer | EFER_SCE);
	wrmsr(MSR_STAR, STAR);
	wrmsr(MSR_LSTAR, (uint64_t)on_syscall);
	wrmsr(MSR_SFMASK, mask);
	world_idt[VECTOR_BP][0] |= GATE_RING3;
	guest_count_variously(what);
	world_idt[VECTOR_BP][0] &= ~GATE_RING3;
	wrmsr(MSR_EFER, efer);
}

static void make_system_calls(void)
{
	const uint64_t efer = rdmsr(MSR_EFER);
	unsigned vector;

	wrmsr(MSR_STAR, STAR);
	wrmsr(MSR_LSTAR, (uint64_t)guest_on_syscall);
	wrmsr(MSR_CSTAR, (uint64_t)guest_on_syscall_32);
	wrmsr(MSR_SFMASK, RFLAGS_IF | RFLAGS_TF);
	vector = world_in_ring3(guest_syscalls, TURNS);
	print_calls("without SCE", vector, (uint64_t)guest_behind_syscall);
	wrmsr(MSR_EFER, efer | EFER_SCE);
	vector = world_in_ring3(guest_syscalls, TURNS);
	print_calls("SYSCALL", vector, (uint64_t)guest_behind_syscall);
	vector = world_in_ring3(guest_syscalls_32, TURNS);
	print_calls("SYSCALL of 32-bit code", vector, guest_system_notes.rcx);
	wrmsr(MSR_STAR, STAR & ~(3ull << 48));
	vector = world_in_ring3(guest_syscalls, TURNS);
	print_calls("SYSCALL, a selector of ring 0 for SYSRET", vector,
		    (uint64_t)guest_behind_syscall);
	wrmsr(MSR_STAR, STAR);
	stepped("stepped, TF masked", RFLAGS_TF);
	stepped("stepped, TF not masked", 0);
	wrmsr(MSR_EFER, efer);
	sysenter();
}

static void after_syscalls(void)
{
}

static void count_system_calls(void)
{
	guest_count_variously(make_system_calls);
}

void guest_system(void)
{
	world_run(count_system_calls, after_syscalls);
}
