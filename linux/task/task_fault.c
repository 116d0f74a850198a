// SPDX-License-Identifier: BSD-2-Clause
/* task_fault.c - see task_fault.h. */
#include "linux/task/task_fault.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"
#include "lib/insn_decode.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/base/exit_status.h"
#include "rt/print/print.h"
#include "linux/task/task_host.h"
#include "linux/task/sched.h"
#include "linux/portable/umip.h"

static char first_end[160 + PROCESS_PATH];

const char *fault_text(void)
{
	return first_end;
}

static void tell_page_fault(struct task *t, enum mm_fault kind, const struct pmu_regs *regs,
			    uint64_t address)
{
	pmu_software(PERF_COUNT_SW_PAGE_FAULTS, regs, address);
	if (kind == MM_FAULT_MINOR) {
		t->usage.minor_faults++;
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS_MIN, regs, address);
	} else if (kind == MM_FAULT_MAJOR) {
		t->usage.major_faults++;
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS_MAJ, regs, address);
	}
}

static __attribute__((noinline)) void tell_touch(const struct trap_frame *frame, uint64_t address)
{
	const struct pmu_regs regs = {.ip = frame->rip, .user = true, .frame = frame};

	pmu_software(PERF_COUNT_SW_PAGE_FAULTS, &regs, address);
	pmu_software(PERF_COUNT_SW_PAGE_FAULTS_MIN, &regs, address);
}

static enum mm_access access_of(uint64_t error)
{
	return error & PF_FETCH ? MM_FETCH : error & PF_WRITE ? MM_WRITE : MM_READ;
}

static enum mm_fault mend_page_fault(struct task *t, const struct trap_frame *frame,
				     const struct pmu_regs *regs)
{
	const uint64_t address = trap_fault_address();
	enum mm_fault kind;

	if (space_sync(address))
		return MM_FAULT_MINOR;
	kind = mm_fault_in(t->process->mm, address, access_of(frame->error));
	tell_page_fault(t, kind, regs, address);
	return kind;
}

/* Clears the alignment check, and repeats the access. Linux does the same for a program that asks
 * for it. */
static bool mend_alignment(struct trap_frame *frame, const struct pmu_regs *regs)
{
	pmu_software(PERF_COUNT_SW_ALIGNMENT_FAULTS, regs, 0);
	frame->rflags &= ~(uint64_t)RFLAGS_AC;
	return true;
}

/* Emulates an instruction that UMIP forbids. */
static bool mend_umip(struct trap_frame *frame, const struct pmu_regs *regs)
{
	struct umip_store store;
	uint8_t code[INSN_MAX_BYTES];
	size_t n = copy_from_user_some(code, frame->rip, sizeof(code));

	if (frame->error || !umip_decode(code, n, frame, &store))
		return false;
	if (store.reg && store.bytes < sizeof(uint32_t))
		memcpy(store.reg, store.value, store.bytes);
	else if (store.reg)
		memcpy(store.reg, store.value, sizeof(*store.reg));
	else if (copy_to_user(store.address, store.value, store.bytes))
		return false;
	pmu_software(PERF_COUNT_SW_EMULATION_FAULTS, regs, 0);
	frame->rip += store.length;
	return true;
}

/* The reason why a fault could not be resolved. */
enum unmended { MENDED, FAULT_BAD, FAULT_BEYOND, FAULT_NO_MEMORY };

static enum unmended mend_fault(struct task *t, struct trap_frame *frame)
{
	static const enum unmended page[] = {
		[MM_FAULT_BAD] = FAULT_BAD,
		[MM_FAULT_BEYOND] = FAULT_BEYOND,
		[MM_FAULT_NO_MEMORY] = FAULT_NO_MEMORY,
		[MM_FAULT_MINOR] = MENDED,
		[MM_FAULT_MAJOR] = MENDED,
	};
	const struct pmu_regs regs = {.ip = frame->rip, .user = true, .frame = frame};

	switch (frame->vector) {
	case VEC_PF:
		return page[mend_page_fault(t, frame, &regs)];
	case VEC_AC:
		return mend_alignment(frame, &regs) ? MENDED : FAULT_BAD;
	case VEC_GP:
		return mend_umip(frame, &regs) ? MENDED : FAULT_BAD;
	default:
		return FAULT_BAD;
	}
}

/* --- Signals: as signal(7) and sigaction(2) have it for each exception --- */

static bool is_mapped(const struct task *t, uint64_t address)
{
	return !mm_is_mapped(t->process->mm, address & ~(PAGE_SIZE - 1), 1);
}

