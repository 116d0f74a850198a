/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user.h - enters ring 3 and returns from it.
 *
 * Ring 3 runs on its own stack with interrupts on. Everything that brings the CPU back to ring 0
 * runs with interrupts off on the stack of the caller of user_resume(), right below its frame (NMIs
 * on their own stack). There is one stack of ring 0 per CPU: user_leave() saves ring 3's registers
 * and drops what lies on it.
 *
 * Ring 0 has no use for FS and GS: their bases stay ring 3's all the time.
 *
 * Memory of ring 3 is accessed through copy_from_user() and copy_to_user() only: SMAP, where the
 * CPU has it, blocks all other accesses.
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

/* The state of ring 3 while it is not loaded into the CPU. Selectors of data segments are not kept:
 * they are null whenever ring 3 is entered. */
#define USER_FPU_BYTES 2752 /* XSAVE's area, AVX-512 included */
struct user_state {
	struct trap_frame regs;
	uint64_t fs_base, gs_base;
	uint8_t fpu[USER_FPU_BYTES] __attribute__((aligned(64)));
};

/*
 * user_state_init() - the state at `rip` with stack pointer `rsp` and args in RDI, RSI, RDX, RCX,
 * R8, R9. All other registers and the bases are zero; x87 and the state of XSAVE are initial.
 * -EFAULT where rip or rsp is outside of the user half.
 */
int user_state_init(struct user_state *s, uint64_t rip, uint64_t rsp, const uint64_t args[6]);

/* user_state_clear() - clears what user_save() or user_leave() may leave as it was: no byte of `s`
 * that ring 3 can read is another's. For fresh memory. */
void user_state_clear(struct user_state *s);

/*
 * user_fpu_frame_bytes() - the size of x87, SSE and AVX on the stack while a signal is handled, in
 * the layout of struct _xstate of <asm/sigcontext.h>. user_fpu_to_frame() - writes them at `to`, a
 * multiple of 64; -EFAULT. user_fpu_from_frame() - reads them back, `from` 0: the initial state;
 * -EFAULT, -EINVAL. user_signal_stack_bytes() - AT_MINSIGSTKSZ of getauxval(3). user_hwcap2() -
 * AT_HWCAP2.
 */
size_t user_fpu_frame_bytes(void);
int user_fpu_to_frame(const struct user_state *s, uint64_t to);
int user_fpu_from_frame(struct user_state *s, uint64_t from);
size_t user_signal_stack_bytes(void);
uint64_t user_hwcap2(void);

/*
 * The FPU's state for a debugger, in XSAVE's standard layout without compaction (SDM vol. 1, "XSAVE
 * Area"), or FXSAVE's 512 bytes. user_xstate_bytes() - its whole size. user_xstate_read() - writes
 * that many bytes to `to`: parts in their initial state have its values; XCR0 is at offset 464, as
 * in Linux. user_xstate_write() - takes that many bytes, or the first 512; -EINVAL: reserved bits
 * of MXCSR or of the header are set. Task context, while `s` is not in the CPU.
 */
#define USER_FXSAVE_BYTES 512
size_t user_xstate_bytes(void);
void user_xstate_read(const struct user_state *s, uint8_t *to);
int user_xstate_write(struct user_state *s, const uint8_t *from, size_t bytes);

/*
 * user_resume() - runs ring 3 with the state `s`. Returns the code given to user_leave(), with ring
 * 3's state in `s`. Task context, interrupts off before and after it; does not nest. user_run() -
 * the same with a state of its own, interrupts on or off; -EFAULT as user_state_init().
 *
 * user_resume_syscall() - as user_resume(), but first makes system call `nr` with the arguments in
 * the registers of `s`, for ring 3 that was left at the entry of a call. The instruction SYSCALL is
 * not executed again.
 */
long user_resume(struct user_state *s);
long user_resume_syscall(struct user_state *s, long nr);
long user_run(uint64_t rip, uint64_t rsp, const uint64_t args[6]);

