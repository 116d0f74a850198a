// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_pt.c - Intel Processor Trace: the traced branches and their packets. SDM vol. 3, "Intel
 * Processor Trace": "Trace Filtering", "Configuration and Programming Guideline", "Packet
 * Generation Scenarios".
 *
 * Outcomes of conditional branches are collected, and written before any other packet, so packets
 * are in program order. Time is known only where the guest has exited: there are no MTC and CYC
 * packets, and CPUID says so. CPUID reports no filters by address, either.
 */
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_trace.h"
#include "vpmu/model/pt_packet.h"

#define PSB_PERIOD 2048 /* bytes; fixed, as CPUID says */

#define MODE_UNKNOWN 0xff

/* --- Where it traces --- */

bool vpmu_cpuid_tells_pt(const struct vpmu_model *m)
{
	return m->trace.exists && m->uarch->pt;
}

/* TriggerEn of the manual. */
static bool is_triggered(const struct vpmu_model *m)
{
	return m->pt.ctl & RTIT_TRACE_EN &&
	       !(m->pt.status & (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED));
}

bool vpmu_pt_is_on(const struct vpmu_model *m)
{
	return m->pt.ctl & RTIT_TRACE_EN;
}

/* ContextEn of the manual. */
static bool is_context(const struct vpmu_model *m, const struct vpmu_at *at)
{
	if (!(m->pt.ctl & (at->ring == VPMU_USR ? RTIT_USER : RTIT_OS)))
		return false;
	return !(m->pt.ctl & RTIT_CR3_FILTER) || !((at->cr3 ^ m->pt.cr3_match) & PT_CR3_BITS);
}

/* PacketEn, as far as branches need it. */
bool vpmu_pt_is_on_at(const struct vpmu_model *m, const struct vpmu_at *at)
{
	return is_triggered(m) && m->pt.ctl & RTIT_BRANCH_EN && is_context(m, at);
}

/* --- Packets --- */

/* The destination of packets, and the state that they are made from. */
struct sink {
	struct vpmu_model *m;
	const struct vpmu_memory *physical;
};

static void emit_packet(const struct sink *s, struct pt_packet p)
{
	s->m->pt.since_psb += p.n;
	vpmu_pt_put(s->m, p.byte, p.n, s->physical);
}

static void flush_outcomes(const struct sink *s)
{
	struct vpmu_pt *pt = &s->m->pt;

	if (pt->noutcomes)
		emit_packet(s, packet_tnt(pt->outcomes, pt->noutcomes));
	pt->noutcomes = pt->outcomes = 0;
}

static void put_outcome(const struct sink *s, bool taken)
{
	struct vpmu_pt *pt = &s->m->pt;

	pt->outcomes = (uint8_t)(pt->outcomes << 1 | taken);
	if (++pt->noutcomes == PT_TNT_MOST)
		flush_outcomes(s);
}

static void put_ip(const struct sink *s, enum pt_ip_packet kind, uint64_t ip)
{
	flush_outcomes(s);
	emit_packet(s, packet_ip(kind, ip, &s->m->pt.last_ip));
}

static void put_mode(const struct sink *s, uint8_t mode)
{
	if (s->m->pt.mode == mode)
		return;
	flush_outcomes(s);
	emit_packet(s, packet_mode_exec(mode));
	s->m->pt.mode = mode;
}

static void put_time(const struct sink *s, uint64_t tsc)
{
	if (!(s->m->pt.ctl & RTIT_TSC_EN) || s->m->pt.tsc == tsc)
		return;
	emit_packet(s, packet_tsc(tsc));
	s->m->pt.tsc = tsc;
}

static void put_pip(const struct sink *s, uint64_t cr3)
{
	if (!(s->m->pt.ctl & RTIT_OS))
		return;
	flush_outcomes(s);
	emit_packet(s, packet_pip(cr3));
}

/* PSB+: a decoder can start here. */
static void put_psb(const struct sink *s, const struct vpmu_at *at)
{
	struct vpmu_pt *pt = &s->m->pt;

	flush_outcomes(s);
	pt->since_psb = 0;
	pt->last_ip = 0;
	pt->ncalls = 0;
	pt->mode = MODE_UNKNOWN;
	pt->tsc = 0;
	emit_packet(s, packet_psb());
	put_time(s, at->tsc);
	emit_packet(s, packet_cbr(VPMU_NOMINAL_RATIO));
	if (pt->enabled) {
		put_pip(s, at->cr3);
		put_mode(s, at->mode);
		put_ip(s, PT_FUP, at->ip);
	}
	emit_packet(s, packet_psbend());
}

/* PacketEn has become true; the guest is `at`. */
static void enter_trace(const struct sink *s, const struct vpmu_at *at)
{
	struct vpmu_pt *pt = &s->m->pt;

	pt->ncalls = 0;
	put_time(s, at->tsc);
	put_pip(s, at->cr3);
	put_mode(s, at->mode);
	put_ip(s, PT_TIP_PGE, at->ip);
	pt->enabled = true;
}

