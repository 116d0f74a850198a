// SPDX-License-Identifier: BSD-2-Clause
/* bench.c - see bench.h. */
#include "rt/perf/bench.h"

#include "arch/x86/cpu/lend.h"
#include "arch/x86/cpu/user.h"

#include <linux/errno.h>

static const struct bench_offer *offered;
static struct reason refusal;

void bench_offer(const struct bench_offer *offer)
{
	offered = offer;
	if (offer)
		refusal.text[0] = '\0';
}

const struct reason *bench_reason(void)
{
	return &refusal;
}

long bench_settings(uint64_t to, uint64_t bytes)
{
	uint32_t version;

	if (!offered)
		return -ENOSYS;
	if (bytes != sizeof(offered->settings) || copy_from_user(&version, to, sizeof(version)))
		return refuse(&refusal, EINVAL, "its harness is of another version of perf0");
	if (version != BENCH_VERSION)
		return refuse(&refusal, EINVAL, "its harness has version %u, and this is %u",
			      version, BENCH_VERSION);
	return copy_to_user(to, &offered->settings, sizeof(offered->settings));
}

static long tell_fault(uint64_t to, const struct lend_fault *f)
{
	const struct bench_fault fault = {
		.vector = f->vector, .rip = f->rip, .address = f->address};

	copy_to_user(to, &fault, sizeof(fault));
	return -EFAULT;
}

long bench_call(uint64_t address, uint64_t fault)
{
	struct lend_fault raised;

	if (!offered)
		return -ENOSYS;
	if (!(offered->settings.flags & BENCH_RING0))
		return refuse(&refusal, EPERM, "it wants ring 0, which --kernel gives");
	if (!user_range(address, 1))
		return -EFAULT;
	return lend_ring0(address, &raised) ? 0 : tell_fault(fault, &raised);
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
	if (result.version != BENCH_VERSION || result.nevents != offered->settings.nevents ||
	    result.measurements != offered->settings.measurements || !result.times)
		return refuse(&refusal, EINVAL, "its results are not those that were asked for");
	n = result.measurements * result.nevents;
	if (copy_from_user(offered->values, result.values, n * sizeof(int64_t)))
		return -EFAULT;
	offered->take(&result, offered->values);
	return 0;
}
