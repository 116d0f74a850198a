// SPDX-License-Identifier: BSD-2-Clause
/* debug.c - single steps, breakpoints and DR6, plain and while vpmu looks at each instruction. */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"

#define VECTOR_DB    1
#define DR6_CLEAR    0xffff0ff0ull
#define RFLAGS_TF    0x100ull
#define DR7_EXECUTE0 0x2ull
#define DR7_WRITE0   0xd0002ull /* of four bytes */
#define DR7_IO0      0x20002ull
#define CR4_DE       (1ull << 3)
#define RFLAGS_RF    (1ull << 16)
#define SEEN_MAX     16

struct frame {
	uint64_t rip, cs, rflags, rsp, ss;
};

static struct seen {
	uint64_t dr6, rip;
	bool tf, rf;
} seen[SEEN_MAX];
static volatile unsigned nseen;
static volatile uint32_t watched;

static void __attribute__((interrupt)) note_debug(struct frame *frame)
{
	const uint64_t dr6 = read_dr6();

	if (nseen < SEEN_MAX)
		seen[nseen] = (struct seen){dr6, frame->rip, frame->rflags & RFLAGS_TF,
					    frame->rflags & RFLAGS_RF};
	nseen++;
	write_dr6(DR6_CLEAR);
	frame->rflags |= RFLAGS_RF;
}

static void print_traps(const char *what, uint64_t from)
{
	guest_print("%s: %u times, DR6 is %llx", what, nseen, (unsigned long long)read_dr6());
	for (unsigned i = 0; i < nseen && i < SEEN_MAX; i++)
		guest_print("  DR6 %llx, TF %d, %d bytes on", (unsigned long long)seen[i].dr6,
			    seen[i].tf, (int)(seen[i].rip - from));
	nseen = 0;
}

static void read_back(void)
{
	static const uint64_t values[] = {0, 0xe00f, 0x4000, 0xffffffff, 1, DR6_CLEAR};
	uint64_t got[6], again[6];

	for (unsigned i = 0; i < 6; i++) {
		write_dr6(values[i]);
		got[i] = read_dr6();
		__asm__ volatile("mov %%dr6, %%r11; mov %%r11, %0" : "=r"(again[i])::"r11");
	}
	for (unsigned i = 0; i < 6; i++)
		guest_print("DR6 %llx, %llx", (unsigned long long)got[i],
			    (unsigned long long)again[i]);
}

static void single_step(void)
{
	uint64_t from;

	__asm__ volatile("lea 1f(%%rip), %0\n\t"
			 "pushfq\n\t"
			 "orq $0x100, (%%rsp)\n\t"
			 "popfq\n"
			 "1:\tnop\n\t"
			 "pushfq\n\t"
			 "pop %%rax\n\t"
			 "xor %%eax, %%eax\n\t"
			 "cpuid\n\t"
			 "pushfq\n\t"
			 "andq $~0x100, (%%rsp)\n\t"
			 "popfq\n\t"
			 "nop"
			 : "=&r"(from)::"rax", "rbx", "rcx", "rdx", "cc", "memory");
	print_traps("single steps", from);
}

static void read_own_bs(void)
{
	uint64_t dr6;

	write_dr6(0x4000);
	__asm__ volatile("nop; nop; mov %%dr6, %0" : "=r"(dr6));
	write_dr6(DR6_CLEAR);
	guest_print("BS that was set stays: %llx", (unsigned long long)dr6);
}

static void breakpoint_on_data(void)
{
	uint64_t from;

	write_dr0((uint64_t)&watched);
	write_dr7(DR7_WRITE0);
	__asm__ volatile("lea 1f(%%rip), %0\n"
			 "1:\tnop\n\t"
			 "movl $1, %1\n\t"
			 "nop\n\t"
			 "nop"
			 : "=&r"(from), "=m"(watched)::"memory");
	write_dr7(0);
	print_traps("a watched write", from);
}

/* The handler does not clear DR6: a later hit is added to the bits that are set. */
static void __attribute__((interrupt)) note_and_leave(struct frame *frame)
{
	if (nseen < SEEN_MAX)
		seen[nseen] = (struct seen){read_dr6(), frame->rip, frame->rflags & RFLAGS_TF,
					    frame->rflags & RFLAGS_RF};
	nseen++;
	frame->rflags |= RFLAGS_RF;
}

