// SPDX-License-Identifier: BSD-2-Clause
/* session_report.c - reports how a session ended: see session_priv.h. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tools/machine/session_priv.h"
#include "tools/util/status.h"

#define START_S 300 /* a machine that has not started by then never starts */

uint32_t session_time_limit(const struct session *s)
{
	if (s->stays && !s->line.text.size)
		return START_S;
	return s->options->machine.timeout || s->commanded ? s->options->machine.timeout : START_S;
}

static void describe_death(char *out, size_t size, int status)
{
	if (status == 0)
		snprintf(out, size, "was reset or switched off by the guest");
	else if (WIFSIGNALED(status))
		snprintf(out, size, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "ended with status %d", WEXITSTATUS(status));
}

/* Where KVM does not run a machine, its host is mostly the reason. */
static void point_at_doctor(struct session *s)
{
	if (s->options->machine.accel == ACCEL_KVM)
		console_say(&s->console, "`perf0 doctor --kvm` tells what this host lacks for it");
}

static int report_death(struct session *s, int wait_status)
{
	char death[128];

	if (!s->stream->has_hello)
		console_last_words(&s->console);
	qemu_show_messages(&s->messages, s->options->output.verbose, &s->console);
	describe_death(death, sizeof(death), wait_status);
	console_say(&s->console, "QEMU %s before the %s", death,
		    !s->stays           ? "image said BYE"
		    : s->line.text.size ? "command had ended"
					: "image was ready");
	point_at_doctor(s);
	return STATUS_MACHINE;
}

static int report_timeout(struct session *s)
{
	const char *how = s->end == SAID_BYE     ? "the workload was ended"
			  : s->end == PROMPTS    ? "the workload was ended"
			  : s->stream->has_hello ? "the guest did not answer ^C and was killed"
						 : "the image never started; the guest was killed";

	if (!s->stream->has_hello)
		console_last_words(&s->console);
	console_say(&s->console, "timed out after %u s: %s", session_time_limit(s), how);
	return STATUS_TIMEOUT;
}

static int report_whole(struct session *s)
{
	int (*const check)(const struct stream *, const struct frame_stats *, struct reason *) =
		s->stays ? stream_check_line : stream_check;
	struct reason why;

	if (!s->stream->has_hello)
		console_last_words(&s->console);
	if (check(s->stream, &s->reader.stats, &why)) {
		console_say(&s->console, "the run is incomplete: %s", why.text);
		return STATUS_MACHINE;
	}
	if (s->options->output.verbose)
		console_say(&s->console, "complete: %llu frames, books balanced",
			    (unsigned long long)s->reader.stats.frames);
	if (s->timed_out)
		return report_timeout(s);
	if (s->signal && s->signal != SIGINT)
		return STATUS_SIGNAL + s->signal;
	return s->stays ? typed_line_status(&s->line, s->stream) : s->stream->bye.status & 0xff;
}

/* Reports an interrupted upload. The machine keeps the part of a file that it has. */
static int report_not_sent(struct session *s)
{
	if (s->timed_out) {
		console_say(&s->console, "timed out after %u s: a program was being sent",
			    session_time_limit(s));
		return STATUS_TIMEOUT;
	}
	if (s->signal) {
		console_say(&s->console, "interrupted by %s: a program was being sent",
			    strsignal(s->signal));
		return STATUS_SIGNAL + s->signal;
	}
	console_say(&s->console, "%s", s->upload.why.text);
	return STATUS_MACHINE;
}

static int report_saved(struct session *s)
{
	const char *text = s->warm.restored == WARM_IMAGE ? "saved before\n" : "saved\n";

	if (s->warm.unsaved.text[0]) {
		console_say(&s->console, "not saved: %s", s->warm.unsaved.text);
		return STATUS_FAILED;
	}
	console_text(&s->console, text, strlen(text), false);
	return 0;
}

int session_report(struct session *s, int wait_status)
{
	switch (s->end) {
	case SAID_BYE:
	case PROMPTS:
		return report_whole(s);
	case NOT_SENT:
		return report_not_sent(s);
	case IS_SAVED:
		return report_saved(s);
	case KILLED_TIMEOUT:
		return report_timeout(s);
	case KILLED_SIGNAL:
		console_say(&s->console, "interrupted by %s: the guest was killed",
			    strsignal(s->signal));
		return STATUS_SIGNAL + s->signal;
	case MACHINE_STOPPED:
		console_say(
			&s->console, "QEMU has stopped the machine for good: its state is '%s'%s",
			s->stopped, s->messages.size ? ". It says:" : ", and it does not say why");
		qemu_show_messages(&s->messages, true, &s->console);
		point_at_doctor(s);
		return STATUS_MACHINE;
	case NOTHING_STARTS:
		console_refusal(&s->console);
		console_say(&s->console, "the image was not started");
		return STATUS_MACHINE;
	case OUTPUT_FAILED:
		return console_failed(&s->console, s->files->out ? s->options->output.path : NULL);
	default:
		return report_death(s, wait_status);
	}
}
