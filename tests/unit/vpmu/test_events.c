// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_events.c - vpmu/svm/count/plugin_page.c with a page of counts that is present, or unmapped
 * for a while, and with a plugin that does not answer. The test plays the plugin and the rest of
 * vpmu.
 */
#include "arch/x86/dev/pci.h"
#include "tests/unit/vpmu/modelled_pmu.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/last_branches.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/host_insn.h"
#include "vpmu/svm/vcpu/ring_switch.h"
#include "vpmu/svm/vcpu/vcpu.h"

#include <string.h>

#include "tests/unit/test.h"

PERCPU struct vmcb vpmu_vmcb;
const uint8_t ImageBase[64], __text_start[1], __text_end[1];
const uint8_t vpmu_bell_rings[1], vpmu_probes_start[1], vpmu_probes_end[1];

#define EACH_RUN 7 /* instructions */
#define FOR_EVER UINT32_MAX

/* While the page is unmapped its memory is 0, and `kept` has the contents. */
static struct events_page page, kept;

/* Faults of the page. Numbers are rings of the bell from now on. */
static struct {
	uint32_t silent;  /* so many rings get no answer */
	uint32_t back_at; /* the page comes back right after this ring; 0: it does not */
	uint32_t rings;
	bool tears; /* the page is taken away right behind the answer */
} script;

static struct vpmu_cpu cpu;
static bool lost;

/* --- The guest, which takes the page away and brings it back --- */

static void take_away(void)
{
	kept = page;
	memset(&page, 0, sizeof(page));
}

static void bring_back(void)
{
	page = kept;
}

static bool is_away(void)
{
	return !*page.header.magic;
}

static void guest_runs(void)
{
	struct events_page *real = is_away() ? &kept : &page;

	real->cpu[0].count[EVENTS_INSTRUCTIONS] += EACH_RUN;
}

/* --- The plugin --- */

/* While the page is unmapped the plugin finds the earlier question there. */
void vpmu_ring_bell(void)
{
	script.rings++;
	if (script.silent)
		script.silent -= script.silent != FOR_EVER;
	else if (!is_away())
		page.cpu[0].answered = page.cpu[0].asked;
	if (script.rings == script.back_at)
		bring_back();
}

/* --- The rest of vpmu --- */

bool pci_find_nth(uint16_t vendor, uint16_t device, unsigned nth, struct pci_device *found)
{
	(void)found;
	return vendor == EVENTS_PCI_VENDOR && device == EVENTS_PCI_DEVICE && nth == 0;
}

uint64_t pci_memory_bar(const struct pci_device *device, unsigned bar)
{
	(void)device;
	return bar == EVENTS_BAR ? (uint64_t)&page : 0;
}

static uint64_t placed_at;

void pci_place_memory(const struct pci_device *device, unsigned bar, uint64_t address)
{
	(void)device;
	placed_at = bar == EVENTS_BAR ? address : 0;
}

void vpmu_shared_lose(void)
{
	lost = true;
}

bool vpmu_shared_is_lost(void)
{
	return lost;
}

bool vpmu_guest_64bit(void)
{
	return true;
}

uint64_t vpmu_guest_linear_rip(void)
{
	return vpmu_vmcb.rip;
}

size_t vpmu_guest_code(uint8_t *code, size_t max)
{
	memset(code, 0, max);
	return max;
}

bool vpmu_completes(const struct vpmu_cpu *of)
{
	(void)of;
	return true;
}

void vpmu_branches_stop(struct vpmu_cpu *of)
{
	(void)of;
}

void vpmu_branches_take(struct vpmu_cpu *of)
{
	assert_non_null(of->events.own);
	assert_false(is_away());
	if (script.tears)
		take_away();
}

bool vpmu_branches_on(const struct vpmu_cpu *of)
{
	(void)of;
	return false;
}

/* --- The test --- */

FIXTURE(begin)
{
	struct events_page *found;

	memset(&page, 0, sizeof(page));
	memset(&script, 0, sizeof(script));
	lost = false;
	page.header = (struct events_header){.version = EVENTS_PAGE_VERSION,
					     .counts = EVENTS_NUMBERS,
					     .cpus = 1,
					     .highest = EVENTS_LEVEL_COUNTS};
	memcpy(page.header.magic, EVENTS_PAGE_MAGIC, sizeof(page.header.magic));
	found = vpmu_events_find(0, "icl");
	assert_ptr_equal(found, &page);
	cpu = (struct vpmu_cpu){.model = model_of("icl", false)};
	vpmu_events_init(&cpu, found);
	cpu.events.is_checked = true;
	return 0;
}

/* Runs the guest from here on, and returns the counted instructions; 0: unknown. */
static uint64_t counts_of_run(void)
{
	const uint64_t *counts;
	uint64_t n;

	vpmu_events_expect(&cpu);
	guest_runs();
	counts = vpmu_events_take(&cpu);
	if (!counts)
		return 0;
	n = counts[EVENTS_INSTRUCTIONS];
	assert_true(n == 0 || n == EACH_RUN);
	vpmu_events_compare(&cpu, true);
	return n;
}

