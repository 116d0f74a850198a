// SPDX-License-Identifier: BSD-2-Clause
/* interrupts.c - the instruction at which a pending interrupt comes, plain and while vpmu looks at
 * each instruction. */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"

#define VECTOR       0x51
#define HIGHER       0x61
#define LOW          0x19
#define COMMAND      (APIC_ICR_SELF | APIC_ICR_ASSERT)
#define TURNS        5000
#define APIC_ICR_AT  "0xfee00300"
#define RFLAGS_TF_RF 0x10100ull

struct frame {
	uint64_t rip, cs, rflags, rsp, ss;
};

static volatile uint64_t came_at;
static volatile unsigned ncame, turn, odd_flags;
static volatile uint8_t order[4];

static void note_arrival(struct frame *frame, uint8_t vector)
{
	came_at = frame->rip;
	odd_flags += !!(frame->rflags & RFLAGS_TF_RF);
	if (ncame < sizeof(order))
		order[ncame] = vector;
	ncame++;
	guest_apic_write(APIC_EOI, 0);
}

static void __attribute__((interrupt)) on_vector(struct frame *frame)
{
	note_arrival(frame, VECTOR);
}

static void __attribute__((interrupt)) on_higher(struct frame *frame)
{
	note_arrival(frame, HIGHER);
}

static void __attribute__((interrupt)) on_low(struct frame *frame)
{
	note_arrival(frame, LOW);
}

static void print_interrupts(const char *what, uint64_t from)
{
	guest_print("%s: %u came, %d bytes on; flags that are not ours %u", what, ncame,
		    ncame ? (int)(came_at - from) : 0, odd_flags);
	ncame = odd_flags = 0;
}

/* `code` of a test begins with the interrupt pending, and IF clear. */
#define PENDING(what, code)                                                                  \
	do {                                                                                 \
		uint64_t from;                                                               \
		guest_apic_write(APIC_ICR, COMMAND | VECTOR);                                \
		__asm__ volatile("lea 1f(%%rip), %0\n1:\t" code "\n\tnop\n\tnop\n\tcli"      \
				 : "=&r"(from)::"rax", "rbx", "rcx", "rdx", "cc", "memory"); \
		print_interrupts(what, from);                                                \
	} while (0)

static void shadows(void)
{
	PENDING("STI", "sti\n\tnop");
	PENDING("STI and CLI", "sti\n\tcli\n\tnop\n\tnop\n\tsti\n\tnop");
	PENDING("POPF", "pushfq\n\torq $0x200, (%%rsp)\n\tpopfq\n\tnop");
	PENDING("MOV SS", "mov %%ss, %%eax\n\tsti\n\tmov %%eax, %%ss\n\tnop");
	PENDING("STI and HLT", "sti\n\thlt\n\tnop");
	PENDING("STI and CPUID", "xor %%eax, %%eax\n\tsti\n\tcpuid");
}

static void while_running(void)
{
	uint64_t from = 0;

	irq_enable();
	guest_apic_write(APIC_ICR, COMMAND | VECTOR);
	for (turn = 0; turn < TURNS && !ncame; turn++)
		;
	irq_disable();
	from = came_at;
	guest_print("in turn %u", turn);
	print_interrupts("an interrupt of its own", from);
}

static void two_at_once(void)
{
	guest_apic_write(APIC_ICR, COMMAND | VECTOR);
	guest_apic_write(APIC_ICR, COMMAND | HIGHER);
	irq_enable();
	guest_spin();
	irq_disable();
	guest_print("two: %u, %x before %x", ncame, order[0], order[1]);
	ncame = odd_flags = 0;
}

/* An interrupt that the task priority holds back comes once the priority is lower. */
static void by_priority(void)
{
	unsigned before;

	write_cr8(VECTOR >> 4);
	guest_apic_write(APIC_ICR, COMMAND | VECTOR);
	irq_enable();
	for (turn = 0; turn < 100; turn++)
		;
	before = ncame;
	write_cr8(0);
	for (turn = 0; turn < TURNS && !ncame; turn++)
		;
	irq_disable();
	guest_print("held back %d, then in turn %u", !before, turn);
	ncame = odd_flags = 0;
}

/* An interrupt with the vector of an exception, without that exception. */
static void low_vector(void)
{
	uint64_t from;

	guest_apic_write(APIC_ICR, COMMAND | LOW);
	__asm__ volatile("lea 1f(%%rip), %0\n1:\tsti\n\thlt\n\tnop\n\tcli" : "=&r"(from)::"memory");
	print_interrupts("a low vector, and HLT", from);
	guest_apic_write(APIC_ICR, COMMAND | LOW);
	__asm__ volatile("lea 1f(%%rip), %0\n1:\tsti\n\tnop\n\tnop\n\tcli" : "=&r"(from)::"memory");
	print_interrupts("a low vector", from);
}

static void raise_interrupts(void)
{
	low_vector();
	shadows();
	while_running();
	by_priority();
	two_at_once();
}

void guest_interrupts(void)
{
	guest_take_idt(VECTOR, (void (*)(void))on_vector);
	guest_take_idt(HIGHER, (void (*)(void))on_higher);
	guest_take_idt(LOW, (void (*)(void))on_low);
	raise_interrupts();
	guest_count_closely();
	raise_interrupts();
	guest_count_no_more();
	guest_return_idt();
}
