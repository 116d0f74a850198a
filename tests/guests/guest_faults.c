// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_faults.c - exceptions of instructions, with their error codes, in ring 0 and in ring 3:
 * plain, while a counter counts one ring alone, and while vpmu looks at each instruction.
 */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/try.h"
#include "tests/guests/world/guest_world.h"

#define NOT_CANONICAL  0x8000000000000000ull
#define GIB            (1ull << 30)
#define NOT_MAPPED     (600ull << 30) /* world.c maps 512 GiB */
#define TABLES_SHIFT   30
#define CR0_TS         (1ull << 3)
#define CR0_NW         (1ull << 29)
#define CR0_CD         (1ull << 30)
#define CR4_TSD        (1ull << 2)
#define CR4_OSXSAVE    (1ull << 18)
#define NOT_PRESENT_AT WORLD_TASK_A

static void control_registers(void)
{
	const uint64_t cr0 = read_cr0(), cr3 = read_cr3(), cr4 = read_cr4(), cr8 = read_cr8();

	TRY("CR0 as it is", "1: mov %0, %%cr0", "r"(cr0));
	TRY("CR3 as it is", "1: mov %0, %%cr3", "r"(cr3));
	TRY("CR4 as it is", "1: mov %0, %%cr4", "r"(cr4));
	TRY("CR4, PCE", "1: mov %0, %%cr4", "r"(cr4 ^ CR4_PCE));
	write_cr4(cr4);
	TRY("CR8 of 5", "1: mov %0, %%cr8", "r"(5ull));
	guest_print("CR8 is %llx", (unsigned long long)read_cr8());
	write_cr8(cr8);
	TRY("TS and x87", "mov %0, %%cr0\n1: fnop", "r"(cr0 | CR0_TS));
	guest_print("CR0 has TS %d", !!(read_cr0() & CR0_TS));
	__asm__ volatile("clts");
	guest_print("and behind CLTS %d", !!(read_cr0() & CR0_TS));
	TRY("LMSW", "smsw %%rax\n1: lmsw %%ax", "r"(cr0));
	write_cr0(cr0);
	TRY("DR4", "1: mov %%dr4, %%rax", "r"(0));
	TRY("DR6 of more than 32 bits", "1: mov %0, %%dr6", "r"(1ull << 32));
	TRY("DR4 of more than 32 bits", "1: mov %0, %%dr4", "r"(1ull << 32));
	TRY("DR7 of more than 32 bits", "1: mov %0, %%dr7", "r"(1ull << 32));
	TRY("CR0, NW without CD", "1: mov %0, %%cr0\n\tnop\n\txor %%eax, %%eax\n\tcpuid",
	    "r"((cr0 & ~CR0_CD) | CR0_NW));
	write_cr0(cr0);
	TRY("CR1", "1: mov %%cr2, %%rax", "r"(0));
}

static void try_wrmsr(const char *what, uint32_t msr, uint64_t value)
{
	try_begin();
	wrmsr_safe(msr, value);
	try_tell(what);
}

static void model_registers(void)
{
	const uint64_t efer = rdmsr(MSR_EFER);

	guest_print("EFER %llx", (unsigned long long)efer);
	try_wrmsr("EFER as it is", MSR_EFER, efer);
	try_wrmsr("EFER, SVME", MSR_EFER, efer | EFER_SVME);
	guest_print("EFER %llx", (unsigned long long)rdmsr(MSR_EFER));
	wrmsr(MSR_EFER, efer);
	try_wrmsr("EFER, bits that are reserved", MSR_EFER, efer | 1ull << 63 | 1ull << 16 | 2);
	guest_print("EFER %llx", (unsigned long long)rdmsr(MSR_EFER));
	try_wrmsr("EFER without LMA", MSR_EFER, efer & ~EFER_LMA);
	guest_print("EFER %llx", (unsigned long long)rdmsr(MSR_EFER));
	wrmsr(MSR_STAR, 0x0018000800000000);
	wrmsr(MSR_SFMASK, 0x200);
	wrmsr(MSR_KERNEL_GS_BASE, 0x123456789000);
	guest_print("STAR %llx, SFMASK %llx, GS %llx", (unsigned long long)rdmsr(MSR_STAR),
		    (unsigned long long)rdmsr(MSR_SFMASK),
		    (unsigned long long)rdmsr(MSR_KERNEL_GS_BASE));
	wrmsr(MSR_IA32_SYSENTER_CS, 8);
	guest_print("SYSENTER_CS %llx", (unsigned long long)rdmsr(MSR_IA32_SYSENTER_CS));
	wrmsr(MSR_IA32_SYSENTER_CS, 0);
	wrmsr(MSR_KERNEL_GS_BASE, 0);
}

static void try_rdmsr(const char *what, uint32_t msr)
{
	uint64_t ignored;

	try_begin();
	rdmsr_safe(msr, &ignored);
	try_tell(what);
}