TEST_WITH(test_counts, begin, NULL)
{
	for (int i = 0; i < 1000; i++)
		assert_int_equal(counts_of_run(), EACH_RUN);
	assert_false(lost);
	assert_int_equal(script.rings, 1001); /* one before the first run, and one after each */
}

/* The page may be unmapped at any question, and return after it was not answered. The count of each
 * run is exact or unknown. */
TEST_WITH(test_away, begin, NULL)
{
	for (uint32_t back = 1; back < 6; back++)
		for (int often = 0; often < 1000; often++) {
			assert_int_equal(counts_of_run(), EACH_RUN);
			take_away();
			script.rings = 0;
			script.back_at = back;
			while (is_away())
				counts_of_run();
			assert_int_equal(counts_of_run(), EACH_RUN);
			assert_false(lost);
		}
}

/* The page is unmapped between the answer and reading the counts, which are 0 then. */
TEST_WITH(test_torn, begin, NULL)
{
	assert_int_equal(counts_of_run(), EACH_RUN);
	script.tears = true;
	assert_int_equal(counts_of_run(), 0);
	script.tears = false;
	bring_back();
	assert_false(lost);
	assert_int_equal(counts_of_run(), EACH_RUN);
}

TEST_WITH(test_stays_away, begin, NULL)
{
	const uint32_t most = 100000;

	counts_of_run();
	take_away();
	script.rings = 0;
	while (!lost) {
		assert_int_equal(counts_of_run(), 0);
		assert_true(script.rings <= most + 4);
	}
	assert_true(script.rings > most);
	assert_null(cpu.events.own);
}

TEST_WITH(test_silent, begin, NULL)
{
	counts_of_run();
	script.silent = FOR_EVER;
	script.rings = 0;
	assert_int_equal(counts_of_run(), 0);
	assert_true(lost);
	assert_null(cpu.events.own);
	assert_int_equal(script.rings, 3);
	assert_int_equal(counts_of_run(), 0);
}

/* A plugin that answers but does not count. A single run may have executed nothing. */
TEST_WITH(test_stands_still, begin, NULL)
{
	counts_of_run();
	for (int i = 0; i < 1000; i++) {
		vpmu_events_expect(&cpu);
		assert_non_null(vpmu_events_take(&cpu));
		vpmu_events_compare(&cpu, i % 50);
		if (i % 50 == 0)
			counts_of_run();
		assert_false(lost);
	}
	for (int i = 0; i < 200 && !lost; i++) {
		vpmu_events_expect(&cpu);
		assert_non_null(vpmu_events_take(&cpu));
		vpmu_events_compare(&cpu, true);
	}
	assert_true(lost);
}

/* After a reset of the machine's devices. */
TEST_WITH(test_placed_again, begin, NULL)
{
	placed_at = 0;
	vpmu_events_place();
	assert_int_equal(placed_at, (uint64_t)&page);
}

/* vpmu never uses a value that a guest writes into the page as an index into its tables. */
TEST_WITH(test_out_of_range, begin, NULL)
{
	const struct events_last *last;

	counts_of_run();
	vpmu_events_follow(&cpu);
	page.cpu[0].last = (struct events_last){
		.number = page.cpu[0].follow,
		.naccesses = UINT8_MAX,
		.access = {{.source = UINT8_MAX}, {.source = EVENTS_FROM_L2}},
	};
	last = vpmu_events_last(&cpu);
	assert_non_null(last);
	assert_int_equal(last->naccesses, EVENTS_ACCESSES);
	assert_int_equal(last->access[0].source, EVENTS_FROM_MEMORY);
	assert_int_equal(last->access[1].source, EVENTS_FROM_L2);
}

TEST_WITH(test_branches_out_of_range, begin, NULL)
{
	struct branch_stack own = {.depth = 16, .newest = 3, .wanted = UINT8_MAX};
	struct branch_stack *written = &page.cpu[0].branches;

	for (unsigned i = 0; i <= UINT8_MAX; i++) {
		memset(written, (int)i, sizeof(*written));
		written->calls = i % 2;
		written->on = written->enters = true;
		written->wanted = UINT8_MAX;
		branch_stack_add(written, BRANCH_KIND_RETURN, (struct branch_record){0});
		written->newest = written->depth = (uint8_t)i;
		branch_stack_take(&own, written);
		assert_int_equal(own.depth, 16);
		assert_false(own.calls);
		assert_in_range(own.newest, 0, 15);
	}
	page.log[0] = (struct branch_log){.n = UINT32_MAX, .on = true, .wants = true};
	branch_log_add(&page.log[0], BRANCH_KIND_FAR, 0, 1, 2);
	assert_true(page.log[0].lost);
}
