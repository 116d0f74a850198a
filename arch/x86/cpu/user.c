// SPDX-License-Identifier: BSD-2-Clause
/* user.c - see user.h. */
#include "arch/x86/cpu/user.h"

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/step.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/vector.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/string.h"

#include <asm/sigcontext.h>
#include <linux/errno.h>

#define STAR_KERNEL_SHIFT 32
#define STAR_USER_SHIFT   48

/* The workload's stack pointer may stand right above its stack. */
#define STACK_TOP_SLACK 1

/* The first values of FXRSTOR and XRSTOR: x87 as after FNINIT, MXCSR as after reset. */
#define FPU_FCW         0
#define FPU_FCW_VALUE   0x037f
#define FPU_MXCSR       24
#define FPU_MXCSR_VALUE 0x1f80
#define FPU_X87_REGS    32
#define FPU_XMM_REGS    160
#define FXSAVE_BYTES    USER_FXSAVE_BYTES
#define FPU_SOFTWARE    464 /* bytes that FXSAVE leaves to software */

#define SIGNAL_FRAME_MOST 1536 /* of a signal on the stack, without the FPU's state */

/* FXRSTOR, or XRSTOR by the header at the end of these bytes, loads the initial state from them;
 * the bytes behind are not read. */
#define FPU_INIT_BYTES 576

/* XCR0: the parts of the CPU's state that ring 3 may use (SDM vol. 1, "Managing State Using the
 * XSAVE Feature Set"); only parts that fit into struct user_state. */
#define XCR0_X87    (1u << 0)
#define XCR0_SSE    (1u << 1)
#define XCR0_AVX    (1u << 2)
#define XCR0_AVX512 (7u << 5)

static PERCPU struct user_state *state; /* of ring 3, which runs or will run */
static PERCPU bool running;
static PERCPU uint64_t left_at; /* user_ip() while there is no frame of ring 3 */
static long no_syscall(long nr, struct trap_frame *frame);
static const struct user_syscalls no_syscalls = {.call = no_syscall};
static const struct user_syscalls *syscalls = &no_syscalls;
static user_brief *const no_brief[USER_BRIEF_CALLS];
user_syscall *user_syscall_handler = no_syscall;
user_brief *const *user_brief_calls = no_brief;
static user_fault_in *fault_in;
static uint32_t xcr0 = XCR0_X87 | XCR0_SSE; /* the enabled parts */
static const uint32_t mxcsr_mask = 0xffff;
static bool use_xsave, use_fsgsbase, use_smap;
static uint32_t fpu_size = FXSAVE_BYTES; /* of a task's FPU state in memory */
static PERCPU struct {
	uint64_t fs, gs;
} bases; /* this CPU's bases when ring 3 was left, or later */

/* entry.S */
long user_enter(const struct trap_frame *regs);
long user_enter_syscall(const struct trap_frame *regs, long nr);
_Noreturn void user_return(long code);
long user_stepped_syscall(long nr, struct trap_frame *frame);
extern user_syscall *user_syscall_handler;
extern user_brief *const *user_brief_calls;
extern PERCPU uint64_t user_syscall_ticks; /* during a call: less the TSC at its entry */

static void write_xcr0(uint32_t value)
{
	xcr0 = value;
	insn_xsetbv(0, value);
}

/* The bytes that XSAVE writes with the current XCR0. */
static uint32_t xsave_bytes(void)
{
	return insn_cpuid(0xd, 0).ebx;
}

/* AVX-512's state is enabled as a whole or not at all. State that does not fit into struct
 * user_state stays disabled, so its instructions raise #UD. */
static void enable_xsave(void)
{
	const uint32_t wanted[] = {XCR0_AVX512 | XCR0_AVX, XCR0_AVX, 0};
	uint32_t supported;

	use_xsave = cpuid_fact(CPUID_FACT(1, 0, ECX, 26, 26));
	if (!use_xsave)
		return;
	write_cr4(read_cr4() | CR4_OSXSAVE);
	supported = insn_cpuid(0xd, 0).eax;
	for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (wanted[i] & ~supported)
			continue;
		write_xcr0(XCR0_X87 | XCR0_SSE | wanted[i]);
		fpu_size = xsave_bytes();
		if (fpu_size <= USER_FPU_BYTES)
			return;
	}
}

