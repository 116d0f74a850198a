// SPDX-License-Identifier: BSD-2-Clause
/* debug.c - single steps, breakpoints and DR6, as they are and while each instruction is counted.
 */
#include "tests/guests/guest.h"

#include "arch/x86/insn.h"

#define VECTOR_DB    1
#define DR6_CLEAR    0xffff0ff0ull
#define RFLAGS_TF    0x100ull
#define DR7_EXECUTE0 0x2ull
#define DR7_WRITE0   0xd0002ull /* of four bytes */
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

static void tell(const char *what, uint64_t from)
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
	tell("single steps", from);
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
	tell("a watched write", from);
}

static void all_of_them(void)
{
	read_back();
	read_own_bs();
	single_step();
	breakpoint_on_data();
}

void guest_debug(void)
{
	guest_take_idt(VECTOR_DB, (void (*)(void))note_debug);
	write_dr6(DR6_CLEAR);
	all_of_them();
	guest_count_closely();
	all_of_them();
	guest_count_no_more();
	guest_return_idt();
}