/*
 * user_save() - copies ring 3's state to `to`, as user_leave() would have left it: a copy can go on
 * from there. From a system call.
 *
 * user_set_fs_base(), user_set_gs_base() - set the bases of ring 3, which is in a system call, for
 * thread-local variables. -EPERM: ring 3 cannot have that address. user_fs_base(), user_gs_base() -
 * the current bases; ring 3 may have changed them itself.
 */
void user_save(struct user_state *to);
int user_set_fs_base(uint64_t base);
int user_set_gs_base(uint64_t base);
uint64_t user_fs_base(void);
uint64_t user_gs_base(void);

/*
 * user_leave() - ends the running user_resume() with `code`. From a system call, a handler of
 * trap_set_user_fault(), or an IRQ handler that interrupted ring 3 (after apic_eoi()). Never from
 * an NMI. user_running() - whether there is something to leave.
 */
_Noreturn void user_leave(long code);
bool user_running(void);

/*
 * user_prepare() - announces that the next user_resume() gets `s`: until then user_ip() is its
 * address. NULL: the next one is not known. Task context, interrupts off, not while user_running().
 *
 * user_set_tf() - sets RFLAGS.TF of ring 3. Returns what it was; false where ring 3 neither runs
 * nor is prepared. Task and IRQ context, interrupts off; for step.h.
 */
void user_prepare(struct user_state *s);
bool user_set_tf(bool on);

/*
 * user_set_own_tf() - sets RFLAGS.TF of `s` on behalf of ring 3 itself, whether step.h also steps
 * it or not: each instruction ends in a #DB that goes to the handler of trap_set_user_fault().
 * Returns what it was. Task context, interrupts off, right before or after user_resume() with `s`.
 */
bool user_set_own_tf(struct user_state *s, bool on);

/* user_forget() - drops ring 3's state from this CPU's registers and variables. Interrupts off, not
 * while user_running(). */
void user_forget(void);

/*
 * user_ip() - for code of ring 0: the address where ring 3 goes on, or where it was left last; 0:
 * it never ran. Any context, but an NMI handler calls user_nmi() with its frame before: SYSCALL's
 * entry may not have stored the address yet.
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
 * user_take_syscall_ticks() - the time that ring 3 of this CPU spent in system calls since the last
 * call of this function, in ticks of the TSC. user_syscall_ticks_so_far() - the same without
 * starting anew. `inside`: it is in a call now, or was left in one. Interrupts off.
 */
uint64_t user_take_syscall_ticks(bool inside);
uint64_t user_syscall_ticks_so_far(bool inside);

/*
 * copy_from_user(), copy_to_user() - 0, or -EFAULT where any byte is outside of the user half or
 * not mapped for that access (bytes copied before stay copied). Pages that are allocated on access
 * are allocated. Task context, while ring 3's memory is that of the task in question; interrupts
 * off while others share it. copy_from_user_some() - copies without allocating, and returns how
 * many bytes were copied. Any context, NMI too: CR2 is left as it was found.
 */
int copy_from_user(void *dst, uint64_t user_src, size_t n);
size_t copy_from_user_some(void *dst, uint64_t user_src, size_t n);
int copy_to_user(uint64_t user_dst, const void *src, size_t n);

/* put_user() - copy_to_user() of one word. get_user32() - copy_from_user() of four bytes. Task
 * context: CR2 is not kept. */
int put_user(uint64_t user_dst, uint64_t word);
int get_user32(uint32_t *to, uint64_t user_src);

/*
 * user_cmpxchg() - LOCK CMPXCHG on a word of ring 3: writes `new` where the word is `*old`, and
 * stores its old value in `*old`. -EFAULT: no multiple of 4, or not ring 3's to write to. Task
 * context: CR2 is not kept.
 */
int user_cmpxchg(uint64_t address, uint32_t *old, uint32_t new);

/* user_set_fault_in() - the copies call `fn` for a page that is not mapped for their access; true:
 * it is mapped now. Returns the function before. Once, at start-up. */
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