static siginfo_t info_of(const struct task *t, const struct trap_frame *frame, enum unmended why)
{
	static const struct {
		int number, code;
	} signals[VEC_NEXCEPT] = {
		[VEC_DE] = {SIGFPE, FPE_INTDIV}, [VEC_DB] = {SIGTRAP, TRAP_TRACE},
		[VEC_BP] = {SIGTRAP, SI_KERNEL}, [VEC_UD] = {SIGILL, ILL_ILLOPN},
		[VEC_MF] = {SIGFPE, FPE_FLTUNK}, [VEC_XM] = {SIGFPE, FPE_FLTUNK},
		[VEC_SS] = {SIGBUS, SI_KERNEL},  [VEC_NP] = {SIGBUS, SI_KERNEL},
	};
	const int number = signals[frame->vector].number;
	siginfo_t info = signal_info(number ? number : SIGSEGV,
				     number ? signals[frame->vector].code : SI_KERNEL);
	uint64_t address = frame->rip;

	if (frame->vector == VEC_PF) {
		address = t->fault.address;
		info.si_signo = why == FAULT_BEYOND ? SIGBUS : SIGSEGV;
		info.si_code = why == FAULT_BEYOND     ? BUS_ADRERR
			       : is_mapped(t, address) ? SEGV_ACCERR
						       : SEGV_MAPERR;
	}
	if (info.si_code != SI_KERNEL)
		info.si_addr = (void *)address;
	return info;
}

/* Names the file with the address, if any: a jump to unmapped memory has none. */
static int describe_place(char *text, size_t size, const struct task *t, uint64_t ip)
{
	struct process_place place;
	int n = fmt_print(text, size, " at ip 0x%llx", (unsigned long long)ip);

	if (process_find_place(t->process, ip, &place))
		n += fmt_print(text + n, size - (size_t)n, " (%s+0x%llx)", place.file,
			       (unsigned long long)place.address);
	return n;
}

static void describe_fault(char *text, size_t size, const struct task *t)
{
	const struct trap_frame *regs = &t->user.regs;
	int n = fmt_print(text, size, "%s%s",
			  t->fault.no_memory ? "there is no memory left for it: " : "",
			  trap_name((unsigned)t->fault.vector));

	n += describe_place(text + n, size - (size_t)n, t, regs->rip);
	if (t->fault.vector == VEC_PF)
		fmt_print(text + n, size - (size_t)n, ", %s of address 0x%llx",
			  t->fault.error & PF_FETCH   ? "execution"
			  : t->fault.error & PF_WRITE ? "write"
						      : "read",
			  (unsigned long long)t->fault.address);
}

static void describe_end(char *text, size_t size, const struct task *t, const siginfo_t *info)
{
	if (t->fault.told == info->si_signo)
		describe_fault(text, size, t);
	else
		fmt_print(text, size, "%s", signal_name(info->si_signo));
}

/* The command reports how the first task ended. The parent of another process asks for its
 * status, so only faults are reported here. */
void fault_tell_end(const struct task *t, const siginfo_t *info)
{
	char text[sizeof(first_end)];

	describe_end(text, sizeof(text), t, info);
	crash_note(t, info, text);
	if (t->pid == TASK_PID)
		memcpy(first_end, text, sizeof(text));
	else if (t->fault.told == info->si_signo)
		err("task %u (%s) ended: %s\n", t->tid, t->comm, text);
}

/* The usual fault: the first access to a page of zeros. */
static bool touch_page(struct task *t, const struct trap_frame *frame)
{
	const uint64_t address = trap_fault_address();

	if (frame->error & ~(uint64_t)(PF_USER | PF_WRITE) ||
	    !mm_touch(t->process->mm, address, frame->error & PF_WRITE ? MM_WRITE : MM_READ))
		return false;
	t->usage.minor_faults++;
	if (pmu_software_counts(PERF_COUNT_SW_PAGE_FAULTS) ||
	    pmu_software_counts(PERF_COUNT_SW_PAGE_FAULTS_MIN))
		tell_touch(frame, address);
	return true;
}

static __attribute__((noinline)) void handle_other_fault(struct task *t, struct trap_frame *frame)
{
	enum unmended why;
	siginfo_t info;

	if (!t)
		user_leave(-1);
	if (task_host.takes_fault(frame))
		return;
	why = mend_fault(t, frame);
	if (why == MENDED)
		return;
	t->fault.vector = frame->vector;
	t->fault.error = frame->error;
	t->fault.address = frame->vector == VEC_PF ? trap_fault_address() : 0;
	t->fault.no_memory = why == FAULT_NO_MEMORY;
	info = info_of(t, frame, why);
	t->fault.told = info.si_signo;
	signal_force(t, &info);
	sched_take_signals(0);
}

static void handle_user_fault(struct trap_frame *frame)
{
	struct task *t = sched_current();

	if (t && frame->vector == VEC_PF && touch_page(t, frame))
		return;
	handle_other_fault(t, frame);
}

/* Resolves a fault of a system call's copy: ring 3 has not touched this memory yet. */
static bool fault_in(uint64_t address, bool write)
{
	const struct pmu_regs here = {.ip = (uintptr_t)__builtin_return_address(0)};
	struct task *t = sched_current();
	enum mm_fault kind;

	if (!t)
		return false;
	if (space_sync(address))
		return true;
	kind = mm_fault_in(t->process->mm, address, write ? MM_WRITE : MM_READ);
	if (!mm_fault_mended(kind))
		return false;
	tell_page_fault(t, kind, &here, address);
	return true;
}

void fault_init(void)
{
	trap_set_user_fault(handle_user_fault);
	user_set_fault_in(fault_in);
}
