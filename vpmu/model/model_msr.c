// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_msr.c - the registers of the PMU. One table has each register, the vendors and versions
 * that it exists on, and the functions that access it. A register of the table that the personality
 * lacks raises #GP, as on hardware. A register outside of the table is not the model's.
 */
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_quick.h"

#include "lib/string.h"

#define RDPMC_INDEX   0x0000ffffu
#define RDPMC_TYPE    0xffff0000u
#define RDPMC_METRICS 0x20000000u

#define STATUS_UNCORE (1ull << 61)
#define INUSE_PMI     (1ull << 63)

#define DEBUGCTL_VALID \
	(DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_FREEZE_LBRS | DEBUGCTL_FREEZE_PERFMON)
#define DEBUGCTL_OF_BTS \
	(DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT | DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR)
#define LD_LAT_VALID 0xffffull

static uint64_t counter_mask(const struct vpmu_model *m)
{
	return m->layout.counter_mask;
}

static uint64_t global_counters(const struct vpmu_model *m)
{
	return m->layout.counters;
}

static uint64_t global_ctrl_bits(const struct vpmu_model *m)
{
	return global_counters(m) | (has_metrics(m) ? GLOBAL_METRICS : 0);
}

/* Bits of GLOBAL_STATUS that software can clear, and also set from version 4 on. */
static uint64_t global_status_bits(const struct vpmu_model *m)
{
	uint64_t valid = global_ctrl_bits(m);

	if (is_amd(m))
		return valid | GLOBAL_STATUS_CTR_FRZ | (m->lbr.exists ? GLOBAL_STATUS_LBR_FRZ : 0);
	valid |= GLOBAL_STATUS_OVF_BUF | GLOBAL_STATUS_COND_CHGD;
	valid |= is_kvm(m) ? 0 : STATUS_UNCORE;
	valid |= vpmu_cpuid_tells_pt(m) ? GLOBAL_STATUS_TOPA_PMI : 0;
	if (m->uarch->version >= 4)
		valid |= GLOBAL_STATUS_CTR_FRZ | GLOBAL_STATUS_LBR_FRZ;
	return valid;
}

/* The bits that count all threads of the core. KVM refuses them, whatever the version. */
static bool has_any_thread(const struct vpmu_model *m)
{
	return m->uarch->version < 5 && !is_kvm(m);
}

static uint64_t evtsel_bits(const struct vpmu_model *m)
{
	const uint64_t common = EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_USR | EVTSEL_OS | EVTSEL_EDGE |
				EVTSEL_INT | EVTSEL_EN | EVTSEL_INV | EVTSEL_CMASK;
	const uint64_t amd_host_guest = 3ull << 40;

	if (is_amd(m))
		return common | EVTSEL_AMD_EVENT_HI | (is_kvm(m) ? 0 : amd_host_guest);
	return common | EVTSEL_PC | (has_any_thread(m) ? EVTSEL_ANY : 0) |
	       (m->uarch->wide_select ? EVTSEL_INTEL_UMASK2 | EVTSEL_INTEL_EQ : 0) |
	       (is_adaptive(m) ? EVTSEL_ADAPTIVE : 0);
}

static uint64_t fixed_ctrl_bits(const struct vpmu_model *m)
{
	uint64_t mode = FIXED_CTRL_OS | FIXED_CTRL_USR | FIXED_CTRL_PMI, valid = 0;

	if (has_any_thread(m))
		mode |= FIXED_CTRL_ANY;
	if (is_adaptive(m))
		mode |= FIXED_CTRL_ADAPTIVE;
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		valid |= has_fixed(m, i) ? mode << FIXED_CTRL_SHIFT(i) : 0;
	return valid;
}

static enum vpmu_access set_valid(uint64_t *reg, uint64_t v, uint64_t valid)
{
	if (v & ~valid)
		return VPMU_GP;
	*reg = v;
	return VPMU_DONE;
}

static enum vpmu_access give_value(uint64_t *v, uint64_t value)
{
	*v = value;
	return VPMU_DONE;
}

static bool has_full_writes(const struct vpmu_model *m)
{
	return is_amd(m) || m->uarch->perf_capabilities & PERF_CAP_FW_WRITE;
}

/*
 * A counter that only counts is never set so near to its overflow: half of the values stay below. A
 * counter that samples is set nearer. This many cycles are a watchdog's time, unless fewer bits can
 * be written.
 */
#define SOON        (1ull << 40)
#define SOON_LEGACY (1ull << 30) /* 32 bits can be written, and one is the sign */

static uint64_t soon(const struct vpmu_model *m)
{
	const uint64_t quarter = 1ull << (m->uarch->width - 2);

	if (!has_full_writes(m))
		return SOON_LEGACY;
	return quarter < SOON ? quarter : SOON;
}

void vpmu_counters_init(struct vpmu_model *m)
{
	m->layout.counters = bits(m->layout.ngp) | (uint64_t)m->uarch->fixed << GLOBAL_FIXED_SHIFT;
	m->layout.counter_mask = bits(m->uarch->width);
	m->layout.soon = soon(m);
}