/* SVM, which CPUID does not announce. QEMU has its registers without it, too. */
static void virtual_machines(void)
{
	const struct cpuid_regs features = insn_cpuid(0x80000001, 0);

	guest_print("SVM %d, its leaf %x", features.ecx >> 2 & 1, insn_cpuid(0x8000000a, 0).eax);
	TRY("VMRUN", "xor %%eax, %%eax\n1: vmrun %%rax", "r"(0));
	TRY("VMLOAD", "xor %%eax, %%eax\n1: vmload %%rax", "r"(0));
	TRY("VMSAVE", "xor %%eax, %%eax\n1: vmsave %%rax", "r"(0));
	TRY("STGI", "1: stgi", "r"(0));
	TRY("CLGI", "1: clgi", "r"(0));
	TRY("SKINIT", "1: skinit %%eax", "r"(0));
	TRY("VMMCALL", "1: vmmcall", "r"(0));
	TRY("VMCALL", "1: vmcall", "r"(0));
	TRY("INVLPGA", "1: invlpga %%rax, %%ecx", "r"(0));
	try_rdmsr("CPU: VM_CR", MSR_AMD_VM_CR);
	try_rdmsr("CPU: VM_HSAVE_PA", MSR_AMD_VM_HSAVE_PA);
	try_wrmsr("CPU: VM_HSAVE_PA, written", MSR_AMD_VM_HSAVE_PA, 0x1000);
}

static void plain_instructions(void)
{
	uint64_t *const gdt = &world_gdt[NOT_PRESENT_AT / 8];

	*gdt = world_gdt[WORLD_DATA / 8] & ~(1ull << 47);
	TRY("UD2", "1: ud2", "r"(0));
	TRY("a divide by zero", "xor %%ecx, %%ecx\n1: div %%ecx", "r"(0));
	TRY("a load that is not canonical", "1: mov (%0), %%rax", "r"(NOT_CANONICAL));
	TRY_AND("a stack that is not canonical", "push %%rbp\nmov %0, %%rbp\n1: mov (%%rbp), %%rax",
		"pop %%rbp", "r"(NOT_CANONICAL));
	TRY("a load of what is not mapped", "1: mov (%0), %%rax", "r"(NOT_MAPPED + 8));
	TRY("a store to what is not mapped", "1: movl $1, (%0)", "r"(NOT_MAPPED + 24));
	TRY("a selector beyond the table", "mov $0xff8, %%eax\n1: mov %%eax, %%ds", "r"(0));
	TRY("a selector of code", "mov %0, %%eax\n1: mov %%eax, %%ss", "i"(WORLD_CODE));
	TRY("a segment that is not present", "mov %0, %%eax\n1: mov %%eax, %%ds",
	    "i"(NOT_PRESENT_AT));
	TRY("a stack that is not present", "mov %0, %%eax\n1: mov %%eax, %%ss",
	    "i"(NOT_PRESENT_AT));
	TRY_AND("a jump to a task", "push %0\npush $0\n1: ljmp *(%%rsp)", "pop %%rax\npop %%rax",
		"i"(WORLD_TASK));
	TRY("INVLPG", "1: invlpg (%0)", "r"(NOT_MAPPED));
	TRY("MONITOR", "xor %%eax, %%eax\n1: monitor", "r"(0));
	TRY("RSM", "1: rsm", "r"(0));
	*gdt = 0;
}

/* --- Ring 3 --- */

#define USER(name, code)                                                               \
	static void name(uint64_t argument)                                            \
	{                                                                              \
		__asm__ volatile(code                                                  \
				 :                                                     \
				 : "r"(argument)                                       \
				 : "rax", "rbx", "rcx", "rdx", "r11", "memory", "cc"); \
	}

USER(user_cli, "cli")
USER(user_hlt, "hlt")
USER(user_in, "in $0x70, %%al")
USER(user_rdmsr, "mov $0x10, %%ecx\n\trdmsr")
USER(user_wrmsr, "mov $0x10, %%ecx\n\twrmsr")
USER(user_cr0, "mov %%cr0, %%rax")
USER(user_cr8, "mov %%cr8, %%rax")
USER(user_dr6, "mov %%dr6, %%rax")
USER(user_invlpg, "invlpg (%0)")
USER(user_rdtsc, "rdtsc")
USER(user_cpuid, "xor %%eax, %%eax\n\tcpuid")
USER(user_vmrun, "vmrun %%rax")
USER(user_vmmcall, "vmmcall")
USER(user_vmrun_prefixed, "data16 vmrun %%rax")
USER(user_rdpmc, "xor %%ecx, %%ecx\n\trdpmc")
USER(user_sysret, "sysretq")
USER(user_iret, "push $0\n\tpush $0\n\tpush $0\n\tpush $0x8\n\tpush $0\n\tiretq")
USER(user_int3, "int3")
USER(user_int, "int $0x40")
USER(user_ud2, "ud2")
USER(user_load, "mov (%0), %%rax")
USER(user_store, "movl $1, (%0)")
USER(user_jump, "jmp *%0")
USER(user_divide, "xor %%ecx, %%ecx\n\tdiv %%ecx")
USER(user_lgdt, "lgdt (%%rsp)")
USER(user_clts, "clts")
USER(user_wbinvd, "wbinvd")
USER(user_xsetbv, "xor %%ecx, %%ecx\n\txsetbv")
USER(user_swapgs, "swapgs")
USER(user_popf, "pushfq\n\torq $0x3200, (%%rsp)\n\tpopfq")
USER(user_nothing, "nop")
#undef USER

