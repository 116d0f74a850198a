// SPDX-License-Identifier: BSD-2-Clause
/*
 * overflow.c - the master switch, and the handling of overflows.
 *
 * If an overflow's NMI has not arrived when counting is paused, pmu_pause() serves the overflow. So
 * no sample depends on the speed of NMIs. The NMI that arrives later finds nothing: it is late.
 *
 * The NMI path has no divisions, and its only loop is over the counters that overflowed.
 */
#include "pmu/core/branches.h"
#include "pmu/core/counter.h"
#include "pmu/core/rate.h"
#include "pmu/record/record_sample.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/core/firmware_conflict.h"
#include "pmu/core/freeze.h"
#include "pmu/core/master.h"
#include "pmu/core/topdown.h"
#include "pmu/core/overflow.h"
#include "pmu/core/precise.h"
#include "pmu/core/schedule.h"
#include "pmu/record/output.h"
#include "pmu/state/control_page.h"

/*
 * If the handler of an overflow alone completes the next period, the interrupted code makes no
 * progress: ring 0 stays at one instruction. This many NMIs in a row at one place are a storm.
 * Events that exclude ring 0 cannot cause one: they overflow again only after ring 3 has made
 * progress.
 */
#define STORM_NMIS 64

/*
 * The time after an overflow was served in which an NMI may still be its echo: about 100 ms, in
 * ticks of the TSC, which need no conversion.
 */
#define LATE_TICKS (1ull << 28)

static inline void expect_late_nmi(void)
{
	pmu.nmi.served_at = rdtsc();
}

/* The bits of the master switch that are set while events count. */
static uint64_t switched_on(void)
{
	return pmu.counters.used | pmu.counters.upper | pmu.counters.beside;
}

static void give_counter_up(const struct pmu_event *e)
{
	pmu.nmi.gave_up = true;
	if (!e->class->hardware)
		return;
	pmu.counters.used &= ~(1ull << e->place->index);
	pmu.counters.sampling &= pmu.counters.used;
	pmu.counters.live &= switched_on();
}

/*
 * An event stops at its limit at once, and its siblings with it if it is a leader. The next
 * scheduling updates their states.
 */
static __attribute__((noinline)) void hang_up(struct pmu_event *e)
{
	e->limit_hit = pmu_now();
	__atomic_store_n(&e->hung_up, true, __ATOMIC_RELAXED);
	if (e->out.rb)
		pmu_wakeup(e->out.rb);
	pmu.hung = true;
	give_counter_up(e);
	if (e->leader != e)
		return;
	for (struct pmu_event *m = e->next_sibling; m; m = m->next_sibling) {
		if (m->state != PMU_STATE_ACTIVE)
			continue;
		if (m->class->hardware) {
			pmu.driver->clear(m->place);
			pmu.counters.wrote[m->place->index] = 0;
		}
		give_counter_up(m);
	}
}

static void notify_overflow(struct pmu_event *e, bool at_limit)
{
	if (e->out.notify)
		e->out.notify(e->family.ancestor ? e->family.ancestor : e, at_limit);
}

/* Sends the signal to the task that the event counts, which is the running one. */
static void send_trap(const struct pmu_event *e, const struct pmu_sample_data *data)
{
	if (e->attr.sigtrap)
		pmu.host->sigtrap(&e->attr,
				  data && data->fields & PERF_SAMPLE_ADDR ? data->addr : 0);
}

static inline void keep_books(struct pmu_books *books, enum pmu_verdict verdict)
{
	local_add(&books->overflows, 1);
	local_add(&books->verdicts[verdict], 1);
}

static inline void keep_all_books(struct pmu_event *e, enum pmu_verdict verdict)
{
	keep_books(&e->books, verdict);
	keep_books(&pmu.stats.books, verdict);
}

void pmu_overflow(struct pmu_event *e, const struct pmu_regs *regs,
		  const struct pmu_sample_data *data)
{
	if (e->out.on_overflow) {
		e->out.on_overflow(e, regs);
	} else {
		keep_all_books(e, pmu_output_sample(e, regs, data));
		pmu_rate_count(e);
	}
	send_trap(e, data);
	if (e->limit && --e->limit == 0) {
		hang_up(e);
		notify_overflow(e, true);
	} else {
		notify_overflow(e, false);
	}
}

