/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.h - into ring 3 and back.
 *
 * Ring 3 runs on its own stack with interrupts on. Everything that brings the CPU back to ring 0
 * runs with interrupts off on the stack of the code that called user_resume(), right below its
 * frame (NMIs on their own): there is one stack of ring 0 per CPU, and user_leave() saves ring 3's
 * registers and just drops what lies on it.
 *
 * Ring 0 has no use for FS and GS: their bases stay ring 3's all the time.
 *
 * Memory of ring 3 is touched through copy_from_user() and copy_to_user() only: SMAP, where the CPU
 * has it, lets nothing else through.
 */
#ifndef ARCH_X86_CPU_USER_H
#define ARCH_X86_CPU_USER_H

#include "arch/x86/cpu/trap.h"
#include "include/perf0/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* user_init() - sets up SYSCALL and SYSRET on this CPU. Task context, after trap_init(). */
void user_init(void);

/* All that ring 3 has of the CPU, while it has not the CPU. Selectors of data segments are not
 * kept: they are null whenever ring 3 is entered. */
#define USER_FPU_BYTES 2752 /* XSAVE's area, AVX-512 included */
struct user_state {
	struct trap_frame regs;
	uint64_t fs_base, gs_base;
	uint8_t fpu[USER_FPU_BYTES] __attribute__((aligned(64)));
};

/*
 * user_state_init() - at `rip` with stack pointer `rsp` and args in RDI, RSI, RDX, RCX, R8, R9;
 * every other register is zero, bases too, x87 and what XSAVE keeps are in their initial state.
 * -EFAULT where rip or rsp is outside of the user half.
 */
int user_state_init(struct user_state *s, uint64_t rip, uint64_t rsp, const uint64_t args[6]);

/*
 * user_fpu_frame_bytes() - what x87, SSE and AVX take on the stack while a signal is handled, in
 * the layout of struct _xstate of <asm/sigcontext.h>. user_fpu_to_frame() - writes that at `to`, a
 * multiple of 64; -EFAULT. user_fpu_from_frame() - takes it back, `from` 0: the initial state;
 * -EFAULT, -EINVAL. user_signal_stack_bytes() - AT_MINSIGSTKSZ of getauxval(3). user_hwcap2() -
 * AT_HWCAP2.
 */
size_t user_fpu_frame_bytes(void);
int user_fpu_to_frame(const struct user_state *s, uint64_t to);
int user_fpu_from_frame(struct user_state *s, uint64_t from);
size_t user_signal_stack_bytes(void);
uint64_t user_hwcap2(void);

/*
 * The state of the FPU as a debugger has it, in XSAVE's standard layout without compaction (SDM
 * vol. 1, "XSAVE Area"), or FXSAVE's 512 bytes. user_xstate_bytes() - of all of it.
 * user_xstate_read() - `to` gets that many bytes: parts in their initial state have its values;
 * XCR0 is at offset 464, as Linux has it. user_xstate_write() - takes that many bytes, or the
 * first 512; -EINVAL: bits of MXCSR or of the header that are reserved. Task context, while `s` is
 * not in the CPU.
 */
#define USER_FXSAVE_BYTES 512
size_t user_xstate_bytes(void);
void user_xstate_read(const struct user_state *s, uint8_t *to);
int user_xstate_write(struct user_state *s, const uint8_t *from, size_t bytes);

/*
 * user_resume() - ring 3 goes on as `s` says. Returns the code given to user_leave(), with `s` as
 * ring 3 was left. Task context, interrupts off before and behind it; does not nest. user_run() -
 * the same with a state of its own, interrupts as they were; -EFAULT as user_state_init().
 *
 * user_resume_syscall() - as user_resume(), but first makes system call `nr`, with the arguments in
 * the registers of `s`: for ring 3 that was left at the entry of a call. The instruction SYSCALL is
 * not executed again.
 */
long user_resume(struct user_state *s);
long user_resume_syscall(struct user_state *s, long nr);
long user_run(uint64_t rip, uint64_t rsp, const uint64_t args[6]);

/*
 * user_save() - `to` becomes all that ring 3 has now, as user_leave() would have left it: a copy of
 * it can go on from there. From a system call.
 *
 * user_set_fs_base(), user_set_gs_base() - of ring 3, which is in a system call: where its
 * thread-local variables are. -EPERM: not an address that it can have. user_fs_base(),
 * user_gs_base() - what they are, ring 3 may have changed them itself.
 */
void user_save(struct user_state *to);
int user_set_fs_base(uint64_t base);
int user_set_gs_base(uint64_t base);
uint64_t user_fs_base(void);
uint64_t user_gs_base(void);

/*
 * user_leave() - ends the running user_resume() with `code`. From a system call, a handler of
 * trap_set_user_fault(), or an IRQ handler that interrupted ring 3 (after apic_eoi()). Never from
 * an NMI. Callers find out by user_running() whether there is something to leave.
 */
_Noreturn void user_leave(long code);
bool user_running(void);

/*
 * user_prepare() - the next user_resume() will be with `s`: until then user_ip() is where that goes
 * on. NULL: nothing is known of the next one. Task context, interrupts off, not while
 * user_running().
 *
 * user_set_tf() - RFLAGS.TF, with which ring 3 goes on. Returns what it was; false where ring 3
 * neither runs nor is prepared. Task and IRQ context, interrupts off; for step.h.
 */