/* The rest of an event stays. */
static void set_counter(struct vpmu_model *m, struct vpmu_counter *c, uint64_t value)
{
	vpmu_counter_set(c, value & counter_mask(m));
}

/*
 * Events take turns on counters, and an event may return on another counter: its rest moves with
 * it. In between the rest belongs to a counter that counts the same event, or waits in vpmu_rests.
 */
#define ALIKE (~(EVTSEL_EN | EVTSEL_INT | EVTSEL_PC))

/* The place of `event`; 0: a free place, or the oldest one. */
static struct vpmu_rest *find_rest(struct vpmu_model *m, uint64_t event)
{
	for (unsigned i = 0; i < VPMU_RESTS; i++)
		if (m->rests.rest[i].event == event)
			return &m->rests.rest[i];
	return NULL;
}

static struct vpmu_rest *place_for_rest(struct vpmu_model *m, uint64_t event)
{
	struct vpmu_rest *place = find_rest(m, event);

	if (!place)
		place = find_rest(m, 0);
	if (place)
		return place;
	m->rests.oldest = (m->rests.oldest + 1) % VPMU_RESTS;
	return &m->rests.rest[m->rests.oldest];
}

static void keep_rest(struct vpmu_model *m, uint64_t event, uint64_t rest)
{
	struct vpmu_rest *place;

	if (!event || !rest)
		return;
	place = place_for_rest(m, event);
	m->rests.n += !place->event;
	if (place->event != event)
		*place = (struct vpmu_rest){.event = event};
	place->rest += rest;
}

static uint64_t take_rest(struct vpmu_model *m, uint64_t event)
{
	struct vpmu_rest *place = event && m->rests.n ? find_rest(m, event) : NULL;
	uint64_t rest;

	if (!place)
		return 0;
	rest = place->rest;
	*place = (struct vpmu_rest){0};
	m->rests.n--;
	return rest;
}

/* Counts a whole event that two rests make, unless the counter would overflow. */
static void add_rest(struct vpmu_model *m, unsigned i, uint64_t rest)
{
	const uint64_t den = vpmu_rate_gp(m, i).den, sum = m->regs.gp[i].rest + rest;

	if (m->regs.gp[i].value + sum / den > counter_mask(m)) {
		keep_rest(m, m->regs.evtsel[i] & ALIKE, rest);
		return;
	}
	m->regs.gp[i].value += sum / den;
	m->regs.gp[i].rest = sum % den;
}

static uint64_t leave_rest(struct vpmu_counter *c)
{
	const uint64_t rest = c->rest;

	c->rest = 0;
	return rest;
}

/* Counter `i` gets another event, and passes its rest on. */
static void hand_on_rest(struct vpmu_model *m, unsigned i)
{
	const uint64_t event = m->regs.evtsel[i] & ALIKE, rest = leave_rest(&m->regs.gp[i]);

	for (unsigned k = 0; k < m->layout.ngp; k++)
		if (k != i && m->regs.evtsel[k] & EVTSEL_EN &&
		    (m->regs.evtsel[k] & ALIKE) == event) {
			add_rest(m, k, rest);
			return;
		}
	keep_rest(m, event, rest);
}

/* Counter `i` starts, and collects the rests that its event has left on stopped counters. */
static void gather_rests(struct vpmu_model *m, unsigned i)
{
	const uint64_t event = m->regs.evtsel[i] & ALIKE;
	uint64_t rest = take_rest(m, event);

	for (unsigned k = 0; k < m->layout.ngp; k++)
		if (k != i && !(m->regs.evtsel[k] & EVTSEL_EN) &&
		    (m->regs.evtsel[k] & ALIKE) == event)
			rest += leave_rest(&m->regs.gp[k]);
	if (rest)
		add_rest(m, i, rest);
}

void vpmu_rests_forget(struct vpmu_model *m)
{
	memset(m->rests.rest, 0, sizeof(m->rests.rest));
	m->rests.n = 0;
	for (unsigned i = 0; i < m->layout.ngp; i++)
		m->regs.gp[i].rest = 0;
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		m->regs.fixed[i].rest = 0;
}

/* A newly written counter has not overflowed. */
static void disarm_pebs(struct vpmu_model *m, uint64_t counters)
{
	m->pebs.armed &= ~counters;
	m->pebs.due &= ~counters;
}

static enum vpmu_access rd_evtsel(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return i < m->layout.ngp ? give_value(v, m->regs.evtsel[i]) : VPMU_GP;
}

/* Intel faults on reserved bits; AMD drops them. */
static enum vpmu_access wr_evtsel(struct vpmu_model *m, unsigned i, uint64_t v)
{
	uint64_t valid = evtsel_bits(m);

	if (i >= m->layout.ngp || (!is_amd(m) && v & ~valid))
		return VPMU_GP;
	if ((m->regs.evtsel[i] ^ v) & valid & ALIKE)
		hand_on_rest(m, i);
	m->firmware.occupied &= ~(1ull << i);
	m->regs.evtsel[i] = v & valid;
	m->regs.event[i] = vpmu_model_event(m, i, v & valid);
	if (v & EVTSEL_EN)
		gather_rests(m, i);
	vpmu_faults_selected(m, i);
	return VPMU_DONE;
}

