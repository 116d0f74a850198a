// SPDX-License-Identifier: BSD-2-Clause
/*
 * starts.c - a CPU that runs or halts is started again at another address; and a CPU changes code
 * while another CPU runs it; in both modes of the local APIC. SDM vol. 3, "Multiple-Processor
 * Management".
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"

#define ID_SHIFT   24
#define PAGE_SHIFT 12
#define SECOND     1u /* APIC id */
#define PATIENCE   20000
#define CHANGES    50
#define STARTS     20
#define NMIS       20
#define VECTOR_NMI 2
#define MOV_EAX    0xb8
#define RET        0xc3

/* second.S */
struct second_page {
	uint8_t code[0x200];
	uint32_t begun, seen, turns, halts, reads, counts, nmis, unused_1;
	uint8_t idtr[8], unused_2[0x300 - 0x228];
	uint16_t vectors[128]; /* where its handlers are: an offset and a segment each */
	uint8_t loader[16];    /* of the boot CPU */
};
_Static_assert(__builtin_offsetof(struct second_page, counts) == 0x214, "second.S");
_Static_assert(__builtin_offsetof(struct second_page, idtr) == 0x220, "second.S");
_Static_assert(__builtin_offsetof(struct second_page, loader) == 0x400, "second.S");

extern const uint8_t guest_second[], guest_second_loads[], guest_second_nmi[], guest_second_end[];

typedef uint32_t (*loader_t)(void);

static volatile struct second_page *first, *other;

/* The second CPU has a table of its own: the one at address 0 is the firmware's. */
static void set_handlers(struct second_page *page)
{
	const struct {
		uint16_t limit;
		uint32_t base;
	} __attribute__((packed))
	idtr = {sizeof(page->vectors) - 1, (uint32_t)(uint64_t)page->vectors};

	memcpy(page->idtr, &idtr, sizeof(idtr));
	page->vectors[2 * VECTOR_NMI] = (uint16_t)(guest_second_nmi - guest_second);
	page->vectors[2 * VECTOR_NMI + 1] = (uint16_t)((uint64_t)page >> 4);
}

static volatile struct second_page *new_page(void)
{
	uint8_t *const page = guest_low_page();

	if (!page)
		return NULL;
	memset(page, 0, sizeof(struct second_page));
	memcpy(page, guest_second, (size_t)(guest_second_end - guest_second));
	page[0x400] = MOV_EAX;
	page[0x405] = RET;
	set_handlers((struct second_page *)page);
	return (volatile struct second_page *)page;
}

/* --- Commands for the second CPU --- */

static void send_by_page(uint32_t command)
{
	guest_apic_write(APIC_ICR_HIGH, SECOND << ID_SHIFT);
	guest_apic_write(APIC_ICR, command);
	while (guest_apic_read(APIC_ICR) & APIC_ICR_PENDING)
		cpu_pause();
}

static void send_to_second(uint32_t command)
{
	if (rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EXTD)
		wrmsr(MSR_X2APIC_BASE + APIC_ICR / 16, (uint64_t)SECOND << 32 | command);
	else
		send_by_page(command);
	guest_spin();
}

static void send_init(void)
{
	send_to_second(APIC_ICR_INIT | APIC_ICR_ASSERT);
}

static void send_startup(const volatile struct second_page *page)
{
	send_to_second(APIC_ICR_STARTUP | APIC_ICR_ASSERT |
		       (uint32_t)((uint64_t)page >> PAGE_SHIFT));
}

/* --- Effects on the second CPU --- */

static bool await_starts(const volatile struct second_page *page, uint32_t times)
{
	for (unsigned i = 0; i < PATIENCE && page->begun < times; i++)
		guest_spin();
	return page->begun == times;
}

static bool turns(const volatile struct second_page *page)
{
	const uint32_t before = page->turns;

	for (unsigned i = 0; i < PATIENCE && page->turns == before; i++)
		guest_spin();
	return page->turns != before;
}

/* Waits until the turns stop: a command may take a while to arrive. */
static bool stands_still(const volatile struct second_page *page)
{
	uint32_t before;

	for (unsigned i = 0; i < PATIENCE; i++) {
		before = page->turns;
		for (unsigned spins = 0; spins < 20; spins++)
			guest_spin();
		if (page->turns == before)
			return true;
	}
	return false;
}

