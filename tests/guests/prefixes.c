// SPDX-License-Identifier: BSD-2-Clause
/*
 * prefixes.c - instructions that a hypervisor may have to execute itself, with prefixes that have
 * no effect on them, and must count for their length. The guest writes them into a page, and calls
 * them there. SDM vol. 2, "Instruction Format".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#include <stddef.h>

#define SELF_COMMAND (APIC_ICR_SELF | APIC_ICR_ASSERT | WORLD_VECTOR)
#define NONE         999
#define CALL_VALUE   0x7654321000ull
#define HANDLER_AT   64 /* in the page */
#define PAGE         4096
#define CLI          0xfa
#define STI          0xfb
#define RET          0xc3

static const struct prefixes {
	const char *name;
	uint8_t bytes[14];
	uint8_t n;
	bool faults; /* or may */
} all_prefixes[] = {
	{"none", {0}, 0, false},
	{"66", {0x66}, 1, false},
	{"67", {0x67}, 1, false},
	{"F2", {0xf2}, 1, false},
	{"F3", {0xf3}, 1, false},
	{"2E", {0x2e}, 1, false},
	{"64", {0x64}, 1, false},
	{"REX", {0x40}, 1, false},
	{"REX.W", {0x48}, 1, false},
	{"REX.WRXB", {0x4f}, 1, false},
	{"66 F3 REX.W", {0x66, 0xf3, 0x48}, 3, false},
	{"a REX that is none", {0x48, 0x66}, 2, false},
	{"many", {0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x66}, 11, false},
	{"too many",
	 {0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x2e, 0x66, 0x66, 0x66, 0x66},
	 14,
	 true},
	{"LOCK", {0xf0}, 1, true},
};
#define PREFIXES (sizeof(all_prefixes) / sizeof(*all_prefixes))

static uint8_t page[PAGE] __attribute__((aligned(PAGE)));

/* --- The page: the code before, the instruction, and the code behind it --- */

static size_t at, returns_at;

static void append_code(const uint8_t *bytes, size_t n)
{
	memcpy(page + at, bytes, n);
	at += n;
}

static void append_code_byte(uint8_t byte)
{
	append_code(&byte, 1);
}

/* `opcode` of `n` bytes. */
static void put_instruction(const struct prefixes *p, const uint8_t *opcode, size_t n)
{
	append_code(p->bytes, p->n);
	append_code(opcode, n);
}

static void put_return(void)
{
	static const uint8_t inc_rcx[] = {0x48, 0xff, 0xc1};

	append_code(inc_rcx, sizeof(inc_rcx));
	returns_at = at;
	append_code_byte(RET);
}

static void write_instruction(const struct prefixes *p, const uint8_t *opcode, size_t n)
{
	at = 0;
	put_instruction(p, opcode, n);
	put_return();
}

/* --- --- */

static unsigned vector;
static uint64_t error;
static int64_t trapped_at; /* in the page */

static bool note_trap(struct world_trap *trap)
{
	const int64_t place = (int64_t)(trap->rip - (uint64_t)page);

	if (trap->vector == WORLD_VECTOR || place < 0 || place >= PAGE)
		return false;
	vector = (unsigned)trap->vector;
	error = trap->error;
	trapped_at = place;
	if (trap->cs & 3)
		return false;
	trap->rip = (uint64_t)page + returns_at;
	return true;
}

struct registers {
	uint64_t rax, rbx, rcx, rdx;
};

static struct registers call_page(struct registers r)
{
	vector = NONE;
	__asm__ volatile("call *%4"
			 : "+a"(r.rax), "+b"(r.rbx), "+c"(r.rcx), "+d"(r.rdx)
			 : "r"(page)
			 : "memory", "cc");
	return r;
}

/* Prints the exception that the instruction raised, or else whether it was `right`. */
static void print_outcome(const char *what, const struct prefixes *p, bool right)
{
	if (vector == NONE)
		guest_print("%s, %s: right %d", what, p->name, right);
	else
		guest_print("%s, %s: vector %u, error %llx, at %lld", what, p->name, vector,
			    (unsigned long long)error, (long long)trapped_at);
}

static void try_cpuid(const struct prefixes *p)
{
	const struct cpuid_regs plain = insn_cpuid(0, 0);
	struct registers r = {0xffffffff00000000, ~0ull, ~0ull << 32, ~0ull};

	write_instruction(p, (const uint8_t[]){0x0f, 0xa2}, 2);
	r = call_page(r);
	print_outcome("CPUID", p,
		      r.rax == plain.eax && r.rbx == plain.ebx && r.rcx == plain.ecx + 1ull &&
			      r.rdx == plain.edx);
}

