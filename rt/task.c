// SPDX-License-Identifier: BSD-2-Clause
/*
 * task.c - ring 3 and the four ways out of it. Every way ends in user_leave(), which drops the
 * stacks of the interrupted kernel code and makes user_run() return: so nothing after it has to
 * know how the workload ended.
 */
#include "rt/task.h"

#include "arch/x86/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/paging.h"
#include "arch/x86/trap.h"
#include "arch/x86/tsc.h"
#include "arch/x86/user.h"
#include "include/perf0/workload.h"
#include "lib/panic.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/pmu.h"
#include "rt/command.h"
#include "rt/hrtimer.h"
#include "rt/onfault.h"
#include "rt/perf.h"
#include "rt/syscall.h"

#include <linux/errno.h>

/* What user_run() returns is one of enum task_end; the exit status lies beside it. */
static struct {
	struct user_state user;
	struct pmu_task events;
	struct pmu_current current;
	struct task_outcome *outcome; /* NULL: nothing runs */
	const char *comm;
	uint64_t since;  /* when it had the CPU last, ns */
	uint64_t ran_ns; /* before that */
	volatile bool interrupted;
	struct hrtimer timeout;
	struct perf_event_mmap_page *pages; /* WORKLOAD_EVENTS */
	struct pmu_event *shared[WORKLOAD_EVENTS_MAX];
	void *heap;
	void *fresh_data; /* the user data as it was before anything ran */
} task;

struct user_section {
	const uint8_t *start, *end;
	unsigned prot;
};

static const struct user_section sections[] = {
	{__user_text_start, __user_text_end, PAGE_EXEC},
	{__user_rodata_start, __user_rodata_end, PAGE_READ},
	{__user_data_start, __user_data_end, PAGE_WRITE},
};

static uint64_t user_address(const void *in_image)
{
	return WORKLOAD_BASE + image_offset((uintptr_t)in_image);
}

static size_t pages_of(size_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

static void *map_fresh(uint64_t va, size_t bytes, unsigned prot)
{
	void *memory = page_alloc(pages_of(bytes));

	if (!memory || paging_map_user(va, memory, pages_of(bytes), prot))
		panic("no memory for ring 3: %zu bytes", bytes);
	return memory;
}

static void sample_fault(const struct trap_frame *frame)
{
	const struct pmu_regs regs = {.ip = frame->rip, .user = true, .frame = frame};

	if (frame->vector == VEC_PF)
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS, &regs, trap_fault_address());
	else if (frame->vector == VEC_AC)
		pmu_software(PERF_COUNT_SW_ALIGNMENT_FAULTS, &regs, 0);
}

static void on_fault(struct trap_frame *frame)
{
	struct task_outcome *o = task.outcome;
	int n;

	sample_fault(frame);
	if (onfault_take(perf_onfault(), frame))
		return;
	n = fmt_print(o->why, sizeof(o->why), "%s at ip 0x%llx (perf0.elf+0x%llx)",
		      trap_name((unsigned)frame->vector), (unsigned long long)frame->rip,
		      (unsigned long long)(frame->rip - WORKLOAD_BASE));

	if (frame->vector == VEC_PF)
		fmt_print(o->why + n, sizeof(o->why) - (size_t)n, ", %s of address 0x%llx",
			  frame->error & PF_FETCH   ? "execution"
			  : frame->error & PF_WRITE ? "write"
						    : "read",
			  (unsigned long long)trap_fault_address());
	o->status = STATUS_FAULTED;
	user_leave(TASK_FAULTED);
}

static void note_end(struct task_outcome *o, enum task_end end)
{
	o->end = end;
	o->status = end == TASK_TIMED_OUT ? STATUS_TIMEOUT : STATUS_INTERRUPTED;
	fmt_print(o->why, sizeof(o->why), "%s",
		  end == TASK_TIMED_OUT ? "it did not end in time" : "interrupted");
}