/* SDM vol. 1, "Setting and using FSGSBASE". */
static void enable_fsgsbase(void)
{
	use_fsgsbase = cpuid_fact(CPUID_FACT(7, 0, EBX, 0, 0));
	if (use_fsgsbase)
		write_cr4(read_cr4() | CR4_FSGSBASE);
}

void user_init(void)
{
	wrmsr(MSR_STAR, (uint64_t)SEL_KERNEL_CODE << STAR_KERNEL_SHIFT |
				(uint64_t)(SEL_USER_BASE | SEL_RPL_USER) << STAR_USER_SHIFT);
	wrmsr(MSR_LSTAR, (uintptr_t)user_syscall_entry);
	wrmsr(MSR_SFMASK, RFLAGS_IF | RFLAGS_TF | RFLAGS_DF | RFLAGS_AC | RFLAGS_NT);
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SCE);
	wrmsr(MSR_FS_BASE, 0);
	wrmsr(MSR_GS_BASE, 0);
	enable_xsave();
	enable_fsgsbase();
	use_smap = cpuid_fact(CPUID_FACT(7, 0, EBX, 20, 20));
}

bool user_running(void)
{
	return running;
}

static void init_fpu(struct user_state *s)
{
	const uint16_t fcw = FPU_FCW_VALUE;
	const uint32_t mxcsr = FPU_MXCSR_VALUE;

	memset(s->fpu, 0, FPU_INIT_BYTES);
	memcpy(s->fpu + FPU_FCW, &fcw, sizeof(fcw));
	memcpy(s->fpu + FPU_MXCSR, &mxcsr, sizeof(mxcsr));
}

int user_state_init(struct user_state *s, uint64_t rip, uint64_t rsp, const uint64_t args[6])
{
	if (!user_range(rip, 1) || !user_range(rsp - STACK_TOP_SLACK, 1))
		return -EFAULT;
	s->regs = (struct trap_frame){
		.rip = rip,
		.cs = SEL_USER_CODE | SEL_RPL_USER,
		.rflags = RFLAGS_IF | RFLAGS_RESERVED,
		.rsp = rsp,
		.ss = SEL_USER_DATA | SEL_RPL_USER,
		.rdi = args[0],
		.rsi = args[1],
		.rdx = args[2],
		.rcx = args[3],
		.r8 = args[4],
		.r9 = args[5],
	};
	s->fs_base = s->gs_base = 0;
	init_fpu(s);
	return 0;
}

void user_state_clear(struct user_state *s)
{
	memset(s->fpu, 0, fpu_size);
}

static void load_fpu(const struct user_state *s)
{
	if (use_xsave)
		__asm__ volatile("xrstor64 %0" : : "m"(s->fpu), "a"(-1u), "d"(-1u));
	else
		insn_fxrstor(s->fpu);
}

static void save_fpu(struct user_state *s)
{
	if (use_xsave)
		__asm__ volatile("xsave64 %0" : "+m"(s->fpu) : "a"(-1u), "d"(-1u));
	else
		insn_fxsave(s->fpu);
}

/* --- Bases of FS and GS --- */

uint64_t user_fs_base(void)
{
	return use_fsgsbase ? insn_rdfsbase() : rdmsr(MSR_FS_BASE);
}

uint64_t user_gs_base(void)
{
	return use_fsgsbase ? insn_rdgsbase() : rdmsr(MSR_GS_BASE);
}

static void write_fs_base(uint64_t base)
{
	bases.fs = base;
	if (use_fsgsbase)
		insn_wrfsbase(base);
	else
		wrmsr(MSR_FS_BASE, base);
}

static void write_gs_base(uint64_t base)
{
	bases.gs = base;
	if (use_fsgsbase)
		insn_wrgsbase(base);
	else
		wrmsr(MSR_GS_BASE, base);
}

int user_set_fs_base(uint64_t base)
{
	if (base >= RING3_LIMIT)
		return -EPERM;
	write_fs_base(base);
	return 0;
}

