// SPDX-License-Identifier: BSD-2-Clause
/*
 * overflow.c - the master switch, and what happens when a counter wraps.
 *
 * An overflow whose NMI has not come yet when counting is paused is served by pmu_pause(), so that
 * no sample depends on how fast an NMI is. The NMI that comes afterwards finds nothing: it is late.
 *
 * The NMI path divides nothing, and its only loop is over the counters that wrapped.
 */
#include "pmu/core/branches.h"
#include "pmu/core/counter.h"
#include "pmu/core/rate.h"
#include "pmu/record/sample.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/bits.h"
#include "pmu/core/firmware.h"
#include "pmu/core/freeze.h"
#include "pmu/core/metrics.h"
#include "pmu/core/overflow.h"
#include "pmu/core/precise.h"
#include "pmu/core/schedule.h"
#include "pmu/record/output.h"
#include "pmu/state/page.h"

/*
 * Where the handler of an overflow fills the next period by itself, the interrupted code never gets
 * on: ring 0 stays at one instruction. So many NMIs in a row there are a storm. What leaves ring 0
 * out cannot make one: it only overflows again once ring 3 got on.
 */
#define STORM_NMIS 64

/* How long after its overflow was served an NMI can still be its echo: about 100 ms, in ticks of
 * the TSC, for that is a bound which needs no conversion. */
#define LATE_TICKS (1ull << 28)

static inline void expect_late_nmi(void)
{
	pmu.nmi.served_at = rdtsc();
}

/* What the master switch has on while events count. */
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
 * At its limit an event stops at once, and so do its siblings when it leads them; their states
 * follow when the scheduler looks next.
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

/* The signal is for the task that the event counts, which is the one that runs. */
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

/* The same for events that have nothing but a ring, which most are. An overflow that is found in
 * ring 0 for an event that leaves ring 0 out goes to pmu_overflow(), which finds where it belongs.
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

/* Counters whose period is over, whether or not the status says so. */
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

/* That they were stopped by the PMI is no overflow. */
static uint64_t without_branches(uint64_t status)
{
	if (!(status & GLOBAL_STATUS_LBR_FRZ))
		return status;
	pmu.driver->ack(GLOBAL_STATUS_LBR_FRZ);
	return status & ~GLOBAL_STATUS_LBR_FRZ;
}

/* What overflowed and was not served yet. */
static void serve_rest(const struct pmu_regs *regs)
{
	const uint64_t served = local_load(&pmu.metrics.served);
	uint64_t status = without_branches(pmu.driver->overflowed()) & ~pmu.counters.precise;

	if (status) {
		/* In this order: an NMI right behind the acknowledgement finds nothing, and must
		 * know by then that it may be late. */
		expect_late_nmi();
		pmu.driver->ack(status);
	}
	if (pmu.counters.precise)
		status = pmu_precise_serve(status, regs);
	if (pmu.counters.beside)
		status = pmu_metrics_serve(status, served);
	serve_with_uppers(status | find_overflowed(), regs);
}

/* Of the counters that are to be on, those that the master switch has off. It is read first: an NMI
 * afterwards may find a counter at its limit, and starts none. */
static uint64_t find_taken(void)
{
	const uint64_t on = pmu.driver->running();

	return local_load(&pmu.counters.live) & pmu.counters.used & ~on;
}

static inline void pause_counting(const struct pmu_regs *regs, bool look)
{
	const bool looks = look && pmu.driver && pmu.driver->running && pmu.counters.live;
	uint64_t taken = 0;

	pmu.now = pmu_time(); /* what looking takes is in no event's time */
	if (looks)
		taken = find_taken();
	local_store(&pmu.counters.live, 0);
	if (pmu.nmi.freezes)
		pmu_freeze_cancel();
	if (pmu.driver) {
		if (taken)
			pmu_firmware_took_all(taken);
		pmu.driver->stop();
		pmu_branches_stop();
		serve_rest(regs);
	}
	if (pmu.ibs_active && pmu.unit->pause(regs))
		expect_late_nmi();
	pmu_settle();
}

/* Timers come often, and do not end what is measured. */
void pmu_pause_at(const struct pmu_regs *regs)
{
	pause_counting(regs, false);
}

