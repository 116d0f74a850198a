// SPDX-License-Identifier: BSD-2-Clause
/* rig.c - see rig.h. */
#include "tests/shim/rig.h"

#include "pmu/state/state.h"

#include <stdlib.h>
#include <string.h>

#define RING_MAX_PAGES 64

_Thread_local struct rig rig;

static struct pmu_event *event_alloc(void)
{
	if (rig.alloc_most != UINT32_MAX && rig.allocated >= rig.alloc_most)
		return NULL;
	rig.allocated++;
	return malloc(sizeof(struct pmu_event));
}

static void event_free(struct pmu_event *e)
{
	rig.allocated--;
	free(e);
}

static uint64_t user_ip(void)
{
	return rig.user_ip;
}

static void timer_arm(uint64_t ns)
{
	rig.timer_ns = ns;
}

static void mux_arm(uint64_t ns)
{
	rig.slice_end = ns ? shim.ns + ns : 0;
}

static void rate_arm(uint64_t ns)
{
	rig.rate_end = ns ? shim.ns + ns : 0;
}

static void refresh_arm(uint64_t ns)
{
	rig.refresh_ns = ns;
}

static void irq_work(void)
{
	rig.work = true;
}

static void wakeup(struct rb *rb)
{
	(void)rb;
	rig.wakeups++;
}

static unsigned copy_chain(const uint64_t *chain, unsigned depth, uint64_t *to, unsigned most)
{
	unsigned n = depth < most ? depth : most;

	for (unsigned i = 0; i < n; i++)
		to[i] = chain[i];
	return n;
}

static void note_read(void)
{
	rig.reads_watched += shim.dr[7] & 0xff;
}

static unsigned chain_user(uint64_t fp, uint64_t *to, unsigned most)
{
	note_read();
	rig.user_fp = fp;
	return copy_chain(rig.user_chain, rig.user_depth, to, most);
}

static unsigned chain_kernel(const struct trap_frame *frame, uint64_t *to, unsigned most,
			     uint64_t *user_fp)
{
	(void)frame;
	*user_fp = rig.left_fp;
	return copy_chain(rig.kernel_chain, rig.kernel_depth, to, most);
}

static size_t read_user(void *to, uint64_t from, size_t n)
{
	uint64_t offset = from - RIG_PAGE;

	note_read();
	if (offset >= RIG_PAGE_BYTES)
		return 0;
	if (n > RIG_PAGE_BYTES - offset)
		n = RIG_PAGE_BYTES - offset;
	memcpy(to, rig.memory + offset, n);
	return n;
}

static bool translate(uint64_t address, uint64_t *physical, uint64_t *page_size)
{
	*physical = address - RIG_PAGE + RIG_PHYSICAL;
	*page_size = RIG_PAGE_BYTES;
	return address - RIG_PAGE < RIG_PAGE_BYTES;
}

static bool nmi(uint64_t ip, bool user)
{
	const struct pmu_regs regs = {.ip = ip, .user = user};

	return pmu_nmi(&regs);
}

/* The TSC is in ns, like the clock. */
static const struct pmu_clock rig_clock = {.shift = 10, .mult = 1 << 10, .zero = 0};

int rig_init(void)
{
	int err;

	rig.host = (struct pmu_host){
		.clock_ns = shim_clock_ns,
		.clock = &rig_clock,
		.lvtpc_unmask = shim_lvtpc_unmask,
		.current = &rig.current,
		.user_ip = user_ip,
		.timer_arm = timer_arm,
		.mux_arm = mux_arm,
		.rate_arm = rate_arm,
		.refresh_arm = refresh_arm,
		.irq_work = irq_work,
		.wakeup = wakeup,
		.chain_user = chain_user,
		.chain_kernel = chain_kernel,
		.read_user = read_user,
		.translate = translate,
		.event_alloc = event_alloc,
		.event_free = event_free,
		.call = rig.call,
		.relax = rig.relax,
	};
	shim.nmi = nmi;
	err = pmu_init(&rig.caps, &rig.host);
	/* A clock of 1 ns an instruction makes every short period too short. */
	pmu_set_max_sample_rate(PMU_MAX_SAMPLE_RATE_MOST);
	if (!rig.current.cpu)
		pmu_task_init(&rig.task, RIG_PID, RIG_TID, NULL);
	return err;
}

