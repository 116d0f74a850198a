// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_user.c - entering ring 3 and returning: registers, system calls, every kind of fault, and a
 * workload that never ends.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/mem/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/dev/tsc.h"
#include "lib/printf.h"
#include "tests/image/fixture.h"
#include "rt/base/image_test.h"
#include "rt/base/vectors.h"
#include "tests/image/user_code.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>

#define NS_PER_MS   1000000u
#define INTERRUPTED 77

static const uint64_t no_args[6];

static const char *test_user_gets_its_arguments_and_zeros(void)
{
	static const uint64_t args[6] = {1, 2, 4, 8, 16, 32};

	if (fixture_run(user_sum, args, NULL, NULL) != 63)
		return "the registers are not the six arguments and zeros";
	return user_running() ? "user_run() came back and is still running" : NULL;
}
IMAGE_TEST(test_user_gets_its_arguments_and_zeros);

static const char *test_syscall_keeps_registers(void)
{
	return fixture_run(user_kept, no_args, NULL, NULL) ? "a system call changed a register"
							   : NULL;
}
IMAGE_TEST(test_syscall_keeps_registers);

static const char *test_fpu_starts_fresh_each_time(void)
{
	for (int i = 0; i < 2; i++)
		if (fixture_run(user_fpu, no_args, NULL, NULL))
			return "x87 or SSE state of the run before was left";
	return NULL;
}
IMAGE_TEST(test_fpu_starts_fresh_each_time);

/* --- Bases of FS and GS --- */

#define LEFT 88

static struct user_state tasks[3];

static long leave_at_syscall(long nr, struct trap_frame *frame)
{
	user_leave(nr == __NR_exit_group ? (long)frame->rdi : LEFT);
}

/* Words that bases can point to: 1, 20, 300, 4000. */
static uint64_t word_at(unsigned i)
{
	return FIXTURE_STACK + i * sizeof(uint64_t);
}

static void fill_words(void)
{
	static const uint64_t words[] = {1, 20, 300, 4000};

	copy_to_user(FIXTURE_STACK, words, sizeof(words));
}

static void begin_task(struct user_state *s, const uint8_t *piece, uint64_t fs, uint64_t gs)
{
	const uint64_t args[6] = {0, FIXTURE_STACK};

	user_state_init(s, fixture_code(piece), FIXTURE_TOP, args);
	s->fs_base = fs;
	s->gs_base = gs;
}

/* Runs tasks in turn up to their system calls, then in turn to their ends. Returns 0 if
 * all is right. */
static long take_turns(const void *unused)
{
	(void)unused;
	fill_words();
	begin_task(&tasks[0], user_bases, word_at(0), word_at(1));
	begin_task(&tasks[1], user_bases, word_at(2), word_at(3));
	begin_task(&tasks[2], user_selectors, word_at(3), word_at(3));
	for (unsigned i = 0; i < 3; i++)
		if (user_resume(&tasks[i]) != LEFT)
			return 1;
	if (user_resume(&tasks[0]) != 21 || user_resume(&tasks[2]) != 0)
		return 2;
	return user_resume(&tasks[1]) == 4300 ? 0 : 3;
}

static long with_irqs_off(user_syscall *on_syscall, long (*fn)(const void *arg))
{
	const uint64_t flags = irq_save();
	const long result = fixture_with(NULL, on_syscall, fn, NULL);

	user_prepare(NULL);
	irq_restore(flags);
	return result;
}

static const char *test_each_task_has_its_bases(void)
{
	switch (with_irqs_off(leave_at_syscall, take_turns)) {
	case 0:
		return NULL;
	case 1:
		return "a task did not come to its system call";
	case 2:
		return "the bases or selectors of another task were left";
	default:
		return "a task lost its bases while another one loaded selectors";
	}
}
IMAGE_TEST(test_each_task_has_its_bases);

static long set_bases(long nr, struct trap_frame *frame)
{
	if (nr == __NR_exit_group)
		user_leave((long)frame->rdi);
	fill_words();
	if (user_set_fs_base(word_at(2)) || user_set_gs_base(word_at(0)))
		user_leave(-1);
	if (user_set_fs_base(RING3_LIMIT) != -EPERM || user_set_gs_base(UINT64_MAX) != -EPERM)
		user_leave(-2);
	return user_fs_base() == word_at(2) && user_gs_base() == word_at(0) ? 0 : -1;
}

static const char *test_a_system_call_sets_bases(void)
{
	return fixture_run(user_bases, no_args, NULL, set_bases) == 301
		       ? NULL
		       : "ring 3 did not get the bases, or one that is ring 0's";
}
IMAGE_TEST(test_a_system_call_sets_bases);

static long keep_own_bases(long nr, struct trap_frame *frame)
{
	if (nr == __NR_exit_group)
		user_leave((long)frame->rdi);
	fill_words();
	return user_fs_base() == word_at(0) && user_gs_base() == word_at(1) ? 0 : -1;
}

