// SPDX-License-Identifier: BSD-2-Clause
/*
 * task_run.c - the run of a command's workload, and the events that the first task sees. A run
 * lasts until the last of its tasks has ended, or until ^C or the time-out ends them all.
 */
#include "linux/socket/socket.h"
#include "linux/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/panic.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/clock/restart.h"
#include "rt/base/exit_status.h"
#include "linux/program/copy_out.h"
#include "linux/task/task_fault.h"
#include "linux/task/sched.h"
#include "linux/task/task_host.h"
#include "linux/mem/mapped_memory.h"
#include "linux/program/wx_memory.h"
#include "rt/clock/times.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"
#include "linux/program/program_pack.h"
#include "linux/task/run_files.h"

#include <linux/errno.h>
#include <linux/mman.h>

/* Pages cleared before a program starts, so that it finds them clean. */
#define CLEAN_PAGES 1024

_Static_assert(TASK_MAX + 64 <= TIMER_HEAP_MAX, "all tasks may sleep on one CPU, beside the rest");

static struct {
	struct task_outcome *outcome; /* NULL: nothing runs */
	volatile bool interrupted;
	volatile bool ending; /* all tasks are to end */
	bool ended;           /* the first process ended before `ending` */
	int status;           /* its status, as in wait4(2) */
	enum task_end end;    /* the reason of `ending` */
	struct hrtimer timeout;
	void (*on_start)(void); /* task_on_start(); NULL: none */
	uint64_t ended_at;
	struct perf_event_mmap_page *pages; /* WORKLOAD_EVENTS */
	struct pmu_event *shared[WORKLOAD_EVENTS_MAX];
	bool rdpmc;
	struct inode *tree; /* tree of files, as the last program left it; NULL: none */
	bool has_clocks;    /* task_restart_clocks() was called */
} run;

/* --- Ending all tasks --- */

bool task_run_ends(void)
{
	return run.ending;
}

bool task_must_end(const struct task *t)
{
	return t->killed || run.ending || (t->process && t->process->ending);
}

/* Wakes sleeping tasks and brings running ones back, so that they end; waiting ones end at their
 * turn. */
static void end_all(void)
{
	uint64_t flags = task_lock_tree();

	for (struct task *t = task_tree.first; t; t = t->next_task)
		sched_wake(t);
	sched_kick_all();
	task_unlock_tree(flags);
}

static void end_from_irq(enum task_end end)
{
	run.interrupted = true;
	if (!run.outcome || run.ending)
		return;
	run.end = end;
	run.ending = true;
	end_all();
}

static void on_timeout(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	end_from_irq(TASK_TIMED_OUT);
}

void task_interrupt(void)
{
	end_from_irq(TASK_INTERRUPTED);
}

bool task_runs(void)
{
	return run.outcome;
}

void task_forget_interrupt(void)
{
	run.interrupted = false;
}

/* --- Sharing events --- */

static void *control_page(unsigned i)
{
	return (uint8_t *)run.pages + i * PAGE_SIZE;
}

int task_share_event(unsigned i, struct pmu_event *e)
{
	int bad = i < WORKLOAD_EVENTS_MAX ? pmu_event_set_page(e, control_page(i)) : -EINVAL;

	if (bad)
		return bad;
	run.shared[i] = e;
	run.rdpmc = true;
	return 0;
}

void task_unshare_events(void)
{
	for (unsigned i = 0; i < WORKLOAD_EVENTS_MAX; i++) {
		if (run.shared[i])
			pmu_event_set_page(run.shared[i], NULL);
		run.shared[i] = NULL;
	}
	run.rdpmc = false;
}

void task_share_rdpmc(bool share)
{
	run.rdpmc = share;
}

void task_allow_rdpmc(struct task *t)
{
	t->process->mm->rdpmc = true;
	sched_allow_rdpmc(true);
}

/* --- A run --- */

void task_run_note_gone(void)
{
	run.ended_at = clock_ns();
}

void task_run_add_times(const struct task_usage *usage)
{
	if (!run.outcome)
		return;
	run.outcome->user_ns += usage->user_ns;
	run.outcome->sys_ns += usage->sys_ns;
}

void task_init(void)
{
	run.pages = page_alloc(WORKLOAD_EVENTS_MAX);
	if (!run.pages)
		panic("no memory for control pages");
	run.timeout.fn = on_timeout;
	task_first.pid = task_first.tid = TASK_PID;
	pmu_task_init(&task_first.events, TASK_PID, TASK_PID, NULL);
	fault_init();
	run_files_init();
}

static void note_end(struct task_outcome *o, enum task_end end)
{
	o->end = end;
	o->status = end == TASK_TIMED_OUT ? STATUS_TIMEOUT : STATUS_INTERRUPTED;
	fmt_print(o->why, sizeof(o->why), "%s",
		  end == TASK_TIMED_OUT ? "it did not end in time" : "interrupted");
}