#define WATCH(what, code)                                                       \
	do {                                                                    \
		uint64_t from;                                                  \
		__asm__ volatile("lea 1f(%%rip), %0\n1:\t" code                 \
				 : "=&r"(from), "+m"(watched)                   \
				 :                                              \
				 : "rax", "rbx", "rcx", "rdx", "memory", "cc"); \
		write_dr7(0);                                                   \
		print_traps(what, from);                                        \
	} while (0)
#define TF_ON  "pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\t"
#define TF_OFF "pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq\n\t"

static void breakpoints_left_in_dr6(void)
{
	guest_take_idt(VECTOR_DB, (void (*)(void))note_and_leave);
	write_dr0((uint64_t)&watched);
	write_dr7(DR7_WRITE0);
	WATCH("two watched writes", "movl $1, %1\n\tnop\n\tmovl $2, %1\n\tnop");
	write_dr6(DR6_CLEAR);
	guest_take_idt(VECTOR_DB, (void (*)(void))note_debug);
}

/* The address of the second instruction from label 1 on, of one byte each. */
#define BREAK_AT_SECOND(enable)                                                      \
	"lea 1f + 1(%%rip), %%rax\n\tmov %%rax, %%dr0\n\tmov $" enable ", %%eax\n\t" \
	"mov %%rax, %%dr7\n1:\t"

static void breakpoints_on_code(void)
{
	WATCH("a breakpoint", BREAK_AT_SECOND("2") "nop\n\tnop\n\tnop");
	WATCH("one that is off", BREAK_AT_SECOND("0x400") "nop\n\tnop\n\tnop");
	WATCH("one on CPUID", "xor %%eax, %%eax\n\t" BREAK_AT_SECOND("2") "nop\n\tcpuid\n\tnop");
	WATCH("one on PUSHF", BREAK_AT_SECOND("2") "nop\n\tpushfq\n\tpop %%rax");
	WATCH("one behind STI", BREAK_AT_SECOND("2") "sti\n\tnop\n\tcli");
	WATCH("one on CLI", BREAK_AT_SECOND("2") "nop\n\tcli\n\tnop");
	WATCH("one in a loop",
	      "mov $3, %%ecx\n\t" BREAK_AT_SECOND("2") "nop\n\tnop\n\tdec %%ecx\n\tjnz 1b");
	WATCH("one, and single steps",
	      BREAK_AT_SECOND("2") "nop\n\tnop\n\t" TF_ON "nop\n\t" TF_OFF);
	WATCH("one that is off, and single steps",
	      TF_ON BREAK_AT_SECOND("0x400") "nop\n\tnop\n\tnop\n\t" TF_OFF);
	WATCH("one that single steps come to",
	      TF_ON BREAK_AT_SECOND("2") "nop\n\tnop\n\tnop\n\t" TF_OFF);
	write_dr0(0);
}

static void breakpoint_on_io(void)
{
	const uint64_t cr4 = read_cr4();

	write_cr4(cr4 | CR4_DE);
	write_dr0(0x80);
	write_dr7(DR7_IO0);
	WATCH("a watched port", "nop\n\tin $0x80, %%al\n\tnop\n\tnop");
	write_dr7(DR7_IO0);
	WATCH("a watched port, and single steps", TF_ON "nop\n\tin $0x80, %%al\n\tnop\n\t" TF_OFF);
	write_cr4(cr4);
	write_dr0(0);
}

static void use_debug_registers(void)
{
	read_back();
	breakpoints_left_in_dr6();
	breakpoints_on_code();
	breakpoint_on_io();
	read_own_bs();
	single_step();
	breakpoint_on_data();
}

void guest_debug(void)
{
	guest_take_idt(VECTOR_DB, (void (*)(void))note_debug);
	write_dr6(DR6_CLEAR);
	use_debug_registers();
	guest_count_closely();
	use_debug_registers();
	guest_count_no_more();
	guest_return_idt();
}