int user_set_gs_base(uint64_t base)
{
	if (base >= RING3_LIMIT)
		return -EPERM;
	write_gs_base(base);
	return 0;
}

/* Selectors that ring 3 has loaded are not kept. The base after a null selector depends on the CPU:
 * 0, or as it was. */
static void clear_selectors(void)
{
	insn_load_fs(0);
	insn_load_gs(0);
	bases.fs = user_fs_base();
	bases.gs = user_gs_base();
}

static void load_bases(const struct user_state *s)
{
	if (__builtin_expect(insn_fs() | insn_gs(), 0))
		clear_selectors();
	if (s->fs_base != bases.fs)
		write_fs_base(s->fs_base);
	if (s->gs_base != bases.gs)
		write_gs_base(s->gs_base);
}

/* The next program begins with bases of 0, so that loading them always costs the same. */
static void forget_bases(void)
{
	if (bases.fs)
		write_fs_base(0);
	if (bases.gs)
		write_gs_base(0);
}

static void save_bases(struct user_state *s)
{
	s->fs_base = bases.fs = user_fs_base();
	s->gs_base = bases.gs = user_gs_base();
}

/* --- The frame of a signal: Linux's struct _fpx_sw_bytes tells its contents --- */

static uint32_t fpu_bytes(void)
{
	return fpu_size;
}

size_t user_fpu_frame_bytes(void)
{
	return fpu_bytes() + (use_xsave ? sizeof(uint32_t) : 0);
}

size_t user_signal_stack_bytes(void)
{
	return SIGNAL_FRAME_MOST + fpu_bytes();
}

uint64_t user_hwcap2(void)
{
	return use_fsgsbase ? 1u << 1 : 0;
}

int user_fpu_to_frame(const struct user_state *s, uint64_t to)
{
	const uint32_t bytes = fpu_bytes(), end = FP_XSTATE_MAGIC2;
	const struct _fpx_sw_bytes told = {
		.magic1 = FP_XSTATE_MAGIC1,
		.extended_size = bytes + sizeof(end),
		.xfeatures = xcr0,
		.xstate_size = bytes,
	};

	if (copy_to_user(to, s->fpu, bytes))
		return -EFAULT;
	if (!use_xsave)
		return 0;
	return copy_to_user(to + FPU_SOFTWARE, &told, sizeof(told)) ||
			       copy_to_user(to + bytes, &end, sizeof(end))
		       ? -EFAULT
		       : 0;
}

/* Reduces the state that a signal handler left to a state that XRSTOR takes without a fault. */
static void check_fpu(uint8_t *fpu)
{
	uint64_t header[8] = {0};
	uint32_t mxcsr;

	memcpy(&mxcsr, fpu + FPU_MXCSR, sizeof(mxcsr));
	mxcsr &= mxcsr_mask;
	memcpy(fpu + FPU_MXCSR, &mxcsr, sizeof(mxcsr));
	if (!use_xsave)
		return;
	memcpy(header, fpu + FXSAVE_BYTES, sizeof(header[0]));
	header[0] &= xcr0;
	memcpy(fpu + FXSAVE_BYTES, header, sizeof(header));
}

int user_fpu_from_frame(struct user_state *s, uint64_t from)
{
	if (!from) {
		init_fpu(s);
		return 0;
	}
	if (copy_from_user(s->fpu, from, fpu_bytes()))
		return -EFAULT;
	check_fpu(s->fpu);
	return 0;
}

/* --- A debugger's view of the state --- */

#define XSTATE_PARTS_FIRST 2 /* the parts after FXSAVE's: CPUID 0xD has their offsets */
#define XSTATE_PARTS_LAST  9

size_t user_xstate_bytes(void)
{
	return fpu_bytes();
}

static void init_legacy(uint8_t *fpu, uint64_t there)
{
	const uint16_t fcw = FPU_FCW_VALUE;

	if (!(there & XCR0_X87)) {
		memset(fpu, 0, FPU_MXCSR);
		memset(fpu + FPU_X87_REGS, 0, FPU_XMM_REGS - FPU_X87_REGS);
		memcpy(fpu + FPU_FCW, &fcw, sizeof(fcw));
	}
	if (!(there & XCR0_SSE))
		memset(fpu + FPU_XMM_REGS, 0, FPU_SOFTWARE - FPU_XMM_REGS);
}

