// SPDX-License-Identifier: BSD-2-Clause
/* fault.c - see fault.h. */
#include "rt/task/fault.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/console/command.h"
#include "rt/console/print.h"
#include "rt/task/program.h"
#include "rt/task/sched.h"
#include "rt/portable/umip.h"

static char first_end[160 + PROGRAM_PATH_MAX];

const char *fault_text(void)
{
	return first_end;
}

static void tell_page_fault(enum process_fault kind, const struct pmu_regs *regs, uint64_t address)
{
	pmu_software(PERF_COUNT_SW_PAGE_FAULTS, regs, address);
	if (kind == PROCESS_FAULT_MINOR)
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS_MIN, regs, address);
	else if (kind == PROCESS_FAULT_MAJOR)
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS_MAJ, regs, address);
}

static enum process_access access_of(uint64_t error)
{
	return error & PF_FETCH ? PROCESS_FETCH : error & PF_WRITE ? PROCESS_WRITE : PROCESS_READ;
}

static bool mend_page_fault(struct task *t, const struct trap_frame *frame,
			    const struct pmu_regs *regs, bool *no_memory)
{
	const uint64_t address = trap_fault_address();
	enum process_fault kind = PROCESS_FAULT_BAD;

	if (space_sync(address))
		return true;
	if (!(frame->error & PF_PRESENT))
		kind = process_fault_in(t->process, address, access_of(frame->error));
	tell_page_fault(kind, regs, address);
	*no_memory = kind == PROCESS_FAULT_NO_MEMORY;
	return process_fault_mended(kind);
}

/* The access is made again without the check: Linux does as much for a program that asks. */
static bool mend_alignment(struct trap_frame *frame, const struct pmu_regs *regs)
{
	pmu_software(PERF_COUNT_SW_ALIGNMENT_FAULTS, regs, 0);
	frame->rflags &= ~(uint64_t)RFLAGS_AC;
	return true;
}

#define CODE_MOST 15 /* bytes of an instruction */

/* What UMIP forbids is done in its place. */
static bool mend_umip(struct trap_frame *frame, const struct pmu_regs *regs)
{
	struct umip_store store;
	uint8_t code[CODE_MOST];
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

static bool mend_fault(struct task *t, struct trap_frame *frame, bool *no_memory)
{
	const struct pmu_regs regs = {.ip = frame->rip, .user = true, .frame = frame};

	switch (frame->vector) {
	case VEC_PF:
		return mend_page_fault(t, frame, &regs, no_memory);
	case VEC_AC:
		return mend_alignment(frame, &regs);
	case VEC_GP:
		return mend_umip(frame, &regs);
	default:
		return false;
	}
}

/* Names the file that the address lies in, if any: after a jump to nowhere there is none. */
static int describe_place(char *text, size_t size, const struct task *t, uint64_t ip)
{
	struct process_place place;
	int n = fmt_print(text, size, " at ip 0x%llx", (unsigned long long)ip);

	if (process_find_place(t->process, ip, &place))
		n += fmt_print(text + n, size - (size_t)n, " (%s+0x%llx)", place.file,
			       (unsigned long long)place.address);
	return n;
}

static void describe_fault(char *text, size_t size, const struct task *t,
			   const struct trap_frame *frame, bool no_memory)
{
	int n = fmt_print(text, size, "%s%s", no_memory ? "there is no memory left for it: " : "",
			  trap_name((unsigned)frame->vector));

	n += describe_place(text + n, size - (size_t)n, t, frame->rip);
	if (frame->vector == VEC_PF)
		fmt_print(text + n, size - (size_t)n, ", %s of address 0x%llx",
			  frame->error & PF_FETCH   ? "execution"
			  : frame->error & PF_WRITE ? "write"
						    : "read",
			  (unsigned long long)trap_fault_address());
}

/* How task 1 ended is told by its command. */
static void tell_end(const struct task *t, const struct trap_frame *frame, bool no_memory)
{
	char text[sizeof(first_end)];

	if (t->tid == TASK_PID) {
		describe_fault(first_end, sizeof(first_end), t, frame, no_memory);
		return;
	}
	describe_fault(text, sizeof(text), t, frame, no_memory);
	err("task %u (%s) ended: %s\n", t->tid, t->comm, text);
}

static void on_fault(struct trap_frame *frame)
{
	struct task *t = sched_current();
	bool no_memory = false;

	if (!t)
		user_leave(-1);
	if (mend_fault(t, frame, &no_memory) || onfault_take(&t->onfault, frame))
		return;
	tell_end(t, frame, no_memory);
	sched_exit(TASK_FAULTED, STATUS_FAULTED);
}

/* A system call's copy from or to memory that ring 3 has not touched yet. */
static bool fault_in(uint64_t address, bool write)
{
	const struct pmu_regs here = {.ip = (uintptr_t)__builtin_return_address(0)};
	struct task *t = sched_current();
	enum process_fault kind;

	if (!t)
		return false;
	if (space_sync(address))
		return true;
	kind = process_fault_in(t->process, address, write ? PROCESS_WRITE : PROCESS_READ);
	if (!process_fault_mended(kind))
		return false;
	tell_page_fault(kind, &here, address);
	return true;
}

void fault_init(void)
{
	trap_set_user_fault(on_fault);
	user_set_fault_in(fault_in);
}
