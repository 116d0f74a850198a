// SPDX-License-Identifier: BSD-2-Clause
/*
 * plugin_page.c - reads the counts of QEMU's plugin (include/perf0/events_page.h) before and after
 * each run. The plugin leaves the host out, so everything counted since the last exit is the
 * guest's, whatever the host has done in between.
 *
 * Only counts that an active counter needs are read. The values before a run are read once it is
 * clear which counts the run needs.
 *
 * If no clock counts instructions, their number comes from the page, too, in every run.
 */
#include "vpmu/svm/count/plugin_page.h"

#include "arch/x86/dev/pci.h"
#include "arch/x86/insn.h"
#include "lib/string.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/last_branches.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/host_insn.h"
#include "vpmu/svm/vcpu/ring_switch.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define WORD_BITS    64
#define MOST_STILL   100
#define MOST_UNHEARD 100000       /* consecutive bells, while the page is unmapped */
#define MOST_RINGS   3            /* consecutive bells, while it is mapped */
#define MAPPED_END   (1ull << 47) /* limit of the host's page tables */

extern const uint8_t ImageBase[], __text_start[], __text_end[];
extern const uint8_t vpmu_bell_rings[], vpmu_probes_start[], vpmu_probes_end[];

/* --- The page --- */

static struct events_page *events_page_at(uint64_t address)
{
	struct events_page *page = (struct events_page *)address;

	if (!address || address + EVENTS_PAGE_BYTES > MAPPED_END ||
	    memcmp(page->header.magic, EVENTS_PAGE_MAGIC, sizeof(page->header.magic)))
		return NULL;
	return page;
}

static bool is_ours(const struct events_header *header)
{
	return header->version == EVENTS_PAGE_VERSION && header->counts == EVENTS_NUMBERS;
}

static uint64_t in_copy(uint64_t copy, const uint8_t *here)
{
	return copy + (uint64_t)(here - ImageBase);
}

static void copy_uarch(char name[sizeof(((struct events_header *)0)->uarch)], const char *uarch)
{
	const size_t n = strlen(uarch), most = sizeof(((struct events_header *)0)->uarch) - 1;

	memset(name, 0, most + 1);
	memcpy(name, uarch, n < most ? n : most);
}

static void tell_places(struct events_header *header, uint64_t copy)
{
	header->bell = in_copy(copy, vpmu_bell_rings);
	header->guest = in_copy(copy, vpmu_probes_start);
	header->guest_end = in_copy(copy, vpmu_probes_end);
	header->code = in_copy(copy, __text_start);
	header->code_end = in_copy(copy, __text_end);
}

struct events_page *vpmu_events_find(uint64_t copy, const char *uarch)
{
	struct pci_device device;
	struct events_page *page;

	for (unsigned i = 0; pci_find_nth(EVENTS_PCI_VENDOR, EVENTS_PCI_DEVICE, i, &device); i++) {
		page = events_page_at(pci_memory_bar(&device, EVENTS_BAR));
		if (!page)
			continue;
		if (is_ours(&page->header)) {
			copy_uarch(page->header.uarch, uarch);
			tell_places(&page->header, copy);
		}
		return page;
	}
	return NULL;
}

/* The page as the boot CPU has found it. */
static struct {
	struct pci_device device;
	const struct events_page *page;
} placed;

static void note_place(const struct events_page *page)
{
	struct pci_device device;

	for (unsigned i = 0; pci_find_nth(EVENTS_PCI_VENDOR, EVENTS_PCI_DEVICE, i, &device); i++)
		if (pci_memory_bar(&device, EVENTS_BAR) == (uint64_t)page) {
			placed.device = device;
			placed.page = page;
			return;
		}
}

void vpmu_events_place(void)
{
	if (placed.page)
		pci_place_memory(&placed.device, EVENTS_BAR, (uint64_t)placed.page);
}

/* --- A run --- */

static uint32_t code_bits(void)
{
	if (vpmu_guest_64bit())
		return 64;
	return vpmu_vmcb.cs.attributes & SEGMENT_32 ? 32 : 16;
}

/* True where the exit is a page fault of the instruction's own code: it did not begin. */
static bool is_code_absent(void)
{
	return vpmu_vmcb.exit_code == VMEXIT_EXCEPTION + VECTOR_PF &&
	       vpmu_vmcb.exit_info2 - vpmu_guest_linear_rip() <
		       sizeof(((struct events_cpu *)0)->code);
}

/* True where the exit came between two instructions, or during the delivery of an event. */
static bool came_between(void)
{
	const uint64_t code = vpmu_vmcb.exit_code;

	return code == VMEXIT_INTR || code == VMEXIT_NMI || code == VMEXIT_EXCEPTION + VECTOR_DB ||
	       vpmu_vmcb.exit_int_info & EVENT_VALID;
}