static __attribute__((noinline)) void overflow_with_branches(struct pmu_event *e,
							     const struct pmu_regs *regs)
{
	struct pmu_sample_data data = {.fields = 0};

	pmu_branches_add(e, &data);
	pmu_overflow(e, regs, &data);
}

/*
 * A fast version for events that have only a ring, as most have. An overflow found in ring 0, of an
 * event that excludes ring 0, goes to pmu_overflow(), which finds its place in ring 3.
 */
static inline __attribute__((always_inline)) void overflow_to_ring(struct pmu_event *e,
								   const struct pmu_regs *regs)
{
	bool written;

	if (__builtin_expect(!regs->user && e->attr.exclude_kernel && !e->branches, false)) {
		pmu_overflow(e, regs, NULL);
		return;
	}
	if (__builtin_expect(e->out.way == PMU_WAY_WORDS, true)) {
		written = pmu_sample_words(e, regs);
	} else if (e->out.way == PMU_WAY_CHAIN) {
		written = pmu_sample_chain(e, regs);
	} else if (e->branches) {
		overflow_with_branches(e, regs);
		return;
	} else {
		pmu_overflow(e, regs, NULL);
		return;
	}
	if (__builtin_expect(written, true))
		keep_all_books(e, PMU_WRITTEN);
	else
		keep_all_books(e, PMU_LOST);
	pmu_rate_count(e);
}

static inline __attribute__((always_inline)) void serve_each(uint64_t counters,
							     const struct pmu_regs *regs)
{
	for (counters &= pmu.counters.used; counters; counters &= counters - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(counters)];

		if (pmu_counter_serve(e))
			overflow_to_ring(e, regs);
	}
}

static void serve_with_uppers(uint64_t counters, const struct pmu_regs *regs)
{
	serve_each(counters | (counters & pmu.counters.upper) >> 1, regs);
}

/* Finds the counters whose period is complete, by their values instead of the status. */
static uint64_t find_overflowed(void)
{
	uint64_t counters = 0;

	for (uint64_t left = pmu.counters.sampling; left; left &= left - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(left)];

		pmu_hardware_update(e);
		if (e->left <= 0)
			counters |= 1ull << e->place->index;
	}
	return counters;
}

/* Removes the bit that says that the PMI stopped branch records: it is not an overflow. */
static uint64_t without_branches(uint64_t status)
{
	if (!(status & GLOBAL_STATUS_LBR_FRZ))
		return status;
	pmu.driver->ack(GLOBAL_STATUS_LBR_FRZ);
	return status & ~GLOBAL_STATUS_LBR_FRZ;
}

/*
 * Serves the pending overflows: `status`, and what the status does not show. `served`: of
 * pmu.metrics, from before the status was read.
 */
static __attribute__((noinline)) void serve_pending(uint64_t status, uint64_t served,
						    const struct pmu_regs *regs)
{
	status = without_branches(status) & ~pmu.counters.precise;

	if (status) {
		/*
		 * The order matters: an NMI right after the acknowledgement finds nothing, and must
		 * know by then that it may be late.
		 */
		expect_late_nmi();
		pmu.driver->ack(status);
	}
	if (pmu.counters.precise)
		status = pmu_precise_serve(status, regs);
	if (pmu.counters.beside)
		status = pmu_metrics_serve(status, served);
	serve_with_uppers(status | find_overflowed(), regs);
}

static inline void serve_rest(const struct pmu_regs *regs)
{
	const uint64_t served = local_load(&pmu.metrics.served);
	const uint64_t status = pmu_master_status();

	if (status | pmu.counters.sampling | pmu.counters.precise | pmu.counters.beside)
		serve_pending(status, served, regs);
}

/*
 * The counters that should be enabled but are disabled in the master switch. The switch is read
 * first: a later NMI may stop a counter at its limit, but starts none.
 */
static inline uint64_t find_taken(void)
{
	const uint64_t on = pmu_master_running();

	return local_load(&pmu.counters.live) & pmu.counters.used & ~on;
}

static inline void end_pause(const struct pmu_regs *regs)
{
	if (pmu.ibs_active && pmu.unit->pause(regs))
		expect_late_nmi();
	if (pmu.hung)
		pmu_settle();
}

/* The same for other drivers, and where the counters were frozen. */
static __attribute__((noinline)) void pause_unusually(const struct pmu_regs *regs, bool look)
{
	uint64_t taken = 0;

	if (look && pmu.counters.live)
		taken = find_taken();
	local_store(&pmu.counters.live, 0);
	if (pmu.nmi.freezes)
		pmu_freeze_cancel();
	if (pmu.driver) {
		pmu_firmware_took_all(taken);
		pmu_master_stop();
		pmu_branches_stop();
		serve_rest(regs);
	}
	end_pause(regs);
}

