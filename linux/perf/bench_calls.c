// SPDX-License-Identifier: BSD-2-Clause
/* bench_calls.c - see bench_calls.h. */
#include "linux/perf/bench_calls.h"

#include "arch/x86/cpu/ring0_call.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"

#include <linux/errno.h>

#define UD2_BYTES 2

static const struct bench_offer *offered;
static struct reason refusal;

/* The traced run, from PERF0_SYS_BENCH_STOP to PERF0_SYS_BENCH_STOPPED. */
static struct {
	bool waits; /* the run has not begun */
	int error;  /* error at the end of the run */
	struct bench_stop stop;
	struct bench_stopped stopped;
} run;

void bench_offer(const struct bench_offer *offer)
{
	offered = offer;
	run.waits = false;
	run.error = -ENODATA;
	if (offer)
		refusal.text[0] = '\0';
}

const struct reason *bench_reason(void)
{
	return &refusal;
}

/* The events are on their counters: their program runs. */
static void add_master(struct bench_settings *settings)
{
	const struct pmu_master master = pmu_freeze_master();

	settings->master = master.msr;
	settings->master_on = master.on;
	settings->master_off = master.off;
}

long bench_settings(uint64_t to, uint64_t bytes)
{
	struct bench_settings settings;
	uint32_t version;

	if (!offered)
		return -ENOSYS;
	if (bytes != sizeof(offered->settings) || copy_from_user(&version, to, sizeof(version)))
		return refuse(&refusal, EINVAL, "its harness is of another version of perf0");
	if (version != BENCH_VERSION)
		return refuse(&refusal, EINVAL, "its harness has version %u, and this is %u",
			      version, BENCH_VERSION);
	settings = offered->settings;
	if (settings.flags & BENCH_TRACE && settings.flags & BENCH_RING0)
		add_master(&settings);
	return copy_to_user(to, &settings, sizeof(settings));
}

/* --- Traced runs --- */

static bool is_traced(void)
{
	return offered && offered->settings.flags & BENCH_TRACE;
}

static void begin_counting(void)
{
	run.waits = false;
	pmu_freeze_begin(offered->event[offered->settings.clock], run.stop.after, offered->freeze);
}

static void end_counting(void)
{
	static const uint8_t by[] = {
		[PMU_FROZEN_NOT] = BENCH_NOT_STOPPED,
		[PMU_FROZEN] = BENCH_STOPPED_BY_CPU,
		[PMU_FROZEN_BY_NMI] = BENCH_STOPPED_BY_NMI,
	};
	enum pmu_frozen frozen = PMU_FROZEN_NOT;

	run.error = pmu_freeze_end(offered->event, offered->settings.nevents, run.stopped.value,
				   &frozen);
	run.stopped.by = by[frozen];
}

bool bench_takes_fault(struct trap_frame *frame)
{
	if (!is_traced() || frame->vector != VEC_UD)
		return false;
	if (frame->rip == run.stop.start && run.waits) {
		begin_counting();
		pmu_freeze_start();
	} else if (frame->rip == run.stop.stop && !run.waits) {
		end_counting();
	} else {
		return false;
	}
	frame->rip += UD2_BYTES;
	return true;
}

long bench_stop(uint64_t from, uint64_t bytes)
{
	if (!is_traced())
		return -ENOSYS;
	if (bytes != sizeof(run.stop))
		return -EINVAL;
	if (copy_from_user(&run.stop, from, sizeof(run.stop)))
		return -EFAULT;
	run.waits = true;
	run.error = -ENODATA;
	return 0;
}

long bench_stopped(uint64_t to, uint64_t bytes)
{
	if (!is_traced())
		return -ENOSYS;
	if (bytes != sizeof(run.stopped))
		return -EINVAL;
	if (run.error)
		return run.error;
	run.error = -ENODATA;
	return copy_to_user(to, &run.stopped, sizeof(run.stopped));
}

long bench_trace(uint64_t from, uint64_t bytes)
{
	struct bench_trace trace;

	if (!is_traced())
		return -ENOSYS;
	if (bytes != sizeof(trace))
		return -EINVAL;
	if (copy_from_user(&trace, from, sizeof(trace)))
		return -EFAULT;
	trace.name[BENCH_NAME_MAX] = '\0';
	if (!trace.from || trace.to < trace.from || trace.to - trace.from >= BENCH_CYCLES_MOST)
		return refuse(&refusal, EINVAL, "its trace is not the one that was asked for");
	return offered->take_trace(&trace);
}

/* --- */

static long tell_fault(uint64_t to, const struct lend_fault *f)
{
	const struct bench_fault fault = {
		.vector = f->vector, .rip = f->rip, .address = f->address};

	copy_to_user(to, &fault, sizeof(fault));
	return -EFAULT;
}

long bench_call(uint64_t address, uint64_t fault)
{
	const bool traced = run.waits;
	struct lend_fault raised;
	bool done;

	if (!offered)
		return -ENOSYS;
	if (!(offered->settings.flags & BENCH_RING0))
		return refuse(&refusal, EPERM, "it wants ring 0, which --kernel gives");
	if (!user_range(address, 1))
		return -EFAULT;
	if (traced)
		begin_counting();
	done = lend_ring0(address, &raised);
	if (traced)
		end_counting();
	return done ? 0 : tell_fault(fault, &raised);
}

long bench_result(uint64_t from, uint64_t bytes)
{
	struct bench_result result;
	uint64_t n;

	if (!offered)
		return -ENOSYS;
	if (bytes != sizeof(result))
		return -EINVAL;
	if (copy_from_user(&result, from, sizeof(result)))
		return -EFAULT;
	result.name[BENCH_NAME_MAX] = '\0';
	result.detail[BENCH_DETAIL_MAX] = '\0';
	if (result.version != BENCH_VERSION || result.nevents != offered->settings.nevents ||
	    result.measurements != offered->settings.measurements || !result.times ||
	    result.role >= BENCH_ROLES || result.total > BENCH_RESULTS_MAX)
		return refuse(&refusal, EINVAL, "its results are not those that were asked for");
	n = result.measurements * result.nevents;
	if (copy_from_user(offered->values, result.values, n * sizeof(int64_t)))
		return -EFAULT;
	offered->take(&result, offered->values);
	return 0;
}