static enum vpmu_access rd_gp(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return i < m->layout.ngp ? give_value(v, m->regs.gp[i].value) : VPMU_GP;
}

/* SDM vol. 3, "Full-Width Writes to Performance Counter Registers": the old names sign-extend. */
static enum vpmu_access wr_gp_legacy(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (i >= m->layout.ngp)
		return VPMU_GP;
	set_counter(m, &m->regs.gp[i], (uint64_t)(int64_t)(int32_t)v);
	disarm_pebs(m, 1ull << i);
	return VPMU_DONE;
}

static enum vpmu_access rd_gp_full(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return has_full_writes(m) ? rd_gp(m, i, v) : VPMU_GP;
}

static enum vpmu_access wr_gp_full(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!has_full_writes(m) || i >= m->layout.ngp || v & ~counter_mask(m))
		return VPMU_GP;
	set_counter(m, &m->regs.gp[i], v);
	disarm_pebs(m, 1ull << i);
	return VPMU_DONE;
}

static enum vpmu_access wr_gp_amd(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (i >= m->layout.ngp)
		return VPMU_GP;
	set_counter(m, &m->regs.gp[i], v);
	return VPMU_DONE;
}

static enum vpmu_access rd_fixed(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return has_fixed(m, i) ? give_value(v, m->regs.fixed[i].value) : VPMU_GP;
}

/* KVM drops the bits above a fixed counter, where CPUs fault. */
static uint64_t fixed_bits(const struct vpmu_model *m)
{
	return is_kvm(m) ? UINT64_MAX : counter_mask(m);
}

static enum vpmu_access wr_fixed(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!has_fixed(m, i) || v & ~fixed_bits(m))
		return VPMU_GP;
	set_counter(m, &m->regs.fixed[i], v);
	disarm_pebs(m, 1ull << (GLOBAL_FIXED_SHIFT + i));
	return VPMU_DONE;
}

/* AMD's extended registers alternate: selector, counter, selector, counter. */
static enum vpmu_access rd_amd_pair(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!m->uarch->amd_core)
		return VPMU_GP;
	return i % 2 ? rd_gp(m, i / 2, v) : rd_evtsel(m, i / 2, v);
}

static enum vpmu_access wr_amd_pair(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!m->uarch->amd_core)
		return VPMU_GP;
	return i % 2 ? wr_gp_amd(m, i / 2, v) : wr_evtsel(m, i / 2, v);
}

static enum vpmu_access rd_fixed_ctrl(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->regs.fixed_ctrl);
}

static enum vpmu_access wr_fixed_ctrl(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	m->firmware.occupied &= bits(GLOBAL_FIXED_SHIFT);
	return set_valid(&m->regs.fixed_ctrl, v, fixed_ctrl_bits(m));
}

static enum vpmu_access rd_global_ctrl(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->regs.global_ctrl);
}

static enum vpmu_access wr_global_ctrl(struct vpmu_model *m, unsigned i, uint64_t v)
{
	const enum vpmu_access access = set_valid(&m->regs.global_ctrl, v, global_ctrl_bits(m));

	(void)i;
	vpmu_faults_started(m);
	return access;
}

static enum vpmu_access rd_global_status(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->regs.global_status);
}

static enum vpmu_access rd_zero(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)m;
	(void)i;
	return give_value(v, 0);
}

/* Intel faults on reserved bits. AMD ignores them, and software there writes the complement of a
 * status. */
static bool status_write_faults(const struct vpmu_model *m, uint64_t v, uint64_t valid)
{
	return !is_amd(m) && v & ~valid;
}

static enum vpmu_access wr_status_reset(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (status_write_faults(m, v, global_status_bits(m)))
		return VPMU_GP;
	m->regs.global_status &= ~v;
	return VPMU_DONE;
}

/* Sets the bits. As on hardware, this raises no PMI. */
static enum vpmu_access wr_status_set(struct vpmu_model *m, unsigned i, uint64_t v)
{
	uint64_t valid = global_status_bits(m) & ~GLOBAL_STATUS_COND_CHGD;

	(void)i;
	if (status_write_faults(m, v, valid))
		return VPMU_GP;
	m->regs.global_status |= v & valid;
	return VPMU_DONE;
}

/* SDM vol. 3, "IA32_PERF_GLOBAL_INUSE MSR". */
static enum vpmu_access rd_global_inuse(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	uint64_t inuse = 0;

	(void)i;
	for (unsigned k = 0; k < m->layout.ngp; k++) {
		inuse |= m->regs.evtsel[k] & EVTSEL_EVENT ? 1ull << k : 0;
		inuse |= m->regs.evtsel[k] & EVTSEL_INT ? INUSE_PMI : 0;
	}
	for (unsigned k = 0; k < m->layout.nfixed; k++) {
		unsigned mode = fixed_mode(m, k);

		inuse |= mode & (FIXED_CTRL_OS | FIXED_CTRL_USR) ? 1ull << (GLOBAL_FIXED_SHIFT + k)
								 : 0;
		inuse |= mode & FIXED_CTRL_PMI ? INUSE_PMI : 0;
	}
	return give_value(v, inuse);
}

