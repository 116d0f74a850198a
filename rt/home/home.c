// SPDX-License-Identifier: BSD-2-Clause
/*
 * home.c - see home.h. Linux, Documentation/arch/x86/boot.rst, "64-bit Boot Protocol".
 *
 * Two steps end commands whose time is over. The first interrupts them as ^C does, and their
 * results are whole. HARD_NS later the second one leaves from the timer's interrupt, wherever the
 * code is: it takes no lock, and allocates nothing. A panic does the same. Where interrupts stay
 * off, the chipset's watchdog resets the machine in the end.
 */
#include "rt/home/home.h"

#include "arch/x86/cpu/dump.h"
#include "arch/x86/cpu/this_cpu.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/fb.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/power.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/serial.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/world/world.h"
#include "include/perf0/handoff.h"
#include "include/perf0/there.h"
#include "lib/math.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"
#include "linux/task/task.h"
#include "pmu/api/pmu.h"
#include "rt/clock/hrtimer.h"
#include "rt/console/keep.h"
#include "rt/home/home_dma.h"
#include "rt/home/home_jump.h"
#include "rt/home/home_tables.h"
#include "rt/portable/results_archive.h"
#include "rt/print/print.h"
#include "rt/wire/kept.h"

#include <asm/bootparam.h>
#include <stddef.h>

#define HARD_NS     (5 * NSEC_PER_SEC)
#define INIT_NS     (10 * NSEC_PER_MS)
#define RESET_SLACK 30 /* seconds beyond those of the commands, until the chipset resets */
#define STATUS_MAX  200
#define PANIC_BYTES 8192
#define NODES_MOST  64 /* of setup_data */
#define LOW_BYTES   (4ull << 30)

/* The state that home_jump() loads; home_jump.S. */
struct home_jump {
	uint64_t root, cr4, cr0, params, entry, offset;
	struct insn_table gdt, idt;
};
_Static_assert(offsetof(struct home_jump, root) == HOME_ROOT, "home_jump.S");
_Static_assert(offsetof(struct home_jump, cr4) == HOME_CR4, "home_jump.S");
_Static_assert(offsetof(struct home_jump, cr0) == HOME_CR0, "home_jump.S");
_Static_assert(offsetof(struct home_jump, params) == HOME_PARAMS, "home_jump.S");
_Static_assert(offsetof(struct home_jump, entry) == HOME_ENTRY, "home_jump.S");
_Static_assert(offsetof(struct home_jump, offset) == HOME_OFFSET, "home_jump.S");
_Static_assert(offsetof(struct home_jump, gdt) == HOME_GDT, "home_jump.S");
_Static_assert(offsetof(struct home_jump, idt) == HOME_IDT, "home_jump.S");

/* home_jump.S */
_Noreturn void home_jump(const struct home_jump *jump);

static const uint64_t gdt[] = {
	0,
	0,
	[HOME_CODE / 8] = 0x00af9a000000ffff, /* code of 64 bits */
	[HOME_DATA / 8] = 0x00cf92000000ffff,
};

static struct {
	struct handoff_home way;
	struct setup_data *results;
	struct home_jump jump;
	bool is_leaving;
} home;

/* The text of a panic, which also goes where it goes without a way home. */
static struct {
	char text[PANIC_BYTES];
	size_t n;
	char reason[STATUS_MAX];
	unsigned is_told; /* CPU 0 goes home with it */
} last_words;

static struct {
	struct hrtimer timer;
	uint32_t seconds;
	bool is_over;
} limit;

bool home_is_set(void)
{
	return home.way.kernel;
}

/* --- Preparation --- */

/* Kernels read the list of setup_data before they have tables of their own. */
static bool map_setup_data(void)
{
	const struct setup_data *node = home.results;

	for (unsigned i = 0; node->next && i < NODES_MOST; i++) {
		const uint64_t at = node->next;

		node = virt_of(at);
		if (!home_map(at, sizeof(*node) + node->len))
			return false;
	}
	return true;
}

/* As firmware does, all below 4 GiB. */
static bool map_way(const struct handoff *handoff)
{
	const struct handoff_home *way = &handoff->home;

	return home_map(0, LOW_BYTES) && home_map(handoff->image_base, handoff->image_size) &&
	       home_map(way->kernel, way->kernel_bytes) &&
	       home_map(way->params, way->params_bytes) &&
	       home_map(way->results, way->results_bytes) && map_setup_data();
}

static void make_jump(void)
{
	home.jump = (struct home_jump){
		.root = home_root(),
		.cr4 = CR4_PAE | (read_cr4() & CR4_LA57),
		.cr0 = CR0_PG | CR0_NE | CR0_ET | CR0_MP | CR0_PE,
		.params = home.way.params,
		.entry = home.way.entry,
		.offset = DIRECT_MAP,
		.gdt = {sizeof(gdt) - 1, phys_of(gdt)},
	};
}

void home_init(const struct handoff *handoff)
{
	if (!handoff->home.kernel)
		return;
	home.way = handoff->home;
	home.results = paging_map_shared(home.way.results, home.way.results_bytes);
	if (home.results && map_way(handoff))
		make_jump();
	if (!home.jump.root) /* the firmware starts Linux */
		power_reset();
	world_comes_back();
}