/* True where the plugin must take back the effects of the instruction at RIP. Instructions that
 * vpmu completes have happened; vpmu counts them itself. */
static bool is_undone_here(const struct vpmu_cpu *cpu)
{
	return !came_between() && !is_code_absent() && !vpmu_completes(cpu);
}

/* An unmapped page reads as 0, so a right answer proves that the reads before it saw the page. */
static bool is_answered(const struct vpmu_events *e)
{
	return *(const volatile uint64_t *)&e->own->answered == e->asked;
}

static bool ring_bell(struct vpmu_events *e)
{
	volatile struct events_cpu *own = e->own;

	own->rip = vpmu_guest_linear_rip();
	own->asked = ++e->asked;
	vpmu_ring_bell();
	return is_answered(e);
}

void vpmu_events_lose(struct vpmu_cpu *cpu)
{
	vpmu_shared_lose();
	cpu->events.own = NULL;
	if (!cpu->clock.exact)
		cpu->model.machine.cycles_per_instruction = cpu->vmrun.ticks_per_insn;
	vpmu_model_counts_instructions(&cpu->model, false);
	vpmu_model_counts(&cpu->model, EVENTS_LEVEL_NONE);
}

bool vpmu_events_are_there(const struct vpmu_cpu *cpu)
{
	const struct vpmu_events *e = &cpu->events;

	return e->own && !memcmp(e->header->magic, EVENTS_PAGE_MAGIC, sizeof(e->header->magic));
}

/*
 * A guest that sizes a device's BARs unmaps the page for a moment, on all CPUs. Instructions
 * executed meanwhile are not counted. A page that does not come back is lost, and so is one that is
 * mapped but does not answer. A mapped page may have come back only after the bell, so the bell is
 * rung again whenever the page is found mapped.
 */
static bool ring_or_lose(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	for (unsigned rings = 0; rings < MOST_RINGS; rings++) {
		if (ring_bell(e)) {
			e->unheard = 0;
			return true;
		}
		if (!vpmu_events_are_there(cpu) && ++e->unheard <= MOST_UNHEARD)
			return false;
	}
	vpmu_events_lose(cpu);
	return false;
}

static bool are_counts_wanted(const struct vpmu_cpu *cpu)
{
	return cpu->model.derived.uses_counts || cpu->events.sums || vpmu_is_counted(cpu) ||
	       vpmu_branches_on(cpu) || cpu->events.header->profiles;
}

/* Always includes the instructions, which show that the counts move. */
static uint64_t used_counts(const struct vpmu_cpu *cpu, unsigned word)
{
	const unsigned rest = EVENTS_NUMBERS - word * WORD_BITS;

	if (!cpu->events.sums)
		return cpu->model.derived.used[word] | (word ? 0 : 1ull << EVENTS_INSTRUCTIONS);
	return rest < WORD_BITS ? (1ull << rest) - 1 : UINT64_MAX;
}

static bool take_used(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	for (unsigned word = 0; word < VPMU_USED_WORDS; word++)
		for (uint64_t left = used_counts(cpu, word); left; left &= left - 1) {
			const unsigned i = word * WORD_BITS + (unsigned)__builtin_ctzll(left);

			e->more[i] = e->own->count[i] - e->before[i];
		}
	return is_answered(e);
}

bool vpmu_events_used(const struct vpmu_cpu *cpu)
{
	return cpu->events.own && are_counts_wanted(cpu);
}

/* True where the page is up to date: the bell has been answered since the last run. */
static bool are_counts_here(struct vpmu_cpu *cpu)
{
	if (!vpmu_events_used(cpu))
		return false;
	return cpu->events.is_fresh || ring_or_lose(cpu);
}

/* The guest may move without counts: an event is delivered, and the run ends before the handler's
 * first instruction. */
void vpmu_events_compare(struct vpmu_cpu *cpu, bool moves)
{
	struct vpmu_events *e = &cpu->events;

	e->still = e->more[EVENTS_INSTRUCTIONS] ? 0 : e->still + (moves && e->is_checked);
	if (e->still > MOST_STILL)
		vpmu_events_lose(cpu);
}

static void tell_undone(const struct vpmu_cpu *cpu)
{
	struct events_cpu *own = cpu->events.own;

	own->undone = is_undone_here(cpu) ? code_bits() : 0;
	if (own->undone)
		vpmu_guest_code(own->code, sizeof(own->code));
}