/* XSAVE writes only the parts that its header names. */
static void init_missing(uint8_t *fpu, uint64_t there)
{
	init_legacy(fpu, there);
	for (unsigned i = XSTATE_PARTS_FIRST; i <= XSTATE_PARTS_LAST; i++) {
		const struct cpuid_regs part = insn_cpuid(0xd, i);

		if (xcr0 >> i & 1 && !(there >> i & 1))
			memset(fpu + part.ebx, 0, part.eax);
	}
}

void user_xstate_read(const struct user_state *s, uint8_t *to)
{
	const uint64_t features = xcr0;
	uint64_t there;

	memcpy(to, s->fpu, fpu_bytes());
	if (!use_xsave)
		return;
	memcpy(&there, to + FXSAVE_BYTES, sizeof(there));
	init_missing(to, there);
	memcpy(to + FPU_SOFTWARE, &features, sizeof(features));
}

static bool is_loadable(const uint8_t *fpu, size_t bytes)
{
	uint64_t header[8] = {0};
	uint32_t mxcsr;

	memcpy(&mxcsr, fpu + FPU_MXCSR, sizeof(mxcsr));
	if (bytes > FXSAVE_BYTES)
		memcpy(header, fpu + FXSAVE_BYTES, sizeof(header));
	for (unsigned i = 1; i < 8; i++)
		if (header[i])
			return false;
	return !(header[0] & ~(uint64_t)xcr0) && !(mxcsr & ~mxcsr_mask);
}

int user_xstate_write(struct user_state *s, const uint8_t *from, size_t bytes)
{
	uint64_t there;

	if (!is_loadable(from, bytes))
		return -EINVAL;
	memcpy(s->fpu, from, bytes);
	if (!use_xsave || bytes > FXSAVE_BYTES)
		return 0;
	memcpy(&there, s->fpu + FXSAVE_BYTES, sizeof(there));
	there |= XCR0_X87 | XCR0_SSE;
	memcpy(s->fpu + FXSAVE_BYTES, &there, sizeof(there));
	return 0;
}

/* --- Ring 3 begins and ends --- */

static inline void load_state(struct user_state *s)
{
	ASSERT(!running);
	user_prepare(s); /* a signal may have changed its RIP */
	load_fpu(s);
	load_bases(s);
	running = true;
}

long user_resume(struct user_state *s)
{
	long code;

	load_state(s);
	code = user_enter(&s->regs);
	running = false;
	return code;
}

long user_resume_syscall(struct user_state *s, long nr)
{
	long code;

	load_state(s);
	code = user_enter_syscall(&s->regs, nr);
	running = false;
	return code;
}

long user_run(uint64_t rip, uint64_t rsp, const uint64_t args[6])
{
	struct user_state s;
	uint64_t flags;
	long code;

	if (user_state_init(&s, rip, rsp, args))
		return -EFAULT;
	flags = irq_save();
	code = user_resume(&s);
	user_prepare(NULL);
	irq_restore(flags);
	return code;
}

void user_prepare(struct user_state *s)
{
	const bool known = s == state && s && left_at == s->regs.rip;

	ASSERT(!running);
	state = s;
	if (!s)
		forget_bases();
	/* Ring 3 that was left and is entered again at once is stepped on. */
	if (!s || (known && !(step_on && step_was_left())))
		return;
	if (step_on)
		step_prepared(s->regs.rip);
	left_at = s->regs.rip;
}

void user_forget(void)
{
	clear_selectors();
	user_prepare(NULL);
	left_at = 0;
}

bool user_set_tf(bool on)
{
	struct trap_frame *frame = running ? trap_user_frame() : state ? &state->regs : NULL;
	bool was = frame && frame->rflags & RFLAGS_TF;

	if (!frame)
		return false;
	frame->rflags &= ~(uint64_t)RFLAGS_TF;
	frame->rflags |= on ? RFLAGS_TF : 0;
	return was;
}