void pmu_pause(void)
{
	const struct pmu_regs here = {.ip = (uintptr_t)__builtin_return_address(0), .user = false};

	pause_counting(&here, true);
}

/*
 * pmu_time() goes on from pmu.now. This is called before the counters start, for NMIs that come at
 * once, and again after it, for the start itself may take as long as many instructions.
 */
static void resume_time(void)
{
	pmu.away += pmu_time() - pmu.now;
}

static void resume_counting(void)
{
	const uint64_t live = switched_on();

	resume_time();
	if (pmu.ibs_active)
		pmu.unit->resume();
	if (!pmu.driver || !pmu.counters.used)
		return;
	if (pmu.counters.precise)
		pmu_precise_arrange();
	pmu_branches_start();
	local_store(&pmu.counters.live, live);
	pmu.driver->start(live);
	/* An NMI in between may have taken counters out of `live`. */
	if (local_load(&pmu.counters.live) != live)
		pmu.driver->start(local_load(&pmu.counters.live));
	resume_time();
}

void pmu_resume(void)
{
	resume_counting();
	if (pmu.paged)
		pmu_pages_changed();
}

/* Nothing overflowed. True: the NMI is an echo of what was served before; else it has some other
 * source. */
static __attribute__((noinline)) bool count_late_nmi(void)
{
	bool echo = pmu.nmi.echo || (pmu.nmi.served_at && rdtsc() - pmu.nmi.served_at < LATE_TICKS);

	pmu.nmi.echo = false;
	pmu.stats.late_nmis += echo;
	pmu.stats.spurious_nmis += !echo;
	return echo;
}

/*
 * After an NMI that served several overflows a second one may come for them, since a PMI can be
 * under way already.
 * Where delivery does not mask LVTPC, one can also come much later.
 */
static inline void expect_echo(const struct pmu_driver *driver, uint64_t status)
{
	pmu.nmi.echo = status & (status - 1);
	if (driver->unmasked)
		expect_late_nmi();
}

/* What an event at its limit gave up, or the handler stopped, becomes what is to count from now on.
 */
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

/* The events on `counters`, which keep overflowing, stop for good, as at a limit. */
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

/* From its overflow to its record the status bit of a precise counter is the CPU's; the buffer's is
 * for all of them. */
static __attribute__((noinline)) uint64_t serve_precise(uint64_t status,
							const struct pmu_regs *regs)
{
	uint64_t in_ring_0 = pmu.counters.precise & pmu.counters.in_ring_0,
		 rest = pmu_precise_serve(status, regs);

	if (rest != status && in_ring_0 && !(rest & pmu.counters.in_ring_0) && is_storm(regs))
		end_storm(in_ring_0);
	return rest;
}

/* One NMI. `usual`: no counter counts in ring 0, is precise or holds the upper half of another, no
 * branches are recorded, no metrics count, and there is no IBS. */
static inline __attribute__((always_inline)) bool serve_nmi(const struct pmu_regs *regs, bool usual)
{
	const struct pmu_driver *driver = pmu.driver;
	const bool stop =
		!usual && (pmu.counters.in_ring_0 || pmu.counters.beside || pmu.hw.mid_ack);
	uint64_t status;
	bool ours = true, sampled = false;

	if (!usual && pmu.ibs_active)
		sampled = pmu.unit->nmi(regs);
	if (stop)
		driver->stop();
	/* Before the acknowledgement, for that lets branches be recorded again. */
	if (!usual)
		pmu_branches_stop();
	status = driver->overflowed();
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
	if (pmu.nmi.freezes)
		return pmu_freeze_nmi();
	return pmu.driver && serve_nmi(regs, false);
}

/*
 * Counters that leave ring 0 out stand still by themselves here: the master switch is for the
 * others only.
 */
bool pmu_nmi(const struct pmu_regs *regs)
{
	if (__builtin_expect((pmu.counters.in_ring_0 | pmu.counters.precise | pmu.counters.upper |
			      pmu.ibs_active | pmu.branches.users | pmu.nmi.unusual) != 0,
			     0))
		return serve_unusual_nmi(regs);
	return serve_nmi(regs, true);
}
