// SPDX-License-Identifier: BSD-2-Clause
/*
 * stepped.c - single steps by the guest, and by a hypervisor: the flags that code sees in memory,
 * and the instructions at which traps come, also after MOV SS, which delays the trap by an
 * instruction. SDM vol. 3, "Single-Step Exception Condition", "Masking Exceptions and Interrupts
 * When Switching Stacks".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define SELF_COMMAND (APIC_ICR_SELF | APIC_ICR_ASSERT | WORLD_VECTOR)
#define VECTOR_DB    1
#define VECTOR_BP    3
#define VECTOR_UD    6
#define UD2_LENGTH   2
#define RFLAGS_TF    0x100ull
#define RFLAGS_RF    0x10000ull
#define RFLAGS_TOLD  0x10700ull /* RF, DF, IF, TF */
#define TRAPS_MAX    24

static volatile struct seen {
	unsigned vector;
	uint64_t rip, rflags, dr6;
} traps[TRAPS_MAX];
static volatile unsigned ntraps;
static volatile uint64_t flags; /* that code has read */

static bool note_trap(struct world_trap *trap)
{
	const bool user_end = trap->cs & 3 && trap->vector != VECTOR_DB;

	if (ntraps < TRAPS_MAX)
		traps[ntraps] = (struct seen){(unsigned)trap->vector, trap->rip, trap->rflags,
					      trap->vector == VECTOR_DB ? read_dr6() & 0xffff : 0};
	ntraps++;
	if (trap->vector == VECTOR_DB)
		write_dr6(0xffff0ff0);
	if (trap->vector == VECTOR_UD)
		trap->rip += UD2_LENGTH;
	if (trap->vector == WORLD_VECTOR)
		world_apic_write(APIC_EOI, 0);
	return !user_end;
}

static void print_steps(const char *what, uint64_t from)
{
	guest_print("%s: flags %llx, %u traps", what, (unsigned long long)flags & RFLAGS_TOLD,
		    ntraps);
	for (unsigned i = 0; i < ntraps && i < TRAPS_MAX; i++)
		guest_print("  vector %u, %d on, flags %llx, DR6 %llx", traps[i].vector,
			    (int)(traps[i].rip - from),
			    (unsigned long long)traps[i].rflags & RFLAGS_TOLD,
			    (unsigned long long)traps[i].dr6);
	ntraps = 0;
	flags = 0;
}

/* Runs `code`, which begins at `from`, and takes `flags` from the RAX that it leaves. */
#define SEE(what, code)                                                                            \
	do {                                                                                       \
		uint64_t from, rax = 0;                                                            \
		__asm__ volatile("lea 1f(%%rip), %0\n1:\t" code                                    \
				 : "=&r"(from), "+a"(rax)                                          \
				 : "i"(RFLAGS_TF)                                                  \
				 : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "memory", "cc"); \
		flags = rax;                                                                       \
		print_steps(what, from);                                                           \
	} while (0)

#define READ_FLAGS "pushfq\n\tpop %%rax\n\t"
#define LOAD_SS    "mov %%ss, %%r8d\n\tmov %%r8d, %%ss\n\t"
#define TF_ON      "pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
#define TF_OFF     "pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"
#define IRET_TO(flags)                                                              \
	"mov %%rsp, %%r9\n\tmov %%ss, %%r10d\n\tmov %%cs, %%r11d\n\tpush %%r10\n\t" \
	"push %%r9\n\tpushfq\n\t" flags "push %%r11\n\tlea 2f(%%rip), %%r9\n\t"     \
	"push %%r9\n\t"

/* The hypervisor's TF, if it has one, is in none of these flags. */
static void read_flags(void)
{
	SEE("PUSHF", READ_FLAGS);
	SEE("PUSHF with a prefix",
	    "xor %%eax, %%eax\n\tpushw %%ax\n\tpushfw\n\tpopw %%ax\n\tpopw %%cx");
	SEE("MOV SS and PUSHF", LOAD_SS READ_FLAGS);
	SEE("MOV SS twice and PUSHF", LOAD_SS "mov %%r8d, %%ss\n\t" READ_FLAGS);
	SEE("MOV SS and INT3", LOAD_SS "int3\n\t" READ_FLAGS);
	SEE("MOV SS and UD2", LOAD_SS "ud2\n\t" READ_FLAGS);
	SEE("MOV SS and CPUID", "xor %%eax, %%eax\n\t" LOAD_SS "cpuid\n\t" READ_FLAGS);
	SEE("MOV SS and POPF", "pushfq\n\t" LOAD_SS "popfq\n\tnop\n\t" READ_FLAGS);
	SEE("MOV SS and IRET", IRET_TO("") LOAD_SS "iretq\n2:\t" READ_FLAGS);
	SEE("an interrupt", "movl %%ebx, %%ebx\n\t" READ_FLAGS);
}