static const struct user {
	const char *name;
	void (*code)(uint64_t argument);
	uint64_t argument;
	bool gate; /* QEMU up to 7.2 has another error code than the manuals where a gate is closed
		    */
} users[] = {
	{"nothing", user_nothing, 0, false},
	{"CLI", user_cli, 0, false},
	{"HLT", user_hlt, 0, false},
	{"IN", user_in, 0, false},
	{"RDMSR", user_rdmsr, 0, false},
	{"WRMSR", user_wrmsr, 0, false},
	{"MOV CR0", user_cr0, 0, false},
	{"MOV CR8", user_cr8, 0, false},
	{"MOV DR6", user_dr6, 0, false},
	{"INVLPG", user_invlpg, 0, false},
	{"RDTSC", user_rdtsc, 0, false},
	{"CPUID", user_cpuid, 0, false},
	{"VMRUN", user_vmrun, 0, false},
	{"VMMCALL", user_vmmcall, 0, false},
	{"VMRUN with a prefix", user_vmrun_prefixed, 0, false},
	{"RDPMC without PCE", user_rdpmc, 0, false},
	{"SYSRET", user_sysret, 0, false},
	{"IRET to ring 0", user_iret, 0, false},
	{"INT3", user_int3, 0, true},
	{"INT", user_int, 0, true},
	{"UD2", user_ud2, 0, false},
	{"a load of what is not mapped", user_load, NOT_MAPPED + 8, false},
	{"a load that is not canonical", user_load, NOT_CANONICAL, false},
	{"a store to what is not mapped", user_store, NOT_MAPPED + 16, false},
	{"a jump to what is not mapped", user_jump, NOT_MAPPED, false},
	{"a jump that is not canonical", user_jump, NOT_CANONICAL, false},
	{"a divide by zero", user_divide, 0, false},
	{"LGDT", user_lgdt, 0, false},
	{"CLTS", user_clts, 0, false},
	{"WBINVD", user_wbinvd, 0, false},
	{"XSETBV", user_xsetbv, 0, false},
	{"SWAPGS", user_swapgs, 0, false},
	{"POPF", user_popf, 0, false},
};

static uint64_t user_error;
static int64_t user_at;

static bool note_user_trap(struct world_trap *trap)
{
	if (trap->cs & 3) {
		user_error = trap->error;
		user_at = (int64_t)trap->rip;
	}
	return false;
}

static void tell_user(const struct user *user, unsigned vector)
{
	const uint64_t error = user->gate ? !!user_error : user_error;
	const int64_t at = user_at - (int64_t)user->code; /* in it */

	guest_print("ring 3, %s: vector %u, error %llx, at %llx, CR2 %llx", user->name, vector,
		    (unsigned long long)error, (unsigned long long)at,
		    (unsigned long long)read_cr2());
}

static void fault_in_ring3(void)
{
	const uint64_t cr4 = read_cr4(), efer = rdmsr(MSR_EFER);

	world_on_trap = note_user_trap;
	wrmsr(MSR_EFER, efer | EFER_SCE);
	for (size_t i = 0; i < sizeof(users) / sizeof(*users); i++) {
		unsigned vector;

		write_cr2(0);
		user_error = 0;
		vector = world_in_ring3(users[i].code, users[i].argument);
		if (vector == WORLD_RETURNED || users[i].code == user_jump)
			user_at = (int64_t)users[i].code;
		tell_user(&users[i], vector);
	}
	write_cr4(cr4 | CR4_TSD);
	guest_print("RDTSC with TSD: %u", world_in_ring3(user_rdtsc, 0));
	write_cr4(cr4);
	wrmsr(MSR_EFER, efer);
	world_on_trap = NULL;
}

static void raise_faults(void)
{
	control_registers();
	model_registers();
	virtual_machines();
	plain_instructions();
	fault_in_ring3();
}

static void after_faults(void)
{
}

static void count_raised(void)
{
	guest_count_variously(raise_faults);
}

void guest_faults(void)
{
	world_run(count_raised, after_faults);
}