/* In a system call the workload is not in ring 3: what waits there asks task_check_interrupt(). */
static void end_from_irq(enum task_end end, bool from_user)
{
	task.interrupted = true;
	if (!task.outcome)
		return;
	note_end(task.outcome, end);
	if (from_user)
		user_leave(end);
}

static void on_timeout(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	end_from_irq(TASK_TIMED_OUT, trap_from_user(frame));
}

void task_interrupt(bool from_user)
{
	end_from_irq(TASK_INTERRUPTED, from_user);
}

bool task_runs(void)
{
	return task.outcome;
}

void task_forget_interrupt(void)
{
	task.interrupted = false;
}

void task_check_interrupt(void)
{
	if (task.interrupted)
		user_leave(task.outcome->end);
}

const struct pmu_current *task_current(void)
{
	return &task.current;
}

static void set_running(struct task_outcome *outcome)
{
	const uint32_t pid = outcome ? TASK_PID : 0;

	task.outcome = outcome;
	task.current.pid = task.current.tid = pid;
}

const char *task_comm(void)
{
	return task.comm;
}

#define IDLE "swapper/0", 0

void task_enter_cpu(void)
{
	trace(sched_switch, IDLE, TRACE_RUNNING, task.comm, TASK_PID);
	task.current.pid = task.current.tid = TASK_PID;
	task.since = clock_ns();
	pmu_task_sched_in(&task.events);
}

static void note_runtime(void)
{
	uint64_t ran = clock_ns() - task.since;

	task.ran_ns += ran;
	trace(sched_stat_runtime, task.comm, TASK_PID, ran, task.ran_ns);
}

/* As in Linux, a task that ends is no more told of the switch that it ends with. */
void task_leave_cpu(enum trace_task_state state)
{
	if (!task.current.pid)
		return;
	note_runtime();
	if (state != TRACE_DEAD)
		trace(sched_switch, task.comm, TASK_PID, state, IDLE);
	pmu_task_sched_out();
	if (state == TRACE_DEAD)
		trace(sched_switch, task.comm, TASK_PID, state, IDLE);
	task.current.pid = task.current.tid = 0;
}

struct pmu_task *task_events(void)
{
	return &task.events;
}

void task_init(void)
{
	size_t data = (size_t)(__user_data_end - __user_data_start);

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct user_section *s = &sections[i];
		size_t pages = pages_of((size_t)(s->end - s->start));

		if (pages && paging_map_user(user_address(s->start), s->start, pages, s->prot))
			panic("cannot map the workloads for ring 3");
	}
	task.heap = map_fresh(WORKLOAD_HEAP, WORKLOAD_HEAP_BYTES, PAGE_WRITE);
	map_fresh(WORKLOAD_STACK_TOP - WORKLOAD_STACK_BYTES, WORKLOAD_STACK_BYTES, PAGE_WRITE);
	task.pages = map_fresh(WORKLOAD_EVENTS, WORKLOAD_EVENTS_MAX * PAGE_SIZE, PAGE_READ);
	task.fresh_data = page_alloc(pages_of(data) + 1);
	if (!task.fresh_data)
		panic("no memory for a copy of the workloads' data");
	memcpy(task.fresh_data, __user_data_start, data);
	task.timeout.fn = on_timeout;
	pmu_task_init(&task.events, TASK_PID, TASK_PID, NULL);
	trap_set_user_fault(on_fault);
	syscall_init();
}

static void reset_memory(void)
{
	memset(task.heap, 0, WORKLOAD_HEAP_BYTES);
	memcpy(__user_data_start, task.fresh_data, (size_t)(__user_data_end - __user_data_start));
}

static void *control_page(unsigned i)
{
	return (uint8_t *)task.pages + i * PAGE_SIZE;
}

