// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz.c - attacks the runtime from ring 3: system calls with arguments of all kinds, privileged
 * instructions, MSRs, ports, memory that is not its own. A seeded generator decides, so each run is
 * the same.
 *
 * A try is answered by a result, or it faults; then the handler goes on with the next one. What the
 * program writes to is its scratch memory, and its rings: it never destroys itself.
 */
#include "tests/programs/fuzz_calls.h"

#include <asm/sigcontext.h>
#include <asm/ucontext.h>

/* --- Instructions --- */

#define TRY(asm) __asm__ volatile(asm : "+a"(a), "+b"(b), "+c"(c), "+d"(d) : : "memory", "cc")

static void try_msr_or_port(void)
{
	static const uint32_t msrs[] = {
		0x10,       0x1b,       0x38d,      0x38f,      0x186,      0xc1,
		0x309,      0x600,      0x1d9,      0x3f1,      0x802,      0x830,
		0xc0000080, 0xc0000081, 0xc0000082, 0xc0000100, 0xc0000102, 0xc0010000,
		0xc0010114, 0xc0010117, 0xc0010200, 0xc0011030,
	};
	uint64_t a = any_number(), b = any_address(), c = any_number(), d = any_number();

	c = one_in(2) ? msrs[any_below(LENGTH(msrs))] + any_below(4) : c;
	switch (any_below(10)) {
	case 0:
		TRY("rdmsr");
		break;
	case 1:
		TRY("wrmsr");
		break;
	case 2:
		TRY("rdpmc");
		break;
	case 3:
		TRY("in %%dx, %%al");
		break;
	case 4:
		TRY("in %%dx, %%eax");
		break;
	case 5:
		TRY("out %%al, %%dx");
		break;
	case 6:
		TRY("out %%eax, %%dx");
		break;
	case 7:
		TRY("xor %%edi, %%edi\n\tmov $3, %%ecx\n\trep insb");
		break;
	case 8:
		TRY("in $0x70, %%al");
		break;
	default:
		TRY("mov %%rbx, %%rsi\n\toutsb");
		break;
	}
}

static void try_privileged(void)
{
	uint64_t a = any_number(), b = any_address(), c = any_number(), d = any_number();

	switch (any_below(56)) {
#define CASE(n, asm)      \
	case n:           \
		TRY(asm); \
		break;
		CASE(0, "hlt")
		CASE(1, "cli")
		CASE(2, "sti")
		CASE(3, "mov %%cr0, %%rax")
		CASE(4, "mov %%rax, %%cr0")
		CASE(5, "mov %%cr2, %%rax")
		CASE(6, "mov %%rax, %%cr3")
		CASE(7, "mov %%rax, %%cr4")
		CASE(8, "mov %%rax, %%cr8")
		CASE(9, "mov %%rax, %%dr0")
		CASE(10, "mov %%dr7, %%rax")
		CASE(11, "mov %%rax, %%dr7")
		CASE(12, "lgdt (%%rbx)")
		CASE(13, "lidt (%%rbx)")
		CASE(14, "lldt %%ax")
		CASE(15, "ltr %%ax")
		CASE(16, "sgdt (%%rbx)")
		CASE(17, "sidt (%%rbx)")
		CASE(18, "sldt %%rax")
		CASE(19, "str %%rax")
		CASE(20, "smsw %%rax")
		CASE(21, "lmsw %%ax")
		CASE(22, "clts")
		CASE(23, "invlpg (%%rbx)")
		CASE(24, "invd")
		CASE(25, "wbinvd")
		CASE(26, "swapgs")
		CASE(27, "sysretq")
		CASE(28, "sysexitl")
		CASE(29, "sysenter")
		CASE(30, "rsm")
		CASE(31, "vmrun")
		CASE(32, "vmmcall")
		CASE(33, "vmload")
		CASE(34, "vmsave")
		CASE(35, "stgi")
		CASE(36, "clgi")
		CASE(37, "skinit")
		CASE(38, "invlpga")
		CASE(39, "vmcall")
		CASE(40, "vmlaunch")
		CASE(41, "monitor")
		CASE(42, "mwait")
		CASE(43, "xsetbv")
		CASE(44, "xor %%ecx, %%ecx\n\txgetbv")
		CASE(45, "cpuid")
		CASE(46, "rdtsc")
		CASE(47, "ud2")
		CASE(48, "int $2")
		CASE(49, "int $8")
		CASE(50, "int $0x80")
		CASE(51, "int $0xf0")
		CASE(52, "int3")
		CASE(53, "int1")
		CASE(54, "ljmp *(%%rbx)")
		CASE(55, "clac")
#undef CASE
	}
}