const uint64_t *vpmu_events_take(struct vpmu_cpu *cpu)
{
	bool here;

	cpu->events.is_fresh = false;
	if (!cpu->events.own)
		return NULL;
	if (vpmu_shared_is_lost()) {
		vpmu_events_lose(cpu);
		return NULL;
	}
	if (!vpmu_events_used(cpu))
		return NULL;
	tell_undone(cpu);
	vpmu_branches_stop(cpu);
	here = are_counts_here(cpu);
	if (cpu->events.own)
		cpu->events.own->undone = 0;
	cpu->events.is_fresh = here;
	if (!here)
		return NULL;
	vpmu_branches_take(cpu);
	return cpu->events.is_expected && take_used(cpu) ? cpu->events.more : NULL;
}

void vpmu_events_ring(struct vpmu_cpu *cpu)
{
	ring_or_lose(cpu);
}

/*
 * The plugin reads `wanted` at the bell, and has changed its instrumentation before the guest runs.
 */
void vpmu_events_want(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	if (!e->own)
		return;
	if (e->own->latency != cpu->model.regs.ld_lat ||
	    e->own->prefetchers_off != cpu->thread.prefetchers_off ||
	    e->own->fetch_latency != vpmu_model_fetch_latency(&cpu->model)) {
		e->own->latency = cpu->model.regs.ld_lat;
		e->own->prefetchers_off = cpu->thread.prefetchers_off;
		e->own->fetch_latency = vpmu_model_fetch_latency(&cpu->model);
		e->is_fresh = false;
	}
	if (e->own->wanted == cpu->model.derived.needed)
		return;
	e->own->wanted = cpu->model.derived.needed;
	e->is_fresh = false;
	if (!vpmu_events_used(cpu))
		vpmu_events_ring(cpu);
}

void vpmu_events_begin(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	if (!e->own)
		return;
	e->header->resets++;
	e->own->wanted = cpu->model.derived.needed;
	e->is_fresh = false;
	vpmu_events_ring(cpu);
}

void vpmu_events_expect(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	e->is_expected = are_counts_here(cpu);
	if (!e->is_expected)
		return;
	for (unsigned word = 0; word < VPMU_USED_WORDS; word++)
		for (uint64_t left = used_counts(cpu, word); left; left &= left - 1) {
			const unsigned i = word * WORD_BITS + (unsigned)__builtin_ctzll(left);

			e->before[i] = e->own->count[i];
		}
	e->is_expected = is_answered(e);
}

/* --- One instruction --- */

void vpmu_events_follow(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	if (e->own)
		e->own->follow = ++e->followed;
}

void vpmu_events_unfollow(struct vpmu_cpu *cpu)
{
	if (cpu->events.own)
		cpu->events.own->follow = 0;
}

/* The guest may write the page, so indices and lengths from it are brought into range. */
static void take_last_in_range(struct events_last *to, const struct events_last *page)
{
	*to = *page;
	if (to->naccesses > EVENTS_ACCESSES)
		to->naccesses = EVENTS_ACCESSES;
	for (unsigned i = 0; i < EVENTS_ACCESSES; i++)
		if (to->access[i].source > EVENTS_FROM_MEMORY)
			to->access[i].source = EVENTS_FROM_MEMORY;
}

const struct events_last *vpmu_events_last(struct vpmu_cpu *cpu)
{
	struct vpmu_events *e = &cpu->events;

	if (!e->own || !e->own->follow)
		return NULL;
	e->own->follow = 0;
	if (e->own->last.number != e->followed)
		return NULL;
	if (!e->is_fresh && !ring_or_lose(cpu))
		return NULL;
	e->is_fresh = true;
	take_last_in_range(&e->last, &e->own->last);
	return &e->last;
}

void vpmu_events_take_instructions(struct vpmu_cpu *cpu)
{
	if (!vpmu_is_counted(cpu))
		return;
	cpu->events.is_fresh = false;
	cpu->model.machine.cycles_per_instruction = VPMU_COUNTED_CYCLES;
	vpmu_model_counts_instructions(&cpu->model, true);
}

void vpmu_events_init(struct vpmu_cpu *cpu, struct events_page *page)
{
	struct vpmu_events *e = &cpu->events;

	*e = (struct vpmu_events){0};
	if (page && !cpu->host.number && !placed.page)
		note_place(page);
	if (!page || !is_ours(&page->header) || cpu->host.number >= page->header.cpus)
		return;
	e->header = &page->header;
	e->own = &page->cpu[cpu->host.number];
	e->log = &page->log[cpu->host.number];
	e->asked = e->own->asked;
	cpu->stop.seen = e->own->stops;
	e->followed = e->own->last.number;
	e->is_checked = cpu->host.number;
	e->own->wanted = EVENTS_LEVEL_NONE;
	vpmu_events_take_instructions(cpu);
	vpmu_model_counts(&cpu->model, (enum events_level)page->header.highest);
	vpmu_model_stops(&cpu->model, page->header.stops);
}