static bool shares_events(void)
{
	for (unsigned i = 0; i < WORKLOAD_EVENTS_MAX; i++)
		if (run.shared[i])
			return true;
	return false;
}

/* Maps the control pages of shared events where built-in programs expect them, and other programs
 * that know of them (include/perf0/bench.h). */
static int share_pages(struct mm *mm)
{
	static struct mapped_memory pages;
	long at;

	if (!pages.mapped.refs)
		mapped_memory_init(&pages, &mapped_memory_kept_ops, "[events]", run.pages,
				   WORKLOAD_EVENTS_MAX);
	at = mm_map(mm, &(struct mm_request){
				.address = WORKLOAD_EVENTS,
				.bytes = WORKLOAD_EVENTS_MAX * PAGE_SIZE,
				.prot = PROT_READ,
				.flags = MAP_FIXED_NOREPLACE | MAP_SHARED | MAP_POPULATE,
				.from = mapped_get(&pages.mapped),
				.area = AREA_KEPT,
			});
	if (at < 0)
		mapped_put(&pages.mapped);
	return at < 0 ? (int)at : 0;
}

static const char *load_builtin(struct mm *mm, const struct workload_call *call,
				struct exec_start *start)
{
	return exec_load_builtin(mm, call->workload->entry, call->args, start) || share_pages(mm)
		       ? "there is no memory for it"
		       : NULL;
}

static size_t strings_bytes(const char *strings, unsigned n)
{
	size_t bytes = 0;

	while (n--)
		bytes += strlen(strings + bytes) + 1;
	return bytes;
}

static unsigned strings_count(const char *strings, size_t bytes)
{
	unsigned n = 0;

	for (size_t at = 0; at < bytes; at += strlen(strings + at) + 1)
		n++;
	return n;
}

/* Joins the words and then the environment; NULL: no memory. */
static char *join_strings(const struct workload_call *call, struct exec *exec)
{
	const struct pack_note environment = pack_environment();
	const char *words = workload_words(call);
	const size_t bytes = strings_bytes(words, call->nwords);
	char *all = heap_alloc(bytes + environment.size + 1);

	if (!all)
		return NULL;
	memcpy(all, words, bytes);
	if (environment.size)
		memcpy(all + bytes, environment.bytes, environment.size);
	exec->strings = all;
	exec->bytes = bytes + environment.size;
	exec->argc = call->nwords;
	exec->envc = strings_count(all + bytes, environment.size);
	return all;
}

static const char *load_program(struct process *p, struct mm *mm, const struct workload_call *call,
				struct exec_start *start)
{
	struct exec exec = {
		.path = workload_path(call),
		.stack_bytes = EXEC_STACK_BYTES,
		.view = &p->view,
	};
	char *strings = join_strings(call, &exec);
	const char *why = "there is no memory for it";
	int err = strings ? exec_open(&exec) : -ENOMEM;

	if (!err)
		why = exec_load(mm, &exec, start, &err);
	else if (err != -ENOMEM)
		why = "there is no such program, or its interpreter is not there";
	exec_close(&exec);
	heap_free(strings);
	if (!why && shares_events() && share_pages(mm))
		why = "there is no memory for its events";
	return why;
}

/* Makes the files of the pack, and standard input from it. */
static const char *make_files(struct process *p, bool is_program)
{
	struct inode *root = is_program ? pack_tree() : run_tree_of_builtins();
	const char *why = root ? run_files_open(p, root) : "there is no memory for its files";

	if (!why)
		run.tree = is_program ? root : NULL;
	else if (root && is_program)
		tree_destroy(root);
	return why;
}

static const char *make_memory(struct process *p, const struct workload_call *call,
			       struct exec_start *start)
{
	struct mm *mm = mm_create();
	const char *why = "there is no memory for it";

	if (mm)
		why = call->workload ? load_builtin(mm, call, start)
				     : load_program(p, mm, call, start);
	if (why) {
		if (mm)
			mm_put(mm);
		return why;
	}
	mm->rdpmc = run.rdpmc;
	process_set_memory(p, mm);
	p->call = call;
	fmt_print(p->path, sizeof(p->path), "%s", workload_path(call));
	return NULL;
}

static void forget_tree(void)
{
	if (run.tree)
		tree_destroy(run.tree);
	run.tree = NULL;
}

void task_forget_run(void)
{
	task_forget_memory();
	task_host.forget_run();
	sockets_forget();
	forget_tree();
	pack_forget_tree();
	heap_trim();
	page_clean_some(0);
}

void task_restart_clocks(void)
{
	restart_tsc();
	run.has_clocks = true;
}

