// SPDX-License-Identifier: BSD-2-Clause
/* guest_report.c - reports how a guest ended: see guest_priv.h. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/guest/guest_priv.h"
#include "tools/util/status.h"

#define STATUS_TEXT 64
#define START_S     300 /* a guest that has not started by then never starts */
#define EFI_ERROR   (UINT64_C(1) << 63)
#define OTHER_BASE  64
#define OTHER_LAST  123 /* larger statuses have meanings of their own */
#define EXITS_SHIFT 1   /* isa-debug-exit: QEMU's status is twice the written value, plus 1 */
#define EXITS_MOST  123

/* Names of errors: UEFI specification, "Status Codes". */
static const char *const efi_errors[] = {
	[1] = "EFI_LOAD_ERROR",       [2] = "EFI_INVALID_PARAMETER",
	[3] = "EFI_UNSUPPORTED",      [4] = "EFI_BAD_BUFFER_SIZE",
	[5] = "EFI_BUFFER_TOO_SMALL", [6] = "EFI_NOT_READY",
	[7] = "EFI_DEVICE_ERROR",     [8] = "EFI_WRITE_PROTECTED",
	[9] = "EFI_OUT_OF_RESOURCES", [10] = "EFI_VOLUME_CORRUPTED",
	[11] = "EFI_VOLUME_FULL",     [12] = "EFI_NO_MEDIA",
	[13] = "EFI_MEDIA_CHANGED",   [14] = "EFI_NOT_FOUND",
	[15] = "EFI_ACCESS_DENIED",   [16] = "EFI_NO_RESPONSE",
	[17] = "EFI_NO_MAPPING",      [18] = "EFI_TIMEOUT",
	[19] = "EFI_NOT_STARTED",     [20] = "EFI_ALREADY_STARTED",
	[21] = "EFI_ABORTED",         [26] = "EFI_SECURITY_VIOLATION",
	[27] = "EFI_CRC_ERROR",
};

uint32_t guest_time_limit(const struct guest_run *run)
{
	const uint32_t timeout = run->guest->options->machine.timeout;

	return timeout || run->has_started ? timeout : START_S;
}

int guest_status(uint64_t status)
{
	const uint64_t number = status & ~EFI_ERROR;

	if (status & EFI_ERROR && number < OTHER_LAST - OTHER_BASE)
		return OTHER_BASE + (int)number;
	return status < OTHER_BASE ? (int)status : OTHER_LAST;
}

static void name_status(char *name, size_t size, uint64_t status)
{
	const uint64_t number = status & ~EFI_ERROR;

	if (status & EFI_ERROR && number < sizeof(efi_errors) / sizeof(efi_errors[0]) &&
	    efi_errors[number])
		snprintf(name, size, "%s (%#" PRIx64 ")", efi_errors[number], status);
	else
		snprintf(name, size, "%#" PRIx64, status);
}

static int report_returned(struct guest_run *run)
{
	const uint64_t efi = run->marks.status;
	const struct guest *g = run->guest;
	char told[STATUS_TEXT];

	name_status(told, sizeof(told), efi);
	if (!run->marks.was_started) {
		console_last_words(&run->console);
		console_say(&run->console, "%s: %s was not started: %s", g->command, g->name, told);
		return STATUS_MACHINE;
	}
	if (g->kind != GUEST_PROGRAM) {
		console_last_words(&run->console);
		console_say(&run->console,
			    "%s: %s went back to the firmware before Linux had started: %s",
			    g->command, g->name, told);
		return STATUS_MACHINE;
	}
	if (efi)
		console_say(&run->console, "%s: %s returned %s: status %d", g->command, g->name,
			    told, guest_status(efi));
	return guest_status(efi);
}

/* Returns whether the guest was reset, which QEMU reports as an event of QMP. */
static bool was_reset(struct guest_run *run)
{
	return strstr(buf_text(&run->events), "\"guest-reset\"");
}

static const char *what_had_to_end(const struct guest_run *run)
{
	return run->guest->kind == GUEST_COMMAND ? "the command" : run->guest->name;
}

static int report_dead_qemu(struct guest_run *run, int wait_status)
{
	qemu_show_messages(&run->messages, run->guest->options->output.verbose, &run->console);
	if (WIFSIGNALED(wait_status))
		console_say(&run->console,
			    "%s: QEMU was killed by signal %d (%s) before %s had ended",
			    run->guest->command, WTERMSIG(wait_status),
			    strsignal(WTERMSIG(wait_status)), what_had_to_end(run));
	else
		console_say(&run->console, "%s: QEMU ended with status %d before %s had ended",
			    run->guest->command, WEXITSTATUS(wait_status), what_had_to_end(run));
	return STATUS_MACHINE;
}

/* Reports the use of the exit device of test programs, for which QEMU's status is always odd. */
static int report_device_exit(struct guest_run *run, int wait_status)
{
	const int written = WEXITSTATUS(wait_status) >> EXITS_SHIFT;

	if (written)
		console_say(&run->console, "%s: %s ended by isa-debug-exit with %d",
			    run->guest->command, run->guest->name, written);
	return written < EXITS_MOST ? written : EXITS_MOST;
}

static int report_went(struct guest_run *run, int wait_status)
{
	const bool by_device = WIFEXITED(wait_status) && WEXITSTATUS(wait_status) & 1 &&
			       run->marks.was_started && run->guest->kind == GUEST_PROGRAM;
	const bool reset = was_reset(run);

	if (run->marks.part == MARKS_DIED) {
		console_say(&run->console, "%s: %s", run->guest->command, buf_text(&run->wrong));
		return STATUS_MACHINE;
	}
	if (by_device)
		return report_device_exit(run, wait_status);
	if (wait_status)
		return report_dead_qemu(run, wait_status);
	if (!reset && run->guest->kind != GUEST_COMMAND && run->marks.was_started)
		return 0;
	if (!run->marks.was_started || run->guest->kind == GUEST_COMMAND)
		console_last_words(&run->console);
	console_say(&run->console, "%s: the machine was %s before %s had ended",
		    run->guest->command, reset ? "reset" : "switched off", what_had_to_end(run));
	return STATUS_MACHINE;
}

static int report_guest_timeout(struct guest_run *run)
{
	if (!run->has_started)
		console_last_words(&run->console);
	console_say(&run->console, "%s: timed out after %u s: %s; the guest was killed",
		    run->guest->command, guest_time_limit(run),
		    run->has_started ? "it was still running" : "it never started");
	return STATUS_TIMEOUT;
}

int guest_report(struct guest_run *run, int wait_status)
{
	switch (run->end) {
	case GUEST_RETURNED:
		return report_returned(run);
	case GUEST_TOLD:
		return run->status;
	case GUEST_REFUSED:
		console_say(&run->console, "%s: %s", run->guest->command, buf_text(&run->wrong));
		return STATUS_MACHINE;
	case GUEST_TIMED_OUT:
		return report_guest_timeout(run);
	case GUEST_KILLED:
		console_say(&run->console, "%s: interrupted by %s: the guest was killed",
			    run->guest->command, strsignal(run->signal));
		return STATUS_SIGNAL + run->signal;
	case GUEST_LEFT:
		console_say(&run->console, "%s: left; the guest was killed", run->guest->command);
		return 0;
	case GUEST_UNWRITTEN:
		return console_failed(&run->console, NULL);
	default:
		return report_went(run, wait_status);
	}
}