static const char *test_ring_3_sets_its_bases(void)
{
	const uint64_t args[6] = {0, FIXTURE_STACK};

	if (!(read_cr4() & CR4_FSGSBASE))
		return IMAGE_TEST_SKIP("this CPU has no WRFSBASE");
	return fixture_run(user_own_bases, args, NULL, keep_own_bases) == 21 ? NULL
									     : "they were lost";
}
IMAGE_TEST(test_ring_3_sets_its_bases);

static long save_copy(long nr, struct trap_frame *frame)
{
	if (nr == __NR_exit_group)
		user_leave((long)frame->rdi);
	user_save(&tasks[1]);
	return user_set_fs_base(word_at(2));
}

static long run_both(const void *unused)
{
	(void)unused;
	fill_words();
	begin_task(&tasks[0], user_bases, word_at(0), word_at(1));
	return user_resume(&tasks[0]) == 320 ? user_resume(&tasks[1]) : -1;
}

static const char *test_a_saved_state_goes_on_by_itself(void)
{
	return with_irqs_off(save_copy, run_both) == 21 ? NULL : "not from where it was saved";
}
IMAGE_TEST(test_a_saved_state_goes_on_by_itself);

static const char *test_user_run_refuses_addresses(void)
{
	if (user_run(0x1000, FIXTURE_TOP, no_args) != -EFAULT)
		return "user_run() took an instruction pointer below ring 3's part";
	if (user_run(FIXTURE_CODE, 0x1000, no_args) != -EFAULT)
		return "user_run() took a stack pointer below ring 3's part";
	if (user_run(1ull << 63, FIXTURE_TOP, no_args) != -EFAULT)
		return "user_run() took a non-canonical instruction pointer";
	return NULL;
}
IMAGE_TEST(test_user_run_refuses_addresses);

static const char *fault_once(const struct user_fault_row *row)
{
	static char message[96];
	const uint64_t args[6] = {FIXTURE_CODE, FIXTURE_STACK, (uintptr_t)image_start + 0x1000};
	long code = fixture_run(fixture_fault(row->name), args, NULL, NULL);

	if (code == FIXTURE_FAULT + row->vector)
		return NULL;
	fmt_print(message, sizeof(message), "%s: %ld instead of %s", row->name, code,
		  trap_name(row->vector));
	return message;
}

static const char *test_user_faults_come_as_they_should(void)
{
	const struct trap_counts before = *trap_counts(), *now = trap_counts();
	uint64_t n[VEC_NEXCEPT] = {0}, all = 0;

	for (const struct user_fault_row *row = user_faults; row != user_faults_end; row++) {
		const char *wrong;

		if (row->needs_umip && !(read_cr4() & CR4_UMIP))
			continue;
		all++;
		n[row->vector]++;
		wrong = fault_once(row);
		if (wrong)
			return wrong;
	}
	for (unsigned v = 0; v < VEC_NEXCEPT; v++)
		if (now->user_fault[v] != before.user_fault[v] + n[v])
			return "faults were not counted by vector";
	if (now->user_page_faults_mended != before.user_page_faults_mended)
		return "a page fault that ended ring 3 was taken for a mended one";
	return now->user_faults == before.user_faults + all ? NULL : "faults were not counted";
}
IMAGE_TEST(test_user_faults_come_as_they_should);

static void go_on_elsewhere(struct trap_frame *frame)
{
	frame->rip = fixture_code(user_called);
}

static const char *test_mended_page_faults_are_counted(void)
{
	const struct trap_counts before = *trap_counts(), *now = trap_counts();
	const uint64_t args[6] = {0};

	if (fixture_run(fixture_fault("run the stack"), args, go_on_elsewhere, NULL))
		return "ring 3 did not go on";
	if (fixture_run(fixture_fault("ud2"), args, go_on_elsewhere, NULL))
		return "ring 3 did not go on behind another fault";
	return now->user_page_faults_mended == before.user_page_faults_mended + 1
		       ? NULL
		       : "not one mended page fault";
}
IMAGE_TEST(test_mended_page_faults_are_counted);

/* Else the next #DB would be taken for it. */
static const char *test_dr6_forgets_what_ring_3_was_told(void)
{
	if (fixture_run(user_step_own, no_args, NULL, NULL) != FIXTURE_FAULT + VEC_DB)
		return "a TF of its own did not end ring 3";
	return read_dr6() & DR6_OTHERS ? "DR6 still tells of it" : NULL;
}
IMAGE_TEST(test_dr6_forgets_what_ring_3_was_told);

/* A frame as ring 3 left it, seen by the handler on the task's stack. */
static struct trap_frame seen;
static uint64_t seen_flags, seen_address;

static void keep_frame(struct trap_frame *frame)
{
	seen = *frame;
	seen_flags = rflags();
	seen_address = trap_fault_address();
	user_leave(0);
}