static void reset(const char *uarch, bool ht_on)
{
	shim_boot(uarch, ht_on);
	rig = (struct rig){
		.alloc_most = UINT32_MAX,
		.current = {.pid = RIG_PID, .tid = RIG_TID},
	};
	pmu_caps_detect(&rig.caps);
}

int rig_boot(const char *uarch, bool ht_on)
{
	reset(uarch, ht_on);
	return rig_init();
}

int rig_boot_cpu(const char *uarch, bool ht_on, unsigned cpu,
		 int (*call)(unsigned cpu, void (*fn)(void *arg), void *arg), void (*relax)(void))
{
	reset(uarch, ht_on);
	shim.apic_id = cpu;
	rig.current.cpu = cpu;
	rig.call = call;
	rig.relax = relax;
	return rig_init();
}

struct perf_event_attr rig_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.type = type,
		.config = config,
		.size = sizeof(struct perf_event_attr),
	};
}

int rig_open(struct pmu_event *e, const struct perf_event_attr *attr, struct pmu_event *leader)
{
	rig.why.text[0] = '\0';
	return pmu_event_open(e, attr, RIG_TID, -1, leader, 0, &rig.why);
}

void rig_task(uint64_t user)
{
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, user);
	pmu_task_sched_out();
}

#define WORK_NS 10000

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a && a < b ? a : b;
}

/* Runs the interrupts that are due; they come from ring 3. */
static void run_interrupts(void)
{
	const struct pmu_regs regs = {.ip = shim.ip[VPMU_USR], .user = true};

	if (rig.work) {
		rig.work = false;
		pmu_irq_work();
	}
	if (rig.slice_end && shim.ns >= rig.slice_end) {
		rig.slice_end = 0;
		pmu_mux_timer(&regs);
	}
	if (rig.rate_end && shim.ns >= rig.rate_end) {
		rig.rate_end = 0;
		pmu_rate_timer(&regs);
	}
}

void rig_go(uint64_t ns)
{
	const uint64_t end = shim.ns + ns;

	while (shim.ns < end) {
		uint64_t stop = earlier(rig.rate_end, earlier(rig.slice_end, end));

		stop = earlier(shim.ns + WORK_NS, stop);
		shim_run(VPMU_USR, stop > shim.ns ? stop - shim.ns : 0);
		run_interrupts();
	}
}

void rig_run(struct pmu_task *task, uint64_t ns)
{
	if (task)
		pmu_task_sched_in(task);
	rig_go(ns);
	if (task)
		pmu_task_sched_out();
}

void rig_slices(uint64_t ns)
{
	rig_run(&rig.task, ns);
}

unsigned rig_nevents(void)
{
	unsigned n = pmu_shared.gone.nevents;

	for (unsigned cpu = 0; cpu < pmu_shared.ncpus; cpu++)
		n += pmu_contexts[cpu].nevents;
	for (const struct pmu_task *task = pmu_shared.tasks; task; task = task->next)
		n += task->context.nevents;
	return n;
}

uint64_t rig_value(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v.value;
}

struct rb *rig_ring(size_t data_pages)
{
	static uint8_t storage[RB_PAGE_SIZE * (1 + RING_MAX_PAGES)]
		__attribute__((aligned(RB_PAGE_SIZE)));
	static struct rb rb;

	if (data_pages > RING_MAX_PAGES || rb_init(&rb, storage, data_pages))
		abort();
	return &rb;
}