static void leave_trace(const struct sink *s)
{
	flush_outcomes(s);
	emit_packet(s, packet_no_ip(PT_TIP_PGD));
	s->m->pt.enabled = false;
}

/* PacketEn has become false between two instructions. */
static void leave_trace_at(const struct sink *s, uint64_t ip)
{
	put_ip(s, PT_FUP, ip);
	leave_trace(s);
}

/* --- Returns --- */

/* Like a decoder, drops the oldest call if there is no room. */
static void push_call(struct vpmu_pt *pt, uint64_t next)
{
	pt->call[pt->top++ % PT_CALLS] = next;
	if (pt->ncalls < PT_CALLS)
		pt->ncalls++;
}

/* True: a decoder knows the target. Decoders differ in whether a return to elsewhere removes a
 * call. So all calls are forgotten then, and later ones are the same to both kinds. */
static bool pop_call(struct vpmu_pt *pt, uint64_t to)
{
	if (!pt->ncalls)
		return false;
	if (pt->call[--pt->top % PT_CALLS] != to) {
		pt->ncalls = 0;
		return false;
	}
	pt->ncalls--;
	return true;
}

/* A call to the next instruction is not recorded. */
static void note_call(struct vpmu_pt *pt, const struct branch_logged *b)
{
	const uint64_t next = branch_logged_from(b) + LOGGED_LENGTH(b->from);

	if (LOGGED_KIND(b->from) == BRANCH_KIND_IND_CALL || b->to != next)
		push_call(pt, next);
}

static void put_return(const struct sink *s, const struct branch_logged *b)
{
	if (!(s->m->pt.ctl & RTIT_DIS_RETC) && pop_call(&s->m->pt, b->to))
		put_outcome(s, true);
	else
		put_ip(s, PT_TIP, b->to);
}

/* --- Branches --- */

static void put_far(const struct sink *s, const struct branch_logged *b, bool delivered,
		    const struct vpmu_at *at)
{
	if (delivered)
		put_ip(s, PT_FUP, branch_logged_from(b));
	put_mode(s, at->mode);
	put_ip(s, PT_TIP, b->to);
}

static void put_branch(const struct sink *s, const struct branch_logged *b, bool delivered,
		       const struct vpmu_at *at)
{
	switch (LOGGED_KIND(b->from)) {
	case BRANCH_KIND_JCC:
		put_outcome(s, b->from & LOGGED_TAKEN);
		break;
	case BRANCH_KIND_REL_CALL:
		note_call(&s->m->pt, b);
		break;
	case BRANCH_KIND_IND_CALL:
		note_call(&s->m->pt, b);
		put_ip(s, PT_TIP, b->to);
		break;
	case BRANCH_KIND_RETURN:
		put_return(s, b);
		break;
	case BRANCH_KIND_IND_JUMP:
		put_ip(s, PT_TIP, b->to);
		break;
	case BRANCH_KIND_FAR:
		put_far(s, b, delivered, at);
		break;
	case BRANCH_KIND_REL_JUMP:
	case BRANCH_KINDS:
		break;
	}
}

/* The branch has left the traced context. */
static void leave_by(const struct sink *s, const struct branch_logged *b, bool delivered)
{
	if (delivered)
		leave_trace_at(s, branch_logged_from(b));
	else
		leave_trace(s);
}

void vpmu_pt_branch(struct vpmu_model *m, const struct branch_logged *b, bool delivered,
		    const struct vpmu_at *at, const struct vpmu_memory *physical)
{
	const struct sink s = {m, physical};
	const bool goes_on = vpmu_pt_is_on_at(m, at);

	if (!m->pt.is_on)
		return;
	if (m->pt.enabled && goes_on)
		put_branch(&s, b, delivered, at);
	else if (m->pt.enabled)
		leave_by(&s, b, delivered);
	else if (goes_on)
		enter_trace(&s, at);
	if (is_triggered(m) && m->pt.since_psb >= PSB_PERIOD)
		put_psb(&s, at);
}

/* --- What is not a branch --- */

void vpmu_pt_control(struct vpmu_model *m, const struct vpmu_at *at,
		     const struct vpmu_memory *physical)
{
	const struct sink s = {m, physical};
	const bool is_on = vpmu_pt_is_on(m);

	if (m->pt.is_on == is_on)
		return;
	m->pt.is_on = is_on;
	if (is_on)
		put_psb(&s, at);
	else if (m->pt.enabled)
		leave_trace_at(&s, at->ip);
}

void vpmu_pt_begin(struct vpmu_model *m, const struct vpmu_at *at,
		   const struct vpmu_memory *physical)
{
	const struct sink s = {m, physical};
	const bool goes_on = vpmu_pt_is_on_at(m, at);

	if (!m->pt.is_on || m->pt.enabled == goes_on)
		return;
	if (goes_on)
		enter_trace(&s, at);
	else
		leave_trace_at(&s, at->ip);
}

bool vpmu_pt_tells_cr3(const struct vpmu_model *m)
{
	return vpmu_pt_is_on(m) && m->pt.ctl & RTIT_OS;
}