static enum vpmu_access rd_metrics(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return has_metrics(m) ? give_value(v, m->regs.perf_metrics) : VPMU_GP;
}

static enum vpmu_access wr_metrics(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (!has_metrics(m) || set_valid(&m->regs.perf_metrics, v, metrics_bits(m)) != VPMU_DONE)
		return VPMU_GP;
	vpmu_metrics_restart(m);
	return VPMU_DONE;
}

static enum vpmu_access rd_capabilities(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->uarch->perf_capabilities | vpmu_branches_capability(m));
}

static enum vpmu_access rd_misc_enable(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->regs.misc_enable);
}

/* KVM: a write that changes the bits of BTS and PEBS faults. */
static enum vpmu_access wr_misc_enable(struct vpmu_model *m, unsigned i, uint64_t v)
{
	const uint64_t unavailable = MISC_ENABLE_BTS_UNAVAILABLE | MISC_ENABLE_PEBS_UNAVAILABLE;

	(void)i;
	if (is_kvm(m) && (v ^ m->regs.misc_enable) & unavailable)
		return VPMU_GP;
	m->regs.misc_enable =
		(v & ~MISC_ENABLE_READ_ONLY) | (m->regs.misc_enable & MISC_ENABLE_READ_ONLY);
	return VPMU_DONE;
}

/* KVM: the address of a record of stolen time, which stays as the guest has made it: vpmu steals
 * none. */
static enum vpmu_access rd_steal_time(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return is_kvm(m) ? give_value(v, m->regs.steal_time) : VPMU_GP;
}

static enum vpmu_access wr_steal_time(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	return is_kvm(m) ? set_valid(&m->regs.steal_time, v, ~KVM_STEAL_RESERVED) : VPMU_GP;
}

static enum vpmu_access rd_debugctl(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return give_value(v, m->regs.debugctl);
}

/* AMD can freeze from PerfMonV2 on. */
static uint64_t debugctl_bits(const struct vpmu_model *m)
{
	if (is_amd(m) && m->uarch->version < 2)
		return DEBUGCTL_LBR | DEBUGCTL_BTF;
	return DEBUGCTL_VALID | (m->trace.exists ? DEBUGCTL_OF_BTS : 0) |
	       (m->uarch->perf_capabilities & PERF_CAP_FREEZE_SMM ? DEBUGCTL_FREEZE_IN_SMM : 0);
}

/* KVM on Intel drops the bits of last branches, and refuses those of freezing. */
static enum vpmu_access wr_debugctl(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (is_kvm(m) && !is_amd(m))
		return v & ~(DEBUGCTL_LBR | DEBUGCTL_BTF) ? VPMU_GP : VPMU_DONE;
	return set_valid(&m->regs.debugctl, v, debugctl_bits(m));
}

static enum vpmu_access rd_offcore(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return m->uarch->offcore_bits[i] ? give_value(v, m->regs.offcore_rsp[i]) : VPMU_GP;
}

static enum vpmu_access wr_offcore(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return m->uarch->offcore_bits[i]
		       ? set_valid(&m->regs.offcore_rsp[i], v, m->uarch->offcore_bits[i])
		       : VPMU_GP;
}

/* Whether an event of the personality needs MSR_PEBS_LD_LAT_THRESHOLD. */
static bool has_latency(const struct vpmu_model *m)
{
	return !is_kvm(m) && m->rows.kinds & 1u << VPMU_KINDS_LD_LAT;
}

static enum vpmu_access rd_ld_lat(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return has_latency(m) ? give_value(v, m->regs.ld_lat) : VPMU_GP;
}

static enum vpmu_access wr_ld_lat(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	return has_latency(m) ? set_valid(&m->regs.ld_lat, v, LD_LAT_VALID) : VPMU_GP;
}

static enum vpmu_access rd_frontend(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return m->uarch->frontend_bits ? give_value(v, m->regs.frontend) : VPMU_GP;
}

static enum vpmu_access wr_frontend(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	return m->uarch->frontend_bits ? set_valid(&m->regs.frontend, v, m->uarch->frontend_bits)
				       : VPMU_GP;
}

/* SDM vol. 4, "IA32_TSX_FORCE_ABORT": this CPU has only the first bit. */
static enum vpmu_access rd_tsx_force_abort(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return m->uarch->tsx_force_abort ? give_value(v, m->regs.tsx_force_abort) : VPMU_GP;
}

static enum vpmu_access wr_tsx_force_abort(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	return m->uarch->tsx_force_abort
		       ? set_valid(&m->regs.tsx_force_abort, v, TSX_FORCE_ABORT_RTM)
		       : VPMU_GP;
}

/*
 * SDM vol. 3, "Processor Event Based Sampling": counters 0 to 3 and their load latencies, or
 * counter 0. "Extended PEBS": all counters that have a reset value. Without PEBS only zero can be
 * written.
 */