static void print_starts(const char *what, bool right)
{
	guest_print("%s: %d; begun %u and %u", what, right, first->begun, other->begun);
}

/* --- Code that is changed by one and run by the other --- */

/*
 * QEMU, with a thread for each CPU, may go on with code that one CPU was translating while the
 * other one wrote it. Writing the code again makes QEMU translate it again.
 */
static bool sees(volatile uint16_t *loads, uint16_t value)
{
	for (unsigned i = 0; i < PATIENCE && first->seen != value; i++) {
		*loads = value;
		guest_spin();
	}
	return first->seen == value;
}

static void change_its_code(void)
{
	volatile uint16_t *const loads =
		(volatile uint16_t *)((uint64_t)first +
				      (uint64_t)(guest_second_loads - guest_second));
	unsigned seen = 0;

	for (uint16_t i = 1; i <= CHANGES; i++)
		seen += sees(loads, i);
	guest_print("changes that it runs: %u of %u", seen, CHANGES);
}

static void run_what_it_changes(void)
{
	const loader_t loader = (loader_t)(uint64_t)first->loader;
	unsigned grown = 0, fell = 0;
	uint32_t last = loader();

	for (unsigned i = 0; i < PATIENCE && grown < CHANGES; i++) {
		const uint32_t now = loader();

		fell += now < last;
		grown += now > last;
		last = now;
		guest_spin();
	}
	guest_print("changes that it makes: %u, and none back %d", grown, !fell);
}

/* --- --- */

static void start_variously(void)
{
	send_init();
	send_startup(first);
	print_starts("INIT and SIPI", await_starts(first, 1) && turns(first));
	send_startup(other);
	print_starts("SIPI alone, while it runs", turns(first));
	send_to_second(APIC_ICR_INIT | APIC_ICR_LEVEL);
	print_starts("INIT that is no more", turns(first));
	send_init();
	print_starts("INIT alone", stands_still(first));
	send_init();
	print_starts("INIT again", stands_still(first));
	send_startup(other);
	print_starts("and SIPI", await_starts(other, 1) && turns(other));
	other->halts = 1;
	print_starts("halted", stands_still(first) && stands_still(other));
	send_startup(first);
	print_starts("SIPI alone, while it is halted", stands_still(first));
	send_init();
	send_startup(first);
	print_starts("INIT and SIPI, while it is halted", await_starts(first, 2) && turns(first));
}

/* INIT may come at any moment. */
static void start_often(const char *what)
{
	unsigned right = 0;

	for (unsigned i = 0; i < STARTS; i++) {
		const uint32_t before = first->begun;

		send_init();
		send_startup(first);
		right += await_starts(first, before + 1) && turns(first);
	}
	guest_print("%s: %u of %u starts", what, right, STARTS);
}

static bool takes_nmis(const volatile struct second_page *page, uint32_t nmis)
{
	for (unsigned i = 0; i < PATIENCE && page->nmis < nmis; i++)
		guest_spin();
	return page->nmis == nmis;
}

/* Each is taken, once, before the next one is sent. */
static void send_nmis(const char *what)
{
	unsigned right = 0;

	for (unsigned i = 0; i < NMIS; i++) {
		const uint32_t before = first->nmis;

		send_to_second(APIC_ICR_NMI | APIC_ICR_ASSERT);
		right += takes_nmis(first, before + 1);
	}
	guest_print("%s: %u of %u NMIs", what, right, NMIS);
}

static void send_nmis_variously(void)
{
	const uint32_t before = first->begun;

	send_init();
	send_startup(first);
	await_starts(first, before + 1);
	send_nmis("while it runs");
	first->halts = 1;
	stands_still(first);
	send_nmis("while it is halted");
	first->halts = 0;
}

void guest_starts(void)
{
	first = new_page();
	other = new_page();
	if (!first || !other)
		return;
	start_variously();
	change_its_code();
	run_what_it_changes();
	start_often("while it runs");
	first->reads = 1;
	start_often("while it reads");
	first->reads = 0;
	first->counts = 1;
	start_often("while it counts");
	first->counts = 0;
	send_nmis_variously();
	send_init();
}