/* Behind the usual stop: what an NMI, the firmware or events of other kinds have left to do. */
static __attribute__((noinline)) void finish_pause(uint64_t taken, const struct pmu_regs *regs)
{
	pmu_firmware_took_all(taken);
	pmu_branches_stop();
	serve_rest(regs);
	end_pause(regs);
}

/* The time of all checks from here on belongs to no event. False: pause_unusually() has the rest.
 */
static inline __attribute__((always_inline)) bool begin_pause(void)
{
	pmu.now = pmu_time();
	return __builtin_expect(pmu.quick.master && !pmu.nmi.freezes, 1);
}

/* Stops the counters in the usual way. False: finish_pause() has the rest. */
static inline __attribute__((always_inline)) bool stop_counters(uint64_t taken)
{
	uint64_t status;

	local_store(&pmu.counters.live, 0);
	wrmsr(pmu.quick.master, pmu_kept);
	status = rdmsr(pmu.quick.status);
	return __builtin_expect((taken | status | pmu.busy | pmu.hung) == 0, 1);
}

/* Timers are frequent, and do not end a measurement, so they skip the check of the firmware. */
void pmu_pause_at(const struct pmu_regs *regs)
{
	if (!begin_pause())
		pause_unusually(regs, false);
	else if (!stop_counters(0))
		finish_pause(0, regs);
}

static __attribute__((noinline)) void pause_unusually_at(uint64_t ip)
{
	pause_unusually(&(struct pmu_regs){.ip = ip}, true);
}

static __attribute__((noinline)) void finish_pause_at(uint64_t taken, uint64_t ip)
{
	finish_pause(taken, &(struct pmu_regs){.ip = ip});
}

void pmu_pause(void)
{
	uint64_t taken;

	if (!begin_pause()) {
		pause_unusually_at((uintptr_t)__builtin_return_address(0));
		return;
	}
	taken = find_taken();
	if (!stop_counters(taken))
		finish_pause_at(taken, (uintptr_t)__builtin_return_address(0));
}

/*
 * Lets pmu_time() continue from pmu.now. It is called after the counters have started, because the
 * start may take as long as many instructions, and also before, for NMIs that come at once.
 */
static inline void resume_time(void)
{
	pmu.away += pmu_time() - pmu.now;
}

static __attribute__((noinline)) void resume_unusually(uint64_t live)
{
	resume_time();
	if (pmu.ibs_active)
		pmu.unit->resume();
	if (pmu.driver && pmu.counters.used) {
		if (pmu.counters.precise)
			pmu_precise_arrange();
		pmu_branches_start();
		local_store(&pmu.counters.live, live);
		pmu_master_start(live);
		/* An NMI in between may have removed counters from `live`. */
		if (local_load(&pmu.counters.live) != live)
			pmu_master_start(local_load(&pmu.counters.live));
		resume_time();
	}
	if (pmu.paged)
		pmu_pages_changed();
}

/* Usually nothing samples: then no NMI needs the time, and none removes a counter. */
void pmu_resume(void)
{
	const uint64_t live = switched_on();

	pmu.busy = pmu.counters.sampling | pmu.counters.precise | pmu.counters.beside |
		   pmu.ibs_active | pmu.branches.users;
	if (pmu.busy | pmu.paged) {
		resume_unusually(live);
		return;
	}
	if (__builtin_expect(pmu.counters.used != 0, 1)) {
		local_store(&pmu.counters.live, live);
		pmu_master_start(live);
	}
	resume_time();
}

/*
 * Handles an NMI without an overflow. True: an echo of an overflow that was served before. False:
 * another source.
 */
static __attribute__((noinline)) bool count_late_nmi(void)
{
	bool echo = pmu.nmi.echo || (pmu.nmi.served_at && rdtsc() - pmu.nmi.served_at < LATE_TICKS);

	pmu.nmi.echo = false;
	pmu.stats.late_nmis += echo;
	pmu.stats.spurious_nmis += !echo;
	return echo;
}

/*
 * After an NMI that served several overflows, a second one may come for them, because a PMI may be
 * in flight. If delivery does not mask LVTPC, one may also come much later.
 */