bool user_set_own_tf(struct user_state *s, bool on)
{
	const bool was = s->regs.rflags & RFLAGS_TF;

	if (state == s && step_is_prepared())
		return step_set_own_tf(on);
	s->regs.rflags &= ~(uint64_t)RFLAGS_TF;
	s->regs.rflags |= on ? RFLAGS_TF : 0;
	return was;
}

static void save_state(struct user_state *to, const struct trap_frame *frame)
{
	to->regs = *frame;
	save_fpu(to);
	save_bases(to);
}

void user_save(struct user_state *to)
{
	ASSERT(running);
	save_state(to, trap_user_frame());
}

_Noreturn void user_leave(long code)
{
	struct trap_frame *frame = trap_user_frame();

	ASSERT(running);
	left_at = frame->rip;
	if (step_on)
		step_left(frame);
	save_state(state, frame);
	trap_forget_context();
	user_return(code);
}

uint64_t user_ip(void)
{
	const struct trap_frame *frame = trap_user_frame();

	return frame ? frame->rip : left_at;
}

/*
 * In SYSCALL's entry RCX is what will be pushed as RIP; that slot is not used otherwise meanwhile.
 */
void user_nmi_in_syscall(const struct trap_frame *frame)
{
	trap_user_frame()->rip = frame->rcx;
}

/* A CPU may read one of the two values before the change and the other after it: its calls are
 * correct in any case. */
const struct user_syscalls *user_set_syscalls(const struct user_syscalls *calls)
{
	const struct user_syscalls *old = syscalls;

	syscalls = calls;
	__atomic_store_n(&user_syscall_handler, calls->call, __ATOMIC_RELEASE);
	__atomic_store_n(&user_brief_calls, calls->brief ? calls->brief : no_brief,
			 __ATOMIC_RELEASE);
	return old;
}

uint64_t user_syscall_ticks_so_far(bool inside)
{
	return user_syscall_ticks + (inside ? rdtsc() : 0);
}

uint64_t user_take_syscall_ticks(bool inside)
{
	const uint64_t ticks = user_syscall_ticks_so_far(inside);

	user_syscall_ticks = 0;
	return ticks;
}

static long no_syscall(long nr, struct trap_frame *frame)
{
	(void)nr;
	(void)frame;
	return -ENOSYS;
}

/* Called by entry.S, in place of the handler while ring 3 is stepped. */
long user_stepped_syscall(long nr, struct trap_frame *frame)
{
	long result;

	step_syscall();
	result = user_syscall_handler(nr, frame);
	step_sysret();
	return result;
}

/* Where the CPU has SMAP: STAC and CLAC exist even while CR4 has it off. */
static inline void begin_access(void)
{
	if (use_smap)
		insn_stac();
}

static inline void end_access(void)
{
	if (use_smap)
		insn_clac();
}

void user_access_begin(void)
{
	begin_access();
}

void user_access_end(void)
{
	end_access();
}

/* Returns the number of bytes that a page fault kept from being copied. After a fault in a word,
 * its bytes are tried one by one. */
static size_t copy_until_fault(void *dst, const void *src, size_t n)
{
	const size_t rest = n % 8;

	n /= 8;
	__asm__ volatile("1: rep movsq\n"
			 "2: lea (%[rest], %%rcx, 8), %%rcx\n"
			 "3: rep movsb\n"
			 "4:\n\t" INSN_EXTABLE("1b", "2b") INSN_EXTABLE("3b", "4b")
			 : "+D"(dst), "+S"(src), "+c"(n)
			 : [rest] "r"(rest)
			 : "memory");
	return n;
}

/* An NMI may come here while a page fault handler is about to read CR2: hence CR2 is restored. */
static size_t copy_user_bytes(void *dst, const void *src, size_t n)
{
	uint64_t cr2 = read_cr2();
	size_t left;

	begin_access();
	left = copy_until_fault(dst, src, n);
	end_access();
	if (left)
		write_cr2(cr2);
	return n - left;
}