static void set_tf(void)
{
	SEE("TF", TF_ON "nop\n\tnop\n\t" TF_OFF "nop");
	SEE("TF, PUSHF", TF_ON READ_FLAGS TF_OFF);
	SEE("TF, MOV SS", TF_ON LOAD_SS "nop\n\tnop\n\t" TF_OFF);
	SEE("TF, MOV SS and PUSHF", TF_ON LOAD_SS READ_FLAGS TF_OFF);
	SEE("TF, MOV SS and CPUID", TF_ON "xor %%eax, %%eax\n\t" LOAD_SS "cpuid\n\t" TF_OFF);
	SEE("TF by POPF behind MOV SS",
	    "pushfq\n\torq $0x100, (%%rsp)\n\t" LOAD_SS "popfq\n\tnop\n\tnop\n\t" TF_OFF);
	SEE("TF off by POPF behind MOV SS",
	    TF_ON "pushfq\n\tandq $~0x100, (%%rsp)\n\t" LOAD_SS "popfq\n\tnop\n\tnop");
	SEE("TF by IRET", IRET_TO("orq $0x100, (%%rsp)\n\t") "iretq\n2:\tnop\n\tnop\n\t" TF_OFF);
	SEE("TF by IRET behind MOV SS",
	    IRET_TO("orq $0x100, (%%rsp)\n\t") LOAD_SS "iretq\n2:\tnop\n\tnop\n\t" TF_OFF);
	SEE("TF, UD2", TF_ON "ud2\n\tnop\n\t" TF_OFF);
	SEE("TF, INT3", TF_ON "int3\n\tnop\n\t" TF_OFF);
	SEE("TF, RDMSR, RDTSC",
	    TF_ON "mov $0xc0000080, %%ecx\n\trdmsr\n\trdtsc\n\txor %%eax, %%eax\n\t" TF_OFF);
	SEE("TF, WRMSR", "mov $0xc0000080, %%ecx\n\trdmsr\n\t" TF_ON "wrmsr\n\tnop\n\t" TF_OFF);
	SEE("TF, REP", "mov $3, %%ecx\n\tlea -64(%%rsp), %%r8\n\txchg %%rdi, %%r8\n\t" TF_ON
		       "rep stosb\n\t" TF_OFF "xchg %%rdi, %%r8");
	SEE("TF, MOV CR, DR", TF_ON "mov %%cr3, %%rax\n\tmov %%rax, %%cr3\n\tmov %%dr7, %%rax\n\t"
				    "mov %%rax, %%dr7\n\t" TF_OFF);
}

/* HLT, STI with an interrupt that waits. */
static void with_interrupt(void)
{
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("TF, STI", TF_ON "sti\n\tnop\n\tnop\n\tcli\n\t" TF_OFF);
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("TF, STI and HLT", TF_ON "sti\n\thlt\n\tnop\n\tcli\n\t" TF_OFF);
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("STI and UD2", "sti\n\tud2\n\tnop\n\tcli");
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("STI and INT3", "sti\n\tint3\n\tnop\n\tcli");
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("STI and PUSHF", "sti\n\t" READ_FLAGS "cli");
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("STI and RDMSR", "mov $0xc0000080, %%ecx\n\tsti\n\trdmsr\n\tnop\n\tcli");
	world_apic_write(APIC_ICR, SELF_COMMAND);
	SEE("STI by IRET", IRET_TO("orq $0x200, (%%rsp)\n\t") "iretq\n2:\tnop\n\tcli");
}

void guest_stepped_in_ring3(uint64_t argument);
extern const uint8_t guest_stepped_from[];
__asm__(".globl guest_stepped_in_ring3, guest_stepped_from\n"
	".hidden guest_stepped_in_ring3, guest_stepped_from\n"
	"guest_stepped_in_ring3:\n"
	"guest_stepped_from:\n\t"
	"pushfq\n\torq %rdi, (%rsp)\n\tpopfq\n\t"
	"pushfq\n\tpop %rax\n\tmov %rax, guest_stepped_flags(%rip)\n\t"
	"mov %ss, %r8d\n\tmov %r8d, %ss\n\tpushfq\n\tpop %rax\n\t"
	"or %rax, guest_stepped_flags(%rip)\n\t"
	"syscall\n\tor %r11, guest_stepped_flags(%rip)\n\t"
	"mov %ss, %r8d\n\tmov %r8d, %ss\n\tsyscall\n\tor %r11, guest_stepped_flags(%rip)\n\t"
	"xor %eax, %eax\n\tcpuid\n\trdtsc\n\t"
	"pushfq\n\tandq $~0x100, (%rsp)\n\tpopfq\n\t"
	"int3\n");
void guest_stepped_syscall(void);
__asm__(".globl guest_stepped_syscall\n.hidden guest_stepped_syscall\n"
	"guest_stepped_syscall:\n\tsysretq\n");
volatile uint64_t guest_stepped_flags;

static void in_ring3(const char *what, uint64_t tf)
{
	unsigned ended;

	guest_stepped_flags = 0;
	ended = world_in_ring3(guest_stepped_in_ring3, tf);
	flags = guest_stepped_flags;
	print_steps(what, (uint64_t)guest_stepped_from);
	guest_print("  ended by %u", ended);
}

static void step_code(void)
{
	ntraps = 0;
	world_on_trap = note_trap;
	read_flags();
	set_tf();
	with_interrupt();
	in_ring3("ring 3", 0);
	in_ring3("ring 3, TF", RFLAGS_TF);
	world_on_trap = NULL;
}

static void after_steps(void)
{
}

static void count_stepped(void)
{
	guest_with_calls(step_code, guest_stepped_syscall, RFLAGS_TF);
}

void guest_stepped(void)
{
	world_run(count_stepped, after_steps);
}