static void try_rdmsr(const struct prefixes *p, const char *what, uint32_t msr)
{
	const uint64_t plain = rdmsr(msr);
	struct registers r = {~0ull, 0, 0xffffffff00000000 | msr, ~0ull};

	write_instruction(p, (const uint8_t[]){0x0f, 0x32}, 2);
	r = call_page(r);
	print_outcome(what, p,
		      r.rax == (uint32_t)plain && r.rdx == plain >> 32 &&
			      r.rcx == (0xffffffff00000000 | (msr + 1ull)));
}

static void try_wrmsr(const struct prefixes *p, const char *what, uint32_t msr, uint64_t value)
{
	const uint64_t before = rdmsr(msr);
	struct registers r = {0xffffffff00000000 | value, 0, msr, 0xffffffff00000000 | value >> 32};

	write_instruction(p, (const uint8_t[]){0x0f, 0x30}, 2);
	r = call_page(r);
	print_outcome(what, p, rdmsr(msr) == value && r.rcx == msr + 1ull);
	wrmsr(msr, before);
}

/* Each instruction of it may be stepped. */
static void loop_briefly(void)
{
	for (volatile unsigned i = 0; i < 100; i++)
		;
}

/* With an interrupt that waits for STI. */
static void try_hlt(const struct prefixes *p)
{
	const unsigned before = world_interrupts;

	at = 0;
	append_code_byte(STI);
	put_instruction(p, (const uint8_t[]){0xf4, CLI}, 2);
	put_return();
	world_apic_write(APIC_ICR, SELF_COMMAND);
	call_page((struct registers){0});
	if (world_interrupts == before) {
		irq_enable();
		loop_briefly();
		irq_disable();
	}
	print_outcome("HLT", p, world_interrupts == before + 1);
	if (vector == NONE)
		guest_print("  an interrupt at %lld",
			    (long long)(world_interrupted_at - (uint64_t)page));
}

/* The page is the function. */
static unsigned call_in_ring3(void)
{
	vector = NONE;
	return world_in_ring3((void (*)(uint64_t))(uint64_t)page, 0);
}

static void try_int(const struct prefixes *p, const char *what, const uint8_t *opcode, size_t n)
{
	unsigned ended;

	write_instruction(p, opcode, n);
	ended = call_in_ring3();
	guest_print("%s, %s: ended by %u, at %lld", what, p->name, ended, (long long)trapped_at);
}

/* And SYSRET with the same prefixes. */
static void try_syscall(const struct prefixes *p)
{
	unsigned ended;

	if (p->faults)
		return;
	at = HANDLER_AT;
	put_instruction(p, (const uint8_t[]){0x48, 0x0f, 0x07}, 3);
	write_instruction(p, (const uint8_t[]){0x0f, 0x05}, 2);
	ended = call_in_ring3();
	guest_print("SYSCALL, %s: ended by %u", p->name, ended);
}

static void try_instructions(const struct prefixes *p)
{
	const uint64_t efer = rdmsr(MSR_EFER);

	try_cpuid(p);
	try_rdmsr(p, "RDMSR", MSR_EFER);
	try_rdmsr(p, "RDMSR of another one", MSR_KERNEL_GS_BASE);
	try_wrmsr(p, "WRMSR", MSR_EFER, efer ^ EFER_NXE);
	try_wrmsr(p, "WRMSR of another one", MSR_KERNEL_GS_BASE, CALL_VALUE);
	try_hlt(p);
	try_int(p, "INT3", (const uint8_t[]){0xcc}, 1);
	try_int(p, "INT", (const uint8_t[]){0xcd, 0x80}, 2);
	try_int(p, "an INT that is refused", (const uint8_t[]){0xcd, 0x81}, 2);
	try_syscall(p);
}

static void try_prefixes(void)
{
	world_on_trap = note_trap;
	for (size_t i = 0; i < PREFIXES; i++)
		try_instructions(&all_prefixes[i]);
	world_on_trap = NULL;
}

static void after_prefixes(void)
{
}

static void step_prefixes(void)
{
	guest_with_calls(try_prefixes, (void (*)(void))(uint64_t)(page + HANDLER_AT), 0);
}

void guest_prefixes(void)
{
	world_run(step_prefixes, after_prefixes);
}