user_fault_in *user_set_fault_in(user_fault_in *fn)
{
	user_fault_in *old = fault_in;

	fault_in = fn;
	return old;
}

/* The first byte is missing. Pages that are not there yet are allocated, as by an access of ring 3.
 */
static __attribute__((noinline)) int copy_missing(uint8_t *dst, const uint8_t *src, size_t n,
						  bool write)
{
	while (n) {
		size_t done;

		if (!fault_in || !fault_in((uintptr_t)(write ? dst : src), write))
			return -EFAULT;
		done = copy_user_bytes(dst, src, n);
		dst += done;
		src += done;
		n -= done;
	}
	return 0;
}

static inline int copy_all(uint8_t *dst, const uint8_t *src, size_t n, bool write)
{
	const size_t done = copy_user_bytes(dst, src, n);

	return done == n ? 0 : copy_missing(dst + done, src + done, n - done, write);
}

int copy_from_user(void *dst, uint64_t user_src, size_t n)
{
	if (!user_range(user_src, n))
		return -EFAULT;
	return copy_all(dst, (const uint8_t *)user_src, n, false);
}

size_t copy_from_user_some(void *dst, uint64_t user_src, size_t n)
{
	return user_range(user_src, n) ? copy_user_bytes(dst, (const void *)user_src, n) : 0;
}

int copy_to_user(uint64_t user_dst, const void *src, size_t n)
{
	if (!user_range(user_dst, n))
		return -EFAULT;
	return copy_all((uint8_t *)user_dst, src, n, true);
}

static __attribute__((noinline)) int put_user_slowly(uint64_t user_dst, uint64_t word)
{
	return copy_to_user(user_dst, &word, sizeof(word));
}

/* The common case: the page is there. */
int put_user(uint64_t user_dst, uint64_t word)
{
	if (user_dst - RING3_START > USER_BYTES - sizeof(word))
		return -EFAULT;
	begin_access();
	__asm__ goto("1: mov %[word], (%[dst])\n\t" INSN_EXTABLE("1b", "%l[faulted]")
		     :
		     : [word] "r"(word), [dst] "r"(user_dst)
		     : "memory"
		     : faulted);
	end_access();
	return 0;
faulted:
	end_access();
	return put_user_slowly(user_dst, word);
}

int get_user32(uint32_t *to, uint64_t user_src)
{
	uint32_t word = 0;

	if (user_src - RING3_START > USER_BYTES - sizeof(word))
		return -EFAULT;
	begin_access();
	__asm__ goto("1: mov (%[src]), %[word]\n\t" INSN_EXTABLE("1b", "%l[faulted]")
		     : [word] "=r"(word)
		     : [src] "r"(user_src)
		     : "memory"
		     : faulted);
	end_access();
	*to = word;
	return 0;
faulted:
	end_access();
	return copy_from_user(to, user_src, sizeof(*to));
}

/* One attempt; false: the page cannot be written to. */
static bool try_cmpxchg(uint64_t address, uint32_t *old, uint32_t new)
{
	bool ok = false;

	user_access_begin();
	__asm__ volatile("1: lock cmpxchgl %[new], (%[at])\n\t"
			 "mov $1, %[ok]\n"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : [ok] "+r"(ok), "+a"(*old)
			 : [new] "r"(new), [at] "r"(address)
			 : "memory", "cc");
	user_access_end();
	return ok;
}

int user_cmpxchg(uint64_t address, uint32_t *old, uint32_t new)
{
	if (address & (sizeof(*old) - 1) || !user_range(address, sizeof(*old)))
		return -EFAULT;
	while (!try_cmpxchg(address, old, new))
		if (!fault_in || !fault_in(address, true))
			return -EFAULT;
	return 0;
}

bool probe_read(uint64_t va, uint64_t *value)
{
	uint64_t cr2 = read_cr2(), v = 0;
	bool ok = false;

	__asm__ volatile("1: mov (%[va]), %[v]\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : [v] "+r"(v), [ok] "+r"(ok)
			 : [va] "r"(va)
			 : "memory");
	*value = v;
	if (!ok)
		write_cr2(cr2);
	return ok;
}