/* The flags are put back; a set TF is a #DB, and AC faults on what is misaligned. */
static void try_state(void)
{
	uint64_t a = any_number(), b = any_address(), c = any_number(), d = any_number();

	switch (any_below(10)) {
	case 0:
		a = any_below(2) ? any_below(64) : a;
		TRY("mov %%ax, %%ds");
		break;
	case 1:
		TRY("mov %%ax, %%es");
		break;
	case 2:
		a = any_below(64);
		TRY("mov %%ax, %%gs");
		break;
	case 3:
		TRY("mov %%ax, %%ss");
		break;
	case 4:
		a &= ~0x100ull; /* TF would tell of the instruction behind it */
		TRY("pushf\n\tpush %%rax\n\tpopf\n\tmov 1(%%rsp), %%ecx\n\tpopf\n\tcld");
		break;
	case 5:
		TRY("pushf\n\torl $0x100, (%%rsp)\n\tpopf\n\tnop");
		break;
	case 6:
		TRY("push %%rax\n\tldmxcsr (%%rsp)\n\tpop %%rax\n\tpush $0x1f80\n\tldmxcsr "
		    "(%%rsp)\n\tpop %%rax");
		break;
	case 7:
		TRY("mov %%rsp, %%rcx\n\tmov %%rbx, %%rsp\n\tpush %%rax\n\tmov %%rcx, %%rsp");
		break;
	case 8:
		TRY("wrfsbase %%rax\n\tmov %%fs:0, %%rax");
		break;
	default:
		TRY("xor %%ecx, %%ecx\n\tdiv %%ecx");
		break;
	}
}

/* --- Memory --- */

static void try_memory(void)
{
	uint64_t at = any_address(), value = any_number();

	switch (any_below(6)) {
	case 0:
		(void)*(volatile uint8_t *)at;
		break;
	case 1:
		(void)*(volatile uint64_t *)at;
		break;
	case 2:
		*(volatile uint8_t *)at = (uint8_t)value;
		break;
	case 3:
		*(volatile uint64_t *)at = value;
		break;
	case 4:
		__asm__ volatile("lock cmpxchg %0, (%1)"
				 :
				 : "r"(value), "r"(at), "a"(value)
				 : "memory", "cc");
		break;
	default:
		if (at - own_code() < 4096)
			break;
		((void (*)(void))at)();
		break;
	}
}

/* --- Frames of signals --- */

/* With any contents the frame goes on at an instruction that faults. Handlers do not change. */
static void try_sigreturn(void)
{
	struct ucontext *uc = any_bytes(sizeof(*uc) + sizeof(siginfo_t));
	struct sigcontext_64 *sc = (struct sigcontext_64 *)&uc->uc_mcontext;

	uc->uc_stack.ss_flags = 1; /* SS_ONSTACK */
	uc->uc_sigmask = 0;
	if (!one_in(4))
		__asm__("lea 1f(%%rip), %0" : "=r"(sc->ip));
	if (!one_in(4))
		sc->fpstate = one_in(2) ? 0 : any_address();
	__asm__ volatile("mov %0, %%rsp\n\t"
			 "mov %1, %%eax\n\t"
			 "syscall\n"
			 "1: ud2"
			 :
			 : "r"(uc), "i"(__NR_rt_sigreturn)
			 : "memory");
	__builtin_unreachable();
}

/* --- All of it --- */