void vpmu_pt_cr3(struct vpmu_model *m, const struct vpmu_at *at, const struct vpmu_memory *physical)
{
	const struct sink s = {m, physical};
	const bool goes_on = vpmu_pt_is_on_at(m, at);

	if (m->pt.enabled && goes_on)
		put_pip(&s, at->cr3);
	else if (m->pt.enabled)
		leave_trace(&s);
	else if (goes_on)
		enter_trace(&s, at);
}

void vpmu_pt_lose(struct vpmu_model *m, const struct vpmu_at *at,
		  const struct vpmu_memory *physical)
{
	const struct sink s = {m, physical};

	if (!m->pt.is_on || !m->pt.enabled)
		return;
	m->pt.noutcomes = m->pt.outcomes = 0;
	m->pt.ncalls = 0;
	emit_packet(&s, packet_ovf());
	m->pt.enabled = vpmu_pt_is_on_at(m, at);
	if (m->pt.enabled)
		put_ip(&s, PT_FUP, at->ip);
}

/* --- Registers --- */

#define CTL_VALID                                                                          \
	(RTIT_TRACE_EN | RTIT_OS | RTIT_USER | RTIT_CR3_FILTER | RTIT_TOPA | RTIT_TSC_EN | \
	 RTIT_DIS_RETC | RTIT_BRANCH_EN)
#define STATUS_VALID (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED)
#define ADDRESS_END  (1ull << 52)

enum { OUTPUT_BASE, OUTPUT_MASK_PTRS };
enum { CTL, STATUS, CR3_MATCH };

static enum vpmu_access give(uint64_t *v, uint64_t value)
{
	*v = value;
	return VPMU_DONE;
}

enum vpmu_access vpmu_rd_rtit_output(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!vpmu_cpuid_tells_pt(m))
		return VPMU_GP;
	return give(v, i == OUTPUT_BASE ? m->pt.output_base : m->pt.mask_ptrs | PT_MASK_LOW);
}

/* #GP while tracing is on, as the CPU itself writes these registers then. */
enum vpmu_access vpmu_wr_rtit_output(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!vpmu_cpuid_tells_pt(m) || m->pt.ctl & RTIT_TRACE_EN)
		return VPMU_GP;
	if (i == OUTPUT_MASK_PTRS) {
		m->pt.mask_ptrs = v | PT_MASK_LOW;
		return VPMU_DONE;
	}
	if (v & PT_MASK_LOW || v >= ADDRESS_END)
		return VPMU_GP;
	m->pt.output_base = v;
	return VPMU_DONE;
}

static uint64_t status_shown(const struct vpmu_model *m)
{
	return m->pt.status | (m->pt.enabled ? RTIT_STATUS_CONTEXT_EN : 0) |
	       (is_triggered(m) ? RTIT_STATUS_TRIGGER_EN : 0);
}

enum vpmu_access vpmu_rd_rtit(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!vpmu_cpuid_tells_pt(m))
		return VPMU_GP;
	return give(v, i == CTL ? m->pt.ctl : i == STATUS ? status_shown(m) : m->pt.cr3_match);
}

/* While tracing is on, a write may only switch it off. */
static bool is_ctl_refused(const struct vpmu_model *m, uint64_t v)
{
	if (v & ~CTL_VALID)
		return true;
	return m->pt.ctl & RTIT_TRACE_EN && v & RTIT_TRACE_EN && v != m->pt.ctl;
}

enum vpmu_access vpmu_wr_rtit(struct vpmu_model *m, unsigned i, uint64_t v)
{
	const uint64_t told =
		RTIT_STATUS_FILTER_EN | RTIT_STATUS_CONTEXT_EN | RTIT_STATUS_TRIGGER_EN;

	if (!vpmu_cpuid_tells_pt(m) || (i != CTL && m->pt.ctl & RTIT_TRACE_EN))
		return VPMU_GP;
	if (i == CTL && !is_ctl_refused(m, v)) {
		m->pt.ctl = v;
		return VPMU_DONE;
	}
	if (i == STATUS && !(v & ~(told | STATUS_VALID))) {
		m->pt.status = v & STATUS_VALID;
		return VPMU_DONE;
	}
	if (i != CR3_MATCH || v & 0x1f)
		return VPMU_GP;
	m->pt.cr3_match = v;
	return VPMU_DONE;
}

/* Leaf 14H: filters by CR3; tables with many entries, and a single range. Subleaf 1 reports no
 * features. */
static struct cpuid_regs pt_leaf(uint32_t subleaf)
{
	if (subleaf)
		return (struct cpuid_regs){0};
	return (struct cpuid_regs){.eax = 1, .ebx = 1, .ecx = 7};
}

void vpmu_pt_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		   struct cpuid_regs *r)
{
	const uint32_t pt = 1u << 25;

	if (!vpmu_cpuid_tells_pt(m))
		return;
	if (leaf == 7 && !subleaf)
		r->ebx |= pt;
	else if (leaf == VPMU_PT_LEAF)
		*r = pt_leaf(subleaf);
}