static uint64_t pebs_enable_bits(const struct vpmu_model *m)
{
	const uint64_t some = m->uarch->pebs_counters ? m->uarch->pebs_counters : bits(4);

	if (m->uarch->pebs_extended)
		return global_counters(m) & (bits(pebs_resets(m)) | ~bits(GLOBAL_FIXED_SHIFT));
	if (!pebs_format(m))
		return 0;
	return some | (has_latency(m) ? some << GLOBAL_FIXED_SHIFT : 0);
}

/* KVM has the register only with PEBS. */
static bool has_pebs_enable(const struct vpmu_model *m)
{
	return !is_kvm(m) || pebs_format(m);
}

static enum vpmu_access rd_pebs_enable(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	if (!has_pebs_enable(m))
		return VPMU_GP;
	return give_value(v, m->pebs.enable);
}

static enum vpmu_access wr_pebs_enable(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (!has_pebs_enable(m) || v & ~pebs_enable_bits(m))
		return VPMU_GP;
	disarm_pebs(m, ~v);
	m->pebs.enable = v;
	return VPMU_DONE;
}

static enum vpmu_access rd_data_cfg(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return is_adaptive(m) ? give_value(v, m->pebs.data_cfg) : VPMU_GP;
}

static uint64_t data_cfg_bits(const struct vpmu_model *m)
{
	const uint64_t valid = PEBS_DATA_MEMORY | PEBS_DATA_GPRS | PEBS_DATA_XMMS | PEBS_DATA_LBRS |
			       PEBS_DATA_LBR_ENTRIES(BRANCH_RECORDS);

	if (!records_counters(m))
		return valid;
	return valid | PEBS_DATA_COUNTERS | PEBS_DATA_GENERAL(bits(m->layout.ngp)) |
	       PEBS_DATA_FIXED(m->uarch->fixed) | (has_metrics(m) ? PEBS_DATA_METRICS : 0);
}

static enum vpmu_access wr_data_cfg(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	return is_adaptive(m) ? set_valid(&m->pebs.data_cfg, v, data_cfg_bits(m)) : VPMU_GP;
}

static enum vpmu_access rd_ds_area(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return pebs_format(m) ? give_value(v, m->pebs.ds_area) : VPMU_GP;
}

/* A linear address; #GP if it is not canonical. */
static enum vpmu_access wr_ds_area(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (!pebs_format(m) || (uint64_t)((int64_t)(v << 16) >> 16) != v)
		return VPMU_GP;
	m->pebs.ds_area = v;
	return VPMU_DONE;
}

/* `span` registers from `first` on, `step` apart; functions get the index. NULL: #GP. A row of a
 * later version than the personality's raises #GP, too. Each vendor's rows are in the order of
 * `first`; only rows of OF_COUNTER() overlap. */
struct reg {
	uint32_t first;
	uint16_t span, step;
	uint8_t version;
	enum vpmu_access (*read)(const struct vpmu_model *m, unsigned i, uint64_t *v);
	enum vpmu_access (*write)(struct vpmu_model *m, unsigned i, uint64_t v);
};

/* SDM vol. 4, "IA32_PMC9", "IA32_FIXED_CTR6": the last names; names that a CPU lacks raise #GP.
 * Likewise the last branches, which have names at Core 2's addresses, as on Silvermont. */
#define GENERAL_NAMES 10
#define FIXED_NAMES   7
#define LBR_OLD_NAMES 8

#define NAMES(msr, n, v, rd, wr)               \
	{                                      \
		(msr), (n), 1, (v), (rd), (wr) \
	}
/* SDM vol. 3, "Architectural Performance Monitoring Version 6": a register for each counter. */
#define OF_COUNTER(msr, n, rd, wr)                  \
	{                                           \
		(msr), (n), PMC_STEP, 6, (rd), (wr) \
	}

