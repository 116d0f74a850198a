// SPDX-License-Identifier: BSD-2-Clause
/* pmu_host.c - see pmu_host.h. */
#include "linux/perf/perf_trap.h"
#include "linux/tree/cgroup.h"
#include "linux/perf/pmu_host.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/step.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/cpu/unwind.h"
#include "arch/x86/cpu/user.h"
#include "lib/percpu.h"
#include "pmu/api/pmu.h"
#include "linux/perf/event_pool.h"
#include "rt/clock/hrtimer.h"
#include "rt/clock/restart.h"
#include "linux/perf/perf.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task.h"
#include "rt/base/vectors.h"
#include "rt/wire/wire.h"
#include "pmu/state/hold.h"

static PERCPU struct {
	/* pmu_timer(), pmu_mux_timer(), pmu_rate_timer(), pmu_refresh_timer() */
	struct hrtimer base, mux, rate, refresh;
} timers;

static struct pmu_regs frame_regs(const struct trap_frame *frame)
{
	return (struct pmu_regs){.ip = frame->rip, .user = trap_from_user(frame), .frame = frame};
}

static bool on_nmi(struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);

	if (!regs.user)
		user_nmi(frame);
	return pmu_nmi(&regs);
}

static bool on_breakpoint(struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);
	enum pmu_debug verdict = pmu_debug(&regs);

	if (verdict == PMU_DEBUG_RESUME)
		frame->rflags |= RFLAGS_RF;
	return verdict != PMU_DEBUG_FOREIGN;
}

/* One #DB may report a single step and a breakpoint. */
static bool on_debug(struct trap_frame *frame)
{
	uint64_t held;
	bool known;

	if (!step_trapped(frame))
		return on_breakpoint(frame);
	if (read_dr6() & DR6_BREAKPOINTS)
		on_breakpoint(frame);
	known = !(read_dr6() & DR6_OTHERS);
	held = pmu_breakpoints_hold();
	known &= step_take(frame);
	pmu_breakpoints_release(held);
	return known;
}

static void on_step(const struct step *s)
{
	pmu_step(&(struct pmu_step){
		.executed = s->executed,
		.from = s->from,
		.to = s->to,
		.insn = s->insn,
	});
}

/* A task that is being switched in starts stepping where it resumes. */
static void host_step(bool on)
{
	struct task *t = sched_current();

	if (on && t && !user_running())
		user_prepare(&t->user);
	if (on)
		step_begin(on_step);
	else
		step_end();
}

static void on_pmu_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);

	(void)timer;
	pmu_timer(&regs);
}

static void on_mux_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);

	(void)timer;
	pmu_mux_timer(&regs);
}

/* The event core arms with interrupts off. */
static void arm_pmu_timer(struct hrtimer *timer, uint64_t ns)
{
	if (ns)
		hrtimer_start_irqs_off(timer, ns);
	else
		hrtimer_cancel(timer);
}

static void arm_timer(uint64_t ns)
{
	arm_pmu_timer(&timers.base, ns);
}

static void arm_mux_timer(uint64_t ns)
{
	arm_pmu_timer(&timers.mux, ns);
}

static void on_rate_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);

	(void)timer;
	pmu_rate_timer(&regs);
}

static void arm_rate_timer(uint64_t ns)
{
	arm_pmu_timer(&timers.rate, ns);
}

static void on_refresh_timer(struct hrtimer *timer, struct trap_frame *frame)
{
	const struct pmu_regs regs = frame_regs(frame);

	(void)timer;
	pmu_refresh_timer(&regs);
}

static void arm_refresh_timer(uint64_t ns)
{
	arm_pmu_timer(&timers.refresh, ns);
}

static void on_work(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	pmu_irq_work();
	perf_trap_send();
	perf_wake();
}

static void irq_work(void)
{
	apic_send_self(VECTOR_WORK);
}

static bool extended_nmi(unsigned n)
{
	if (n >= APIC_EILVTS)
		return false;
	apic_extended_nmi(n);
	return true;
}

static bool is_user(uint64_t ip)
{
	return user_range(ip, 1);
}

static struct pmu_host host = {
	.clock_ns = clock_ns,
	.lvtpc_unmask = apic_lvtpc_unmask,
	.user_ip = user_ip,
	.timer_arm = arm_timer,
	.mux_arm = arm_mux_timer,
	.rate_arm = arm_rate_timer,
	.refresh_arm = arm_refresh_timer,
	.irq_work = irq_work,
	.extended_nmi = extended_nmi,
	.watchable = user_range,
	.tsc_ns = tsc_clock_ns,
	.program_clock = times_of_clock,
	.comm = task_comm,
	.is_user = is_user,
	.wakeup = wire_wakeup,
	.chain_user = unwind_user,
	.chain_kernel = unwind_kernel,
	.read_user = copy_from_user_some,
	.translate = paging_translate,
	.step = host_step,
	.event_alloc = event_pool_take,
	.event_free = event_pool_give,
	.sigtrap = perf_trap_note,
	.set_within = cgroup_within,
	.ncpus = smp_ncpus,
	.call = smp_call,
	.relax = smp_serve,
};

static PERCPU struct pmu_clock shown_clock;

static void follow_clock(void)
{
	const struct tsc_conversion c = tsc_conversion();

	shown_clock = (struct pmu_clock){.shift = c.shift, .mult = c.mult, .zero = c.zero};
}

void pmu_host_init(const struct pmu_caps *caps)
{
	event_pool_init();
	timers.base.fn = on_pmu_timer;
	timers.mux.fn = on_mux_timer;
	timers.rate.fn = on_rate_timer;
	timers.refresh.fn = on_refresh_timer;
	host.current = task_current();
	follow_clock();
	restart_set_follower(follow_clock);
	host.clock = &shown_clock;
	trap_set_nmi(on_nmi);
	trap_set_irq(VECTOR_WORK, on_work);
	trap_set_debug(on_debug);
	apic_lvtpc_nmi();
	pmu_init(caps, &host);
}