/* Makes the first task. Frees the last run's memory first: there may be no room for both. Returns
 * NULL, or the reason why it cannot. */
static const char *make_first(const struct workload_call *call)
{
	struct exec_start start;
	struct process *p;
	const char *why;

	task_forget_run();
	times_hold();
	pmu_task_anew(&task_first.events);
	task_clear(&task_first);
	user_state_clear(&task_first.user);
	pmu_task_move(&task_first.events, 0);
	task_first.pid = task_first.tid = TASK_PID;
	task_name(&task_first, workload_name(call));
	memset(&task_first.affinity, 0xff, sizeof(task_first.affinity));
	p = process_create(TASK_PID);
	why = p ? make_files(p, !call->workload) : "there is no memory for it";
	if (!why)
		why = make_memory(p, call, &start);
	if (!why && task_start_at(&task_first, &start))
		why = "it starts where programs have no memory";
	if (why) {
		if (p && p->mm)
			mm_put(p->mm);
		if (p)
			process_close_files(p);
		process_forget(p);
		return why;
	}
	task_first.process = p;
	task_enter_process(p);
	task_kept = mm_get(p->mm);
	return NULL;
}

/* Tells QEMU's plugin that what runs from now on belongs to the next command. */
static void mark_end_of_command(void)
{
	static const struct task_mark mark = {.stack = TASK_MARK_COMMAND};

	insn_mark_task(&mark);
}

void task_end_command(void)
{
	mark_end_of_command();
	task_host.tell_refused();
	wx_tell();
	task_host.end_command(run.status);
	run.status = 0;
	if (run.tree)
		bring_files(run.tree);
	run_files_end();
	task_forget_memory();
	forget_tree();
}

/* Frees a first task that never ran. */
static void forget_first(void)
{
	struct process *p = task_first.process;
	const uint64_t flags = irq_save();

	task_first.process = NULL;
	process_close_files(p);
	mm_put(process_set_memory(p, NULL));
	task_unlink_process(p);
	irq_restore(flags);
}

void task_on_start(void (*fn)(void))
{
	run.on_start = fn;
}

static bool all_gone(void)
{
	return !__atomic_load_n(&task_tree.live, __ATOMIC_ACQUIRE);
}

static void run_all(struct task_outcome *outcome, uint64_t timeout_ns)
{
	uint64_t start, flags = irq_save();

	task_tree.last_tid = TASK_PID;
	task_tree.n = 1;
	run.ending = run.ended = false;
	run.outcome = outcome;
	user_forget();
	if (!run.has_clocks)
		restart_tsc();
	run.has_clocks = false;
	if (timeout_ns)
		hrtimer_start(&run.timeout, timeout_ns);
	task_enter_tree(&task_first);
	start = clock_ns();
	times_begin();
	if (run.on_start)
		run.on_start();
	sched_new(&task_first);
	sched_loop(all_gone);
	pmu_task_set_tid(&task_first.events, TASK_PID);
	outcome->elapsed_ns = run.ended_at - start;
	hrtimer_cancel(&run.timeout);
	run.outcome = NULL;
	run.interrupted = false;
	irq_restore(flags);
}

void task_run_note_status(int status)
{
	run.ended = !run.ending;
	run.status = status;
}

/* The outcome is that of the first process, or, if it had not ended, of the event that ended all
 * processes. */
static void note_outcome(struct task_outcome *o)
{
	const int number = run.status & 0x7f;

	if (!run.ended) {
		note_end(o, run.end);
		return;
	}
	o->end = number == SIGKILL ? TASK_KILLED : number ? TASK_FAULTED : TASK_EXITED;
	o->status = task_status(run.status);
	fmt_print(o->why, sizeof(o->why), "%s",
		  number == SIGKILL ? "killed"
		  : number          ? fault_text()
				    : "");
}

int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome)
{
	const char *why;
	uint64_t flags;

	*outcome = (struct task_outcome){0};
	trace_sync_user();
	flags = irq_save();
	why = make_first(call);
	irq_restore(flags);
	if (why) {
		run.has_clocks = false;
		outcome->end = TASK_NOT_STARTED;
		outcome->status = STATUS_FAILED;
		fmt_print(outcome->why, sizeof(outcome->why), "%s", why);
		return outcome->status;
	}
	page_clean_some(CLEAN_PAGES);
	task_announce(&task_first);
	if (run.interrupted) {
		run.interrupted = false;
		note_end(outcome, TASK_INTERRUPTED);
		forget_first();
		return outcome->status;
	}
	task_first.begins = true;
	run_all(outcome, timeout_ns);
	task_host.tell_refused();
	wx_tell();
	crash_send();
	space_enter(&task_kept->space, smp_cpu());
	note_outcome(outcome);
	return outcome->status;
}