static const struct reg intel_regs[] = {
	NAMES(MSR_LBR_OLD_FROM0, LBR_OLD_NAMES, 0, vpmu_rd_lbr_old_from, vpmu_wr_lbr_old_from),
	NAMES(MSR_LBR_OLD_TO0, LBR_OLD_NAMES, 0, vpmu_rd_lbr_old_to, vpmu_wr_lbr_old_to),
	NAMES(MSR_IA32_PMC0, GENERAL_NAMES, 1, rd_gp, wr_gp_legacy),
	NAMES(MSR_TSX_FORCE_ABORT, 1, 0, rd_tsx_force_abort, wr_tsx_force_abort),
	NAMES(MSR_IA32_PERFEVTSEL0, GENERAL_NAMES, 1, rd_evtsel, wr_evtsel),
	NAMES(MSR_IA32_MISC_ENABLE, 1, 0, rd_misc_enable, wr_misc_enable),
	NAMES(MSR_OFFCORE_RSP_0, 2, 0, rd_offcore, wr_offcore),
	NAMES(MSR_LBR_SELECT, 1, 0, vpmu_rd_lbr_select, vpmu_wr_lbr_select),
	NAMES(MSR_LBR_TOS, 1, 0, vpmu_rd_lbr_tos, vpmu_wr_lbr_tos),
	NAMES(MSR_IA32_DEBUGCTL, 1, 0, rd_debugctl, wr_debugctl),
	NAMES(MSR_IA32_FIXED_CTR0, FIXED_NAMES, 2, rd_fixed, wr_fixed),
	NAMES(MSR_PERF_METRICS, 1, 0, rd_metrics, wr_metrics),
	NAMES(MSR_IA32_PERF_CAPABILITIES, 1, 0, rd_capabilities, NULL),
	NAMES(MSR_IA32_FIXED_CTR_CTRL, 1, 2, rd_fixed_ctrl, wr_fixed_ctrl),
	NAMES(MSR_IA32_PERF_GLOBAL_STATUS, 1, 2, rd_global_status, NULL),
	NAMES(MSR_IA32_PERF_GLOBAL_CTRL, 1, 2, rd_global_ctrl, wr_global_ctrl),
	NAMES(MSR_IA32_PERF_GLOBAL_STATUS_RESET, 1, 2, rd_zero, wr_status_reset),
	NAMES(MSR_IA32_PERF_GLOBAL_STATUS_SET, 1, 4, rd_zero, wr_status_set),
	NAMES(MSR_IA32_PERF_GLOBAL_INUSE, 1, 4, rd_global_inuse, NULL),
	NAMES(MSR_IA32_PEBS_ENABLE, 1, 0, rd_pebs_enable, wr_pebs_enable),
	NAMES(MSR_PEBS_DATA_CFG, 1, 0, rd_data_cfg, wr_data_cfg),
	NAMES(MSR_PEBS_LD_LAT, 1, 0, rd_ld_lat, wr_ld_lat),
	NAMES(MSR_PEBS_FRONTEND, 1, 0, rd_frontend, wr_frontend),
	NAMES(MSR_IA32_A_PMC0, GENERAL_NAMES, 1, rd_gp_full, wr_gp_full),
	NAMES(MSR_IA32_RTIT_OUTPUT_BASE, 2, 0, vpmu_rd_rtit_output, vpmu_wr_rtit_output),
	NAMES(MSR_IA32_RTIT_CTL, 3, 0, vpmu_rd_rtit, vpmu_wr_rtit),
	NAMES(MSR_IA32_DS_AREA, 1, 0, rd_ds_area, wr_ds_area),
	NAMES(MSR_LBR_FROM0, BRANCH_RECORDS, 0, vpmu_rd_lbr_from, vpmu_wr_lbr_from),
	NAMES(MSR_LBR_TO0, BRANCH_RECORDS, 0, vpmu_rd_lbr_to, vpmu_wr_lbr_to),
	NAMES(MSR_LBR_INFO0, BRANCH_RECORDS, 0, vpmu_rd_lbr_info, vpmu_wr_lbr_info),
	NAMES(MSR_ARCH_LBR_INFO0, BRANCH_RECORDS, 0, vpmu_rd_arch_info, vpmu_wr_arch_info),
	NAMES(MSR_IA32_LBR_CTL, 2, 0, vpmu_rd_arch_lbr, vpmu_wr_arch_lbr),
	NAMES(MSR_ARCH_LBR_FROM0, BRANCH_RECORDS, 0, vpmu_rd_arch_from, vpmu_wr_arch_from),
	NAMES(MSR_ARCH_LBR_TO0, BRANCH_RECORDS, 0, vpmu_rd_arch_to, vpmu_wr_arch_to),
	OF_COUNTER(MSR_IA32_PMC_GP0_CTR, GENERAL_NAMES, rd_gp_full, wr_gp_full),
	OF_COUNTER(MSR_IA32_PMC_GP0_CFG_A, GENERAL_NAMES, rd_evtsel, wr_evtsel),
	OF_COUNTER(MSR_IA32_PMC_GP0_CFG_B, GENERAL_NAMES, vpmu_rd_gp_causes, vpmu_wr_gp_causes),
	OF_COUNTER(MSR_IA32_PMC_GP0_CFG_C, GENERAL_NAMES, vpmu_rd_gp_reload, vpmu_wr_gp_reload),
	OF_COUNTER(MSR_IA32_PMC_FX0_CTR, FIXED_NAMES, rd_fixed, wr_fixed),
	OF_COUNTER(MSR_IA32_PMC_FX0_CFG_B, FIXED_NAMES, vpmu_rd_fixed_causes, vpmu_wr_fixed_causes),
	OF_COUNTER(MSR_IA32_PMC_FX0_CFG_C, FIXED_NAMES, vpmu_rd_fixed_reload, vpmu_wr_fixed_reload),
	NAMES(MSR_KVM_STEAL_TIME, 1, 0, rd_steal_time, wr_steal_time),
};