static inline void expect_echo(const struct pmu_driver *driver, uint64_t status)
{
	pmu.nmi.echo = status & (status - 1);
	if (driver->unmasked)
		expect_late_nmi();
}

/* Applies changes of the counters by events at their limit, and restarts stopped counters. */
static __attribute__((noinline)) void restart_counting(const struct pmu_driver *driver,
						       bool stopped)
{
	pmu.nmi.gave_up = false;
	if (!stopped)
		driver->stop();
	if (pmu.counters.live)
		driver->start(pmu.counters.live);
}

static bool is_storm(const struct pmu_regs *regs)
{
	if (regs->user || regs->ip != pmu.nmi.storm_ip)
		pmu.nmi.storm = 0;
	pmu.nmi.storm_ip = regs->user ? 0 : regs->ip;
	return ++pmu.nmi.storm > STORM_NMIS;
}

/* Stops the events on `counters`, which overflow again and again, as if at their limit. */
static __attribute__((noinline)) void end_storm(uint64_t counters)
{
	pmu.nmi.storm = 0;
	for (counters &= pmu.counters.used; counters; counters &= counters - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(counters)];

		if (!e->period)
			continue;
		hang_up(e);
		notify_overflow(e, true);
	}
}

/*
 * The CPU owns the status bit of a precise counter from its overflow to its record; the bit of the
 * buffer stands for all precise counters.
 */
static __attribute__((noinline)) uint64_t serve_precise(uint64_t status,
							const struct pmu_regs *regs)
{
	uint64_t in_ring_0 = pmu.counters.precise & pmu.counters.in_ring_0,
		 rest = pmu_precise_serve(status, regs);

	if (rest != status && in_ring_0 && !(rest & pmu.counters.in_ring_0) && is_storm(regs))
		end_storm(in_ring_0);
	return rest;
}

/*
 * Serves one NMI that found `status`. `usual`: no counter counts in ring 0, is precise or is an
 * upper one, no branches are recorded, no metrics count, and IBS is off.
 */
static inline __attribute__((always_inline)) bool serve_status(const struct pmu_regs *regs,
							       uint64_t status, bool usual,
							       bool stop, bool sampled)
{
	const struct pmu_driver *driver = pmu.driver;
	bool ours = true;

	if (!usual)
		status = without_branches(status) & ~pmu.counters.precise;
	if (__builtin_expect(status != 0, 1)) {
		driver->ack(status);
		expect_echo(driver, status);
		if (!usual && pmu.counters.precise)
			status = serve_precise(status, regs);
		if (!usual && pmu.counters.beside)
			status = pmu_metrics_serve(status, pmu.metrics.served);
		if (!usual)
			status |= (status & pmu.counters.upper) >> 1;
		serve_each(status, regs);
		if (!usual && status & pmu.counters.in_ring_0 && is_storm(regs))
			end_storm(status & pmu.counters.in_ring_0);
		pmu.stats.nmis++;
	} else if (sampled) {
		pmu.stats.nmis++;
	} else {
		ours = count_late_nmi();
	}
	if (__builtin_expect(pmu.paged, 0))
		pmu_pages_moved();
	pmu.host->lvtpc_unmask();
	if (!usual && pmu.counters.live)
		pmu_branches_start();
	if (__builtin_expect(stop || pmu.nmi.gave_up, 0))
		restart_counting(driver, stop);
	return ours;
}

static __attribute__((noinline)) bool serve_unusual_nmi(const struct pmu_regs *regs)
{
	const bool stop = pmu.counters.in_ring_0 || pmu.counters.beside || pmu.hw.mid_ack;
	bool sampled = false;

	if (pmu.nmi.freezes)
		return pmu_freeze_nmi();
	if (!pmu.driver)
		return false;
	if (pmu.ibs_active)
		sampled = pmu.unit->nmi(regs);
	if (stop)
		pmu.driver->stop();
	/* Branch recording stops before the acknowledgement, which would let it continue. */
	pmu_branches_stop();
	return serve_status(regs, pmu.driver->overflowed(), false, stop, sampled);
}

/*
 * Counters that exclude ring 0 stand still here by themselves: only the others need the master
 * switch.
 */
static __attribute__((noinline)) bool serve_usual_nmi(const struct pmu_regs *regs, uint64_t status)
{
	return serve_status(regs, status, true, false, false);
}

/* The sample of a quick event, whose next period has begun. */
static __attribute__((noinline)) void sample_slowly(struct pmu_event *e,
						    const struct pmu_regs *regs)
{
	overflow_to_ring(e, regs);
}