static const char *test_user_fault_tells_where(void)
{
	const uint64_t args[6] = {0, FIXTURE_STACK, 0, 0, 5, 6};
	const uint8_t *piece = fixture_fault("run the stack");

	if (fixture_run(piece, args, keep_frame, NULL))
		return "no memory";
	if (seen.vector != VEC_PF || seen.rip != FIXTURE_STACK || seen_address != FIXTURE_STACK)
		return "the page fault's addresses are wrong";
	if (seen.error != (PF_PRESENT | PF_USER | PF_FETCH))
		return "the page fault's error code is wrong";
	if (!trap_from_user(&seen) || seen.rsp != FIXTURE_TOP || seen.r8 != 5 || seen.r9 != 6)
		return "the frame's registers are wrong";
	return NULL;
}
IMAGE_TEST(test_user_fault_tells_where);

extern const uint8_t user_syscall_entry[]; /* entry.S */

static struct {
	uint64_t inside, at_entry;
} ips;

static long keep_user_ip(long nr, struct trap_frame *frame)
{
	const struct trap_frame entry = {.rip = (uintptr_t)user_syscall_entry, .rcx = 0x1234};
	const struct trap_frame later = {.rip = (uintptr_t)keep_user_ip, .rcx = 0x5678};

	(void)frame;
	if (nr == __NR_exit_group)
		user_leave(0);
	ips.inside = user_ip();
	user_nmi(&entry);
	user_nmi(&later);
	ips.at_entry = user_ip();
	trap_user_frame()->rip = ips.inside;
	return 0;
}

static const char *test_user_ip_in_a_system_call(void)
{
	if (fixture_run(user_calls, no_args, NULL, keep_user_ip))
		return "no memory";
	if (ips.inside != fixture_code(user_called))
		return "not behind SYSCALL";
	return ips.at_entry == 0x1234 ? NULL : "not in RCX where SYSCALL enters";
}
IMAGE_TEST(test_user_ip_in_a_system_call);

static void keep_fault_ip(struct trap_frame *frame)
{
	(void)frame;
	ips.inside = user_ip();
	user_leave(0);
}

static const char *test_user_ip_after_a_fault(void)
{
	const uint8_t *piece = fixture_fault("ud2");

	if (fixture_run(piece, no_args, keep_fault_ip, NULL))
		return "no memory";
	if (ips.inside != fixture_code(piece))
		return "not where ring 3 faulted";
	return user_ip() == ips.inside ? NULL : "ring 3 was left elsewhere";
}
IMAGE_TEST(test_user_ip_after_a_fault);

static void step_over(struct trap_frame *frame)
{
	if (frame->vector == VEC_UD)
		frame->rip += 2; /* UD2 */
	else
		user_leave(-1);
}

static const char *test_user_fault_handler_can_go_on(void)
{
	const uint8_t *piece = fixture_fault("ud2");
	const uint64_t args[6] = {123};

	return fixture_run(piece, args, step_over, NULL) == 123 ? NULL : "ring 3 did not go on";
}
IMAGE_TEST(test_user_fault_handler_can_go_on);

static long keep_flags(long nr, struct trap_frame *frame)
{
	(void)nr;
	(void)frame;
	seen_flags = rflags();
	user_leave(0);
}

static const char *test_user_flags_do_not_reach_ring_0(void)
{
	const uint64_t bad =
		RFLAGS_DF | RFLAGS_IF | RFLAGS_TF | (read_cr4() & CR4_SMAP ? RFLAGS_AC : 0);

	if (fixture_run(user_flags, no_args, NULL, keep_flags) || seen_flags & bad)
		return "a system call runs with flags of ring 3";
	if (fixture_run(user_flags_fault, no_args, keep_frame, NULL) || seen_flags & bad)
		return "a fault handler runs with flags of ring 3";
	return seen.rflags & RFLAGS_AC ? NULL : "ring 3 could not set AC";
}
IMAGE_TEST(test_user_flags_do_not_reach_ring_0);

static void leave_spin(struct trap_frame *frame)
{
	apic_eoi();
	if (trap_from_user(frame) && user_running())
		user_leave(INTERRUPTED);
}

static const char *test_user_that_never_ends_can_be_ended(void)
{
	trap_handler *old = trap_set_irq(VECTOR_TIMER, leave_spin);
	uint64_t start = clock_ns();
	long code = -1;

	for (int i = 0; i < 3; i++) {
		fixture_arm_timer(NS_PER_MS);
		code = fixture_run(user_spin, no_args, NULL, NULL);
		if (code != INTERRUPTED)
			break;
	}
	apic_timer_stop();
	trap_set_irq(VECTOR_TIMER, old);
	if (code != INTERRUPTED)
		return "user_leave() from an interrupt lost its code";
	return clock_ns() - start >= 2 * NS_PER_MS ? NULL : "the interrupt came too early";
}
IMAGE_TEST(test_user_that_never_ends_can_be_ended);