static const struct reg amd_regs[] = {
	NAMES(MSR_IA32_DEBUGCTL, 1, 0, rd_debugctl, wr_debugctl),
	NAMES(MSR_X2APIC_EILVT0, VPMU_EILVTS, 0, vpmu_eilvt_rdmsr, vpmu_eilvt_wrmsr),
	NAMES(MSR_KVM_STEAL_TIME, 1, 0, rd_steal_time, wr_steal_time),
	NAMES(MSR_AMD_LBR_SELECT, 2, 0, vpmu_rd_amd_lbr_control, vpmu_wr_amd_lbr_control),
	NAMES(MSR_AMD_PERF_CNTR_GLOBAL_STATUS, 1, 2, rd_global_status, NULL),
	NAMES(MSR_AMD_PERF_CNTR_GLOBAL_CTL, 1, 2, rd_global_ctrl, wr_global_ctrl),
	NAMES(MSR_AMD_PERF_CNTR_GLOBAL_STATUS_CLR, 1, 2, rd_zero, wr_status_reset),
	NAMES(MSR_AMD_PERF_CNTR_GLOBAL_STATUS_SET, 1, 2, rd_zero, wr_status_set),
	NAMES(MSR_K7_EVNTSEL0, 4, 0, rd_evtsel, wr_evtsel),
	NAMES(MSR_K7_PERFCTR0, 4, 0, rd_gp, wr_gp_amd),
	NAMES(MSR_AMD_PERF_CTL0, 12, 0, rd_amd_pair, wr_amd_pair),
	NAMES(MSR_AMD_LBR_FROM0, 2 * BRANCH_RECORDS, 0, vpmu_rd_amd_lbr, vpmu_wr_amd_lbr),
	NAMES(MSR_AMD_IBS_FETCH_CTL, 13, 0, vpmu_ibs_read, vpmu_ibs_write),
};

static bool is_in_row(const struct reg *reg, uint32_t msr)
{
	const uint32_t from = msr - reg->first;

	return from < (uint32_t)reg->span * reg->step && from % reg->step == 0;
}

static unsigned index_in_row(const struct reg *reg, uint32_t msr)
{
	return (msr - reg->first) / reg->step;
}

#define OVERLAP 4 /* as many rows overlap at most: PMC_STEP */