/* True where one counter alone overflowed, while ring 3 ran, as in most NMIs. */
static inline bool is_single(const struct pmu_regs *regs, uint64_t status)
{
	return __builtin_expect(!(status & (status - 1)) && status & pmu.counters.used, 1) &&
	       regs->user;
}

/* The compiler would otherwise keep regs->user for it, in a register that has to be saved. */
static inline bool is_served(void)
{
	bool yes = true;

	__asm__("" : "+r"(yes));
	return yes;
}

/* `direct`: by pmu.quick, whose drivers mask LVTPC. */
static inline __attribute__((always_inline)) void acknowledge(uint64_t status, bool direct)
{
	if (direct) {
		wrmsr(pmu.quick.ack, status);
		pmu.nmi.echo = false;
	} else {
		pmu.driver->ack(status);
		expect_echo(pmu.driver, status);
	}
}

/*
 * Serves the overflow of a quick event, the only one. Its next period ends in the counter's range,
 * as quick periods are short.
 */
static inline __attribute__((always_inline)) bool serve_quickly(struct pmu_event *e,
								const struct pmu_regs *regs,
								uint64_t status, bool chain,
								bool direct)
{
	const struct pmu_place *place = e->place;
	const uint64_t period = e->period, mask = pmu.counter_mask;
	const uint64_t delta = (rdpmc(place->rdpmc) - e->prev) & mask;
	const uint64_t next = (uint64_t)e->left - delta + period;
	const uint64_t reload = -next & mask;
	uint64_t time;

	if (__builtin_expect(next - PMU_LEAST_RELOAD > period - PMU_LEAST_RELOAD, 0))
		return serve_usual_nmi(regs, status);
	e->prev = reload;
	e->count += delta;
	e->left = (int64_t)next;
	e->last_period = e->this_period;
	e->this_period = period;
	acknowledge(status, direct);
	wrmsr(place->counter, reload);
	time = pmu_now();
	if (__builtin_expect(
		    chain ? pmu_quick_chain(e, regs, time) : pmu_quick_sample(e, regs, time), 1)) {
		keep_all_books(e, PMU_WRITTEN);
		pmu_rate_count(e);
	} else {
		sample_slowly(e, regs);
	}
	pmu.stats.nmis++;
	pmu.host->lvtpc_unmask();
	return is_served();
}

static inline __attribute__((always_inline)) bool serve_other(struct pmu_event *e,
							      const struct pmu_regs *regs,
							      uint64_t status, bool direct)
{
	if (e->out.quick == PMU_WAY_CHAIN)
		return serve_quickly(e, regs, status, true, direct);
	return serve_usual_nmi(regs, status);
}

static __attribute__((noinline)) bool serve_chain(struct pmu_event *e, const struct pmu_regs *regs,
						  uint64_t status)
{
	return serve_other(e, regs, status, true);
}

static inline struct pmu_event *event_on(uint64_t status)
{
	return pmu.counters.on[(uint64_t)__builtin_ctzll(status)];
}

static __attribute__((noinline)) bool serve_by_driver(const struct pmu_regs *regs)
{
	const uint64_t status = pmu.driver->overflowed();
	struct pmu_event *e;

	if (pmu.paged || !is_single(regs, status))
		return serve_usual_nmi(regs, status);
	e = event_on(status);
	if (e->out.quick == PMU_WAY_WORDS)
		return serve_quickly(e, regs, status, false, false);
	return serve_other(e, regs, status, false);
}

bool pmu_nmi(const struct pmu_regs *regs)
{
	struct pmu_event *e;
	uint64_t status;

	if (__builtin_expect((pmu.counters.in_ring_0 | pmu.counters.precise | pmu.counters.upper |
			      pmu.ibs_active | pmu.branches.users | pmu.nmi.unusual) != 0,
			     0))
		return serve_unusual_nmi(regs);
	if (__builtin_expect(!pmu.quick.status || pmu.paged, 0))
		return serve_by_driver(regs);
	status = rdmsr(pmu.quick.status);
	if (__builtin_expect(!is_single(regs, status), 0))
		return serve_usual_nmi(regs, status);
	e = event_on(status);
	if (__builtin_expect(e->out.quick != PMU_WAY_WORDS, 0))
		return serve_chain(e, regs, status);
	return serve_quickly(e, regs, status, false, true);
}