void user_prepare(struct user_state *s);
bool user_set_tf(bool on);

/*
 * user_set_own_tf() - RFLAGS.TF of `s` as ring 3 itself would have set it, whether it is also
 * stepped by step.h or not: each instruction ends in a #DB that goes to the handler of
 * trap_set_user_fault(). Returns what it was. Task context, interrupts off, right before or behind
 * user_resume() with `s`.
 */
bool user_set_own_tf(struct user_state *s, bool on);

/* user_forget() - what ring 3 had on this CPU is in no register, and decides nothing any more.
 * Interrupts off, not while user_running(). */
void user_forget(void);

/*
 * user_ip() - for code of ring 0: where ring 3 goes on after it, or where it was left last; 0: it
 * never ran. Any context, but an NMI handler calls user_nmi() with its frame before: SYSCALL's
 * entry may not have got as far as to store the address.
 */
uint64_t user_ip(void);
void user_nmi_in_syscall(const struct trap_frame *frame);

/* entry.S: SYSCALL's entry, up to where the address is stored. */
extern const uint8_t user_syscall_entry[], user_syscall_framed[];

static inline void user_nmi(const struct trap_frame *frame)
{
	if (__builtin_expect(frame->rip - (uintptr_t)user_syscall_entry <
				     (uintptr_t)(user_syscall_framed - user_syscall_entry),
			     0))
		user_nmi_in_syscall(frame);
}

/*
 * The handlers of system calls, which run on the CPU's stack with interrupts off; the result goes
 * to RAX. `call` gets the number, and all registers of ring 3 in a frame. `brief` are
 * USER_BRIEF_CALLS functions by number, most of them NULL. They are for calls that do not leave
 * ring 3, do not look at its registers, and change nothing but by their arguments RDI, RSI and RDX:
 * no register is saved for them. A brief function that finds its call to be less simple returns
 * USER_NOT_BRIEF with nothing done, and `call` is made. `brief` NULL: there are none. None is used
 * while ring 3 is stepped.
 *
 * user_set_syscalls() - sets the handlers of all CPUs from now on; `calls` stays. Returns the
 * handlers before. Any context.
 */
#define USER_BRIEF __attribute__((no_caller_saved_registers))
typedef long user_syscall(long nr, struct trap_frame *frame);
typedef long user_brief(uint64_t a0, uint64_t a1, uint64_t a2) USER_BRIEF;
struct user_syscalls {
	user_syscall *call;
	user_brief *const *brief;
};
const struct user_syscalls *user_set_syscalls(const struct user_syscalls *calls);

/*
 * user_take_syscall_ticks() - how long ring 3 of this CPU was in system calls since this was asked
 * last, in ticks of the TSC; user_syscall_ticks_so_far() - and asks no less the next time.
 * `inside`: it is in one now, or was left in one. Interrupts off.
 */
uint64_t user_take_syscall_ticks(bool inside);
uint64_t user_syscall_ticks_so_far(bool inside);

/*
 * copy_from_user(), copy_to_user() - 0, or -EFAULT where any byte is outside of the user half or
 * not mapped for that access (what was copied before stays copied). Pages that come into being with
 * an access do so. Where ring 3's memory is that of the task in question, task context; interrupts
 * off while others share it. copy_from_user_some() - how many bytes could be copied without that.
 * Any context, NMI too: CR2 is left as it was found.
 */
int copy_from_user(void *dst, uint64_t user_src, size_t n);
size_t copy_from_user_some(void *dst, uint64_t user_src, size_t n);
int copy_to_user(uint64_t user_dst, const void *src, size_t n);

/* put_user() - copy_to_user() of one word. Task context: CR2 is not kept. */
int put_user(uint64_t user_dst, uint64_t word);

/*
 * user_cmpxchg() - LOCK CMPXCHG on a word of ring 3: writes `new` where it holds `*old`, and
 * stores in `*old` what it held. -EFAULT: no multiple of 4, or not ring 3's to write to. Task
 * context: CR2 is not kept.
 */
int user_cmpxchg(uint64_t address, uint32_t *old, uint32_t new);

/*
 * user_set_fault_in() - `fn` is asked by the copies for a page that is not mapped for that access:
 * true, now it is. Returns the one that was there before. Once, at start-up.
 */
typedef bool user_fault_in(uint64_t address, bool write);
user_fault_in *user_set_fault_in(user_fault_in *fn);

/*
 * user_access_begin(), user_access_end() - SMAP off and on again, no-ops on a CPU without. The
 * copies above do it themselves. Any context.
 */
void user_access_begin(void);
void user_access_end(void);

/* user_range() - [va, va + n) lies in the part of the address space that ring 3 can have. */
#define USER_BYTES (RING3_LIMIT - RING3_START)
static inline bool user_range(uint64_t va, uint64_t n)
{
	const uint64_t offset = va - RING3_START;

	return offset < USER_BYTES && n <= USER_BYTES - offset;
}

/* probe_read() - reads 8 bytes of kernel memory that may not be mapped. False: it is not. */
bool probe_read(uint64_t va, uint64_t *value);

#endif
