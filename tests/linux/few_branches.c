// SPDX-License-Identifier: BSD-2-Clause
/*
 * few_branches.c - branches in a known order. `branches l N` takes eight of them in each of N
 * rounds, with labels (from_... at the branch, to_... at its target); `branches c N` spins N times
 * in the last of five functions that call each other, without frame pointers. It has no libc, so
 * that there is hardly any other code: gcc -O1 -g -static -nostdlib.
 */
/* A jump, a conditional branch (behind one that is not taken), an indirect call and its return, a
 * call and its return, an indirect jump, and the loop's own. */
void loop(unsigned long n);
__asm__(".text\n"
	".macro place name\n"
	".globl \\name\n"
	"\\name:\n"
	".endm\n"
	".globl loop\n"
	".type loop, @function\n"
	"loop:\n"
	"	lea to_icall(%rip), %rsi\n"
	"	lea to_ijump(%rip), %rdx\n"
	"place to_loop\n"
	"place from_jump\n"
	"	jmp to_jump\n"
	"	ud2\n"
	"place to_jump\n"
	"	test %rdi, %rdi\n"
	"	jz never\n"
	"	nop\n"
	"place from_jcc\n"
	"	jnz to_jcc\n"
	"	ud2\n"
	"place to_jcc\n"
	"	nop\n"
	"place from_icall\n"
	"	call *%rsi\n"
	"place to_iret\n"
	"	nop\n"
	"place from_call\n"
	"	call to_call\n"
	"place to_ret\n"
	"	nop\n"
	"place from_ijump\n"
	"	jmp *%rdx\n"
	"	ud2\n"
	"place to_ijump\n"
	"	dec %rdi\n"
	"place from_loop\n"
	"	jnz to_loop\n"
	"	ret\n"
	"place to_icall\n"
	"	nop\n"
	"place from_iret\n"
	"	ret\n"
	"place to_call\n"
	"	nop\n"
	"	nop\n"
	"place from_ret\n"
	"	ret\n"
	"never:\n"
	"	ud2\n"
	".size loop, . - loop\n");

static __attribute__((noinline)) void fifth(unsigned long n)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
}

#define CALLS(name, callee)                                         \
	static __attribute__((noinline)) void name(unsigned long n) \
	{                                                           \
		callee(n);                                          \
		__asm__ volatile("");                               \
	}
CALLS(fourth, fifth)
CALLS(third, fourth)
CALLS(second, third)
CALLS(first, second)

static unsigned long number(const char *text)
{
	unsigned long n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (unsigned long)(*text - '0');
	return n;
}

/* The number of arguments, and then the arguments, lie on the stack. */
__asm__(".globl _start\n"
	"_start:\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call start\n"
	"	ud2\n");

__attribute__((noreturn, used)) void start(const long *stack)
{
	const char *const *argv = (const char *const *)(stack + 1);

	if (argv[1][0] == 'l')
		loop(number(argv[2]));
	else
		first(number(argv[2]));
	__asm__ volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11", "memory");
	__builtin_unreachable();
}