/* The number of the vendor's rows that begin at `msr` or before. */
static size_t rows_up_to(const struct reg *rows, size_t n, uint32_t msr)
{
	size_t from = 0, to = n;

	while (from < to) {
		const size_t middle = (from + to) / 2;

		if (rows[middle].first <= msr)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static const struct reg *find_pmu_register(const struct vpmu_model *m, uint32_t msr)
{
	const struct reg *rows = is_amd(m) ? amd_regs : intel_regs;
	const size_t n = is_amd(m) ? sizeof(amd_regs) / sizeof(*amd_regs)
				   : sizeof(intel_regs) / sizeof(*intel_regs);
	const size_t end = rows_up_to(rows, n, msr);

	for (size_t k = end; k && end - k < OVERLAP; k--)
		if (is_in_row(&rows[k - 1], msr))
			return &rows[k - 1];
	return NULL;
}

enum vpmu_access vpmu_model_rdmsr(struct vpmu_model *m, uint32_t msr, uint64_t *v)
{
	const struct reg *reg = find_pmu_register(m, msr);

	if (!reg)
		return VPMU_NOT_OURS;
	if (!reg->read || reg->version > m->uarch->version)
		return VPMU_GP;
	return reg->read(m, index_in_row(reg, msr), v);
}

enum vpmu_access vpmu_model_wrmsr(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	const struct reg *reg = find_pmu_register(m, msr);
	enum vpmu_access access;

	if (!reg)
		return VPMU_NOT_OURS;
	if (!reg->write || reg->version > m->uarch->version)
		return VPMU_GP;
	access = reg->write(m, index_in_row(reg, msr), v);
	vpmu_model_derive(m);
	return access;
}

/* Writes of PMI handlers. Index and value alone decide whether they fault; other writes are tried
 * on a copy of the model. */
static const struct plain_write {
	enum vpmu_access (*write)(struct vpmu_model *m, unsigned i, uint64_t v);
	uint64_t (*intel_bits)(
		const struct vpmu_model *m); /* NULL: any bits; AMD drops the others */
	enum { OF_EACH_GENERAL, OF_EACH_FULL, OF_EACH_PAIR, OF_EACH_FIXED, OF_ALL } of;
} plain_writes[] = {
	{wr_evtsel, evtsel_bits, OF_EACH_GENERAL}, {wr_gp_legacy, NULL, OF_EACH_GENERAL},
	{wr_gp_full, counter_mask, OF_EACH_FULL},  {wr_gp_amd, NULL, OF_EACH_GENERAL},
	{wr_amd_pair, NULL, OF_EACH_PAIR},         {wr_fixed, fixed_bits, OF_EACH_FIXED},
	{wr_fixed_ctrl, fixed_ctrl_bits, OF_ALL},  {wr_status_reset, global_status_bits, OF_ALL},
};

static bool is_plain_register(const struct vpmu_model *m, const struct plain_write *plain,
			      unsigned i)
{
	switch (plain->of) {
	case OF_EACH_GENERAL:
		return i < m->layout.ngp;
	case OF_EACH_FULL:
		return has_full_writes(m) && i < m->layout.ngp;
	case OF_EACH_PAIR:
		return m->uarch->amd_core && i < 2 * m->layout.ngp;
	case OF_EACH_FIXED:
		return has_fixed(m, i);
	default:
		return true;
	}
}

static bool plain_write_faults(const struct vpmu_model *m, const struct plain_write *plain,
			       unsigned i, uint64_t v)
{
	if (!is_plain_register(m, plain, i))
		return true;
	return plain->intel_bits && !is_amd(m) && v & ~plain->intel_bits(m);
}

static bool trial_faults(const struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	struct vpmu_model copy = *m;

	return vpmu_model_wrmsr(&copy, msr, v) != VPMU_DONE;
}

bool vpmu_model_wrmsr_faults(const struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	const struct reg *reg = find_pmu_register(m, msr);

	if (!reg || !reg->write || reg->version > m->uarch->version)
		return true;
	if (reg->write == wr_global_ctrl)
		return v & ~global_ctrl_bits(m);
	for (size_t k = 0; k < sizeof(plain_writes) / sizeof(*plain_writes); k++)
		if (plain_writes[k].write == reg->write)
			return plain_write_faults(m, &plain_writes[k], index_in_row(reg, msr), v);
	return trial_faults(m, msr, v);
}

/* SDM vol. 2, "RDPMC"; APM vol. 3, "RDPMC". */
enum vpmu_access vpmu_model_rdpmc(struct vpmu_model *m, uint32_t ecx, uint64_t *v)
{
	uint32_t index = ecx & RDPMC_INDEX;

	if (is_amd(m))
		return rd_gp(m, ecx, v);
	switch (ecx & RDPMC_TYPE) {
	case 0:
		return rd_gp(m, index, v);
	case VPMU_RDPMC_FIXED:
		return rd_fixed(m, index, v);
	case RDPMC_METRICS:
		return index ? VPMU_GP : rd_metrics(m, 0, v);
	}
	return VPMU_GP;
}

/* --- Quick accesses: model_quick.h --- */

static struct vpmu_quick_read read_counter(struct vpmu_counter *c)
{
	return (struct vpmu_quick_read){.value = &c->value, .counter = c};
}

static struct vpmu_quick_read quick_still(const uint64_t *value)
{
	static const struct vpmu_counter still = {.den = VPMU_COUNTER_STILL};

	return (struct vpmu_quick_read){.value = value, .counter = &still};
}

static struct vpmu_quick_read quick_read(struct vpmu_model *m, const struct reg *reg, unsigned i)
{
	if (reg->read == rd_gp || reg->read == rd_gp_full)
		return read_counter(&m->regs.gp[i]);
	if (reg->read == rd_fixed)
		return read_counter(&m->regs.fixed[i]);
	if (reg->read == rd_amd_pair && i % 2)
		return read_counter(&m->regs.gp[i / 2]);
	if (reg->read == rd_fixed_ctrl)
		return quick_still(&m->regs.fixed_ctrl);
	if (reg->read == rd_global_ctrl)
		return quick_still(&m->regs.global_ctrl);
	if (reg->read == rd_global_status)
		return quick_still(&m->regs.global_status);
	return (struct vpmu_quick_read){0};
}

static struct vpmu_quick_write write_counter(struct vpmu_counter *c)
{
	return (struct vpmu_quick_write){.kind = VPMU_QUICK_COUNTER, .counter = c};
}

static struct vpmu_quick_write quick_write(struct vpmu_model *m, const struct reg *reg, unsigned i)
{
	if (reg->write == wr_gp_legacy)
		return (struct vpmu_quick_write){VPMU_QUICK_COUNTER_32, &m->regs.gp[i]};
	if (reg->write == wr_gp_full || reg->write == wr_gp_amd)
		return write_counter(&m->regs.gp[i]);
	if (reg->write == wr_fixed)
		return write_counter(&m->regs.fixed[i]);
	if (reg->write == wr_amd_pair && i % 2)
		return write_counter(&m->regs.gp[i / 2]);
	if (reg->write == wr_status_reset)
		return (struct vpmu_quick_write){.kind = VPMU_QUICK_STATUS_RESET};
	return (struct vpmu_quick_write){0};
}

struct vpmu_quick_read vpmu_model_quick_rdmsr(struct vpmu_model *m, uint32_t msr)
{
	const struct reg *reg = find_pmu_register(m, msr);
	uint64_t v;

	if (vpmu_model_rdmsr(m, msr, &v) != VPMU_DONE)
		return (struct vpmu_quick_read){0};
	return quick_read(m, reg, index_in_row(reg, msr));
}

struct vpmu_quick_write vpmu_model_quick_wrmsr(struct vpmu_model *m, uint32_t msr)
{
	const struct reg *reg = find_pmu_register(m, msr);

	if (vpmu_model_wrmsr_faults(m, msr, 0))
		return (struct vpmu_quick_write){0};
	return quick_write(m, reg, index_in_row(reg, msr));
}

struct vpmu_quick_read vpmu_model_quick_rdpmc(struct vpmu_model *m, uint32_t ecx)
{
	const uint32_t fixed = ecx - VPMU_RDPMC_FIXED;

	if (ecx < m->layout.ngp)
		return read_counter(&m->regs.gp[ecx]);
	return has_fixed(m, fixed) ? read_counter(&m->regs.fixed[fixed])
				   : (struct vpmu_quick_read){0};
}