int task_share_event(unsigned i, struct pmu_event *e)
{
	int bad = i < WORKLOAD_EVENTS_MAX ? pmu_event_set_page(e, control_page(i)) : -EINVAL;

	if (bad)
		return bad;
	task.shared[i] = e;
	write_cr4(read_cr4() | CR4_PCE);
	return 0;
}

void task_unshare_events(void)
{
	for (unsigned i = 0; i < WORKLOAD_EVENTS_MAX; i++) {
		if (task.shared[i])
			pmu_event_set_page(task.shared[i], NULL);
		task.shared[i] = NULL;
	}
	write_cr4(read_cr4() & ~CR4_PCE);
}

/* Where a user section lies in ring 3's memory and in the ELF file. */
static void announce_section(const struct user_section *section)
{
	const uint8_t *build_id;
	size_t n = image_build_id(&build_id);

	if (section->start == section->end)
		return;
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = &task.events,
		.prot = PMU_PROT_READ | (section->prot & PAGE_WRITE ? PMU_PROT_WRITE : 0) |
			(section->prot & PAGE_EXEC ? PMU_PROT_EXEC : 0),
		.addr = user_address(section->start),
		.len = (uint64_t)(section->end - section->start),
		.pgoff = image_offset((uintptr_t)section->start),
		.build_id = build_id,
		.build_id_size = n,
		.filename = "perf0.elf",
	});
}

static void announce_memory(uint64_t start, uint64_t bytes, const char *name)
{
	pmu_output_mmap2(&(struct pmu_mmap){
		.task = &task.events,
		.prot = PMU_PROT_READ | PMU_PROT_WRITE,
		.addr = start,
		.len = bytes,
		.filename = name,
	});
}

/* The side-band records that let a viewer name code and data of the samples. */
static void announce(const struct workload *w)
{
	pmu_output_comm(&task.events, w->name, true);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		announce_section(&sections[i]);
	announce_memory(WORKLOAD_HEAP, WORKLOAD_HEAP_BYTES, "[heap]");
	announce_memory(WORKLOAD_STACK_TOP - WORKLOAD_STACK_BYTES, WORKLOAD_STACK_BYTES, "[stack]");
}

/* When user_run() was called and had returned; what lies around it is the runtime's. */
static void note_times(struct task_outcome *o, uint64_t entered, uint64_t left)
{
	const struct syscall_times times = syscall_times(left);

	o->user_ns = left - entered - times.inside;
	o->sys_ns = o->elapsed_ns - o->user_ns - times.asleep;
}

int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome)
{
	uint64_t start, entered, left, flags;

	*outcome = (struct task_outcome){0};
	reset_memory();
	trace_sync_user();
	task.comm = call->workload->name;
	task.ran_ns = 0;
	announce(call->workload);
	syscall_reset();
	if (task.interrupted) {
		task.interrupted = false;
		note_end(outcome, TASK_INTERRUPTED);
		return outcome->status;
	}
	set_running(outcome);
	if (timeout_ns)
		hrtimer_start(&task.timeout, timeout_ns);

	start = clock_ns();
	user_state_init(&task.user, user_address((const void *)call->workload->entry),
			WORKLOAD_STACK_TOP - 8, call->args);
	flags = irq_save();
	user_prepare(&task.user);
	/* In this order events begin to be enabled and to run in the same moment. Until they stop,
	 * every instruction of ring 0 is counted with the workload's. */
	task_enter_cpu();
	pmu_task_exec(&task.events);
	entered = clock_ns();
	outcome->end = (enum task_end)user_resume(&task.user);
	left = clock_ns();
	task_leave_cpu(TRACE_DEAD);
	irq_restore(flags);
	outcome->elapsed_ns = clock_ns() - start;
	perf_close_all(perf_table());
	pmu_output_exit(&task.events);
	note_times(outcome, entered, left);

	hrtimer_cancel(&task.timeout);
	set_running(NULL);
	task.interrupted = false;
	if (outcome->end == TASK_EXITED)
		outcome->status = syscall_exit_status();
	return outcome->status;
}