static void try_one(void)
{
	switch (any_below(16)) {
	case 0:
	case 1:
		try_msr_or_port();
		break;
	case 2:
	case 3:
		try_privileged();
		break;
	case 4:
		if (one_in(8))
			try_sigreturn();
		try_state();
		break;
	case 5:
	case 6:
	case 7:
		try_memory();
		break;
	default:
		try_syscall();
		return;
	}
	fuzz.executed++;
}

/* --- The run --- */

/* The handler uses nothing of the interrupted code. */
static void count_fault(int number, siginfo_t *info, void *ucontext)
{
	const struct sigcontext_64 *sc =
		(const struct sigcontext_64 *)&((struct ucontext *)ucontext)->uc_mcontext;

	(void)number;
	(void)info;
	fuzz.faults[sc->trapno % VECTORS]++;
	__builtin_longjmp(fuzz.go_on, 1);
}

static void on_other_signal(int number, siginfo_t *info, void *ucontext)
{
	(void)number;
	(void)info;
	(void)ucontext;
}

static bool is_fault(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGTRAP ||
	       number == SIGFPE;
}

static void handle_signals(void)
{
	signal_stack((void *)HANDLER_STACK, HANDLER_BYTES);
	for (int number = 1; number <= 64; number++)
		signal_handle(number, is_fault(number) ? count_fault : on_other_signal,
			      is_fault(number) ? SA_ONSTACK | SA_NODEFER : SA_ONSTACK);
}

static void line_count(struct line *l, uint64_t value, const char *what)
{
	line_number(l, value);
	line_text(l, what);
}

static uint64_t all_faults(void)
{
	uint64_t n = 0;

	for (unsigned v = 0; v < VECTORS; v++)
		n += fuzz.faults[v];
	return n;
}

static void report_tries(uint64_t seed)
{
	struct line l = {.n = 0};

	line_text(&l, "fuzz: ");
	line_count(&l, fuzz.tries, " tries of seed ");
	line_count(&l, seed, ": ");
	line_count(&l, fuzz.answered, " answered, ");
	line_count(&l, fuzz.refused, " refused, ");
	line_count(&l, fuzz.executed, " executed, ");
	line_count(&l, all_faults(), " faults (#GP ");
	line_count(&l, fuzz.faults[13], ", #PF ");
	line_count(&l, fuzz.faults[14], ", #UD ");
	line_count(&l, fuzz.faults[6], ", #DB ");
	line_count(&l, fuzz.faults[1], ")\n");
	line_print(&l);
}

/* A fault comes back to where it is ready for the next one. */
static __attribute__((noinline)) void try_all(uint64_t tries)
{
	__builtin_setjmp(fuzz.go_on);
	while (fuzz.tries < tries) {
		fuzz.tries++;
		try_one();
	}
}

/* In the end some processes execute another program, with words at any addresses. */
void fuzz_in_child(uint64_t tries, uint64_t seed)
{
	fuzz.is_child = true;
	fuzz.tries = 0;
	fuzz.random = seed | 1;
	try_all(tries);
	if (one_in(2))
		linux_syscall3(__NR_execve,
			       (uint64_t)(one_in(8) ? (char *)any_address() : "/perf0/bin/loop"),
			       one_in(2) ? 0 : any_address(), one_in(2) ? 0 : any_address());
	linux_exit_group(0);
}

static void workload_fuzz(uint64_t tries, uint64_t seed)
{
	fuzz.entry = (uint64_t)workload_fuzz;
	fuzz.random = seed * 0x9e3779b97f4a7c15 + 1;
	for (unsigned i = 0; i < FDS_MOST; i++)
		fuzz.fds[i] = -1;
	handle_signals();
	try_all(tries);
	report_tries(seed);
	linux_exit_group(fuzz.tries != fuzz.answered + fuzz.refused + fuzz.executed + all_faults());
}

static const struct workload fuzz_workload = {
	.name = "fuzz",
	.usage = "[N] [SEED]",
	.summary = "N tries (10000) to do what ring 3 may not, or not so; SEED (1) says which",
	.entry = WORKLOAD_CODE(workload_fuzz),
	.params = {{"N", WORKLOAD_NUMBER, 10000, 1, UINT64_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(fuzz_workload);