/* --- The results --- */

static void add_status(struct results_archive *archive, const char *status)
{
	char line[STATUS_MAX + 1];
	const int n = fmt_print(line, sizeof(line), "%s\n", status);

	archive_text(archive, THERE_STATUS, line, least_of((uint64_t)n, sizeof(line) - 1));
}

/* The output so far of a command that is still running. */
static void add_unended(struct results_archive *archive)
{
	const struct pieces *stream, *text;

	if (!kept_now(&stream, &text))
		return;
	archive_pieces(archive, "unended.txt", text);
	archive_pieces(archive, "unended.perf0", stream);
}

static void add_lost(struct results_archive *archive)
{
	char line[32];
	int n;

	if (!archive->left_out)
		return;
	n = fmt_print(line, sizeof(line), "%u\n", archive->left_out);
	archive_text(archive, RESULTS_UNWRITTEN, line, (size_t)n);
}

static void write_results(const char *status)
{
	const struct results *results = keep_results();
	struct results_archive archive;

	/* The note of files without room finds room: it is no longer than a page. */
	archive_begin(&archive, home.results->data,
		      home.way.results_bytes - sizeof(*home.results) - PAGE_SIZE);
	add_status(&archive, status);
	if (last_words.n)
		archive_text(&archive, "panic.txt", last_words.text, last_words.n);
	if (results)
		archive_all(&archive, results);
	add_unended(&archive);
	archive.room += PAGE_SIZE;
	add_lost(&archive);
	home.results->len = (uint32_t)archive_end(&archive);
}

/* --- The machine, as it was found --- */

/* They wait for a SIPI, as after a reset. */
static void stop_other_cpus(void)
{
	for (unsigned i = 1; i < smp_nfound(); i++)
		if (smp_found(i)->state != SMP_LEFT_OUT && apic_reaches(smp_found(i)->apic_id))
			apic_send_init(smp_found(i)->apic_id);
	clock_spin_ns(INIT_NS);
}

static void stop_counters(void *unused)
{
	(void)unused;
	pmu_stop_all();
}

/* On the boot CPU: another one would get its INIT, and go to the firmware. */
static _Noreturn void leave_for_home(const char *status)
{
	irq_disable();
	home.is_leaving = true;
	hrtimer_cancel(&limit.timer);
	write_results(status);
	hw_watchdog_stop();
	stop_counters(NULL);
	stop_other_cpus();
	world_give_devices();
	insn_wbinvd();
	home_jump(&home.jump);
}

void home_go(void)
{
	if (!home_is_set())
		return;
	for (unsigned cpu = 1; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, stop_counters, NULL);
	if (limit.is_over)
		leave_for_home(
			"the time of the commands was over (--timeout): they were interrupted");
	leave_for_home(THERE_ENDED);
}

/* --- Time --- */

static void on_limit(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	if (limit.is_over)
		leave_for_home(
			"the time of the commands was over (--timeout), and they did not end: what there was "
			"of the last one is in unended.txt");
	limit.is_over = true;
	task_interrupt();
	hrtimer_start_irqs_off(timer, HARD_NS);
}

static void start_limit(uint32_t seconds)
{
	if (!seconds)
		return;
	limit.seconds = seconds;
	limit.timer.fn = on_limit;
	hrtimer_start(&limit.timer, seconds * NSEC_PER_SEC);
	if (seconds <= HW_WATCHDOG_SECONDS_MOST - RESET_SLACK)
		hw_watchdog_start(seconds + RESET_SLACK);
}

/* --- Panic --- */

static void take_last_words(const char *text, size_t n)
{
	const size_t room = sizeof(last_words.text) - last_words.n;

	serial_alarm(text, n);
	fb_write(text, n);
	n = least_of(n, room);
	memcpy(last_words.text + last_words.n, text, n);
	last_words.n += n;
}

/* A panic on the way home has nowhere to go: the firmware starts Linux. */
static void leave_after_panic(void)
{
	if (home.is_leaving)
		power_reset();
	leave_for_home(last_words.reason);
}

static void go_home_after_panic(const char *reason)
{
	fmt_print(last_words.reason, sizeof(last_words.reason), "perf0 panicked: %s", reason);
	if (!smp_cpu())
		leave_after_panic();
	__atomic_store_n(&last_words.is_told, 1, __ATOMIC_RELEASE);
}

/* Another CPU panics. The boot CPU waits for its words. */
static void wait_for_words(void)
{
	if (smp_cpu())
		return;
	while (!__atomic_load_n(&last_words.is_told, __ATOMIC_ACQUIRE))
		cpu_pause();
	leave_after_panic();
}

void home_begin(const struct handoff *handoff, uint32_t seconds, bool quiet_dma)
{
	if (!home_is_set())
		return;
	keep_start(NULL, smbios_names()->name[SMBIOS_BOARD], handoff->date);
	home_dma_tell(quiet_dma);
	dump_set_output(take_last_words);
	dump_set_end(go_home_after_panic);
	dump_set_stopped(wait_for_words);
	start_limit(seconds);
}
