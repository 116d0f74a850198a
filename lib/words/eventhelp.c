// SPDX-License-Identifier: BSD-2-Clause
/* eventhelp.c - see eventhelp.h. */
#include "lib/words/eventhelp.h"

const char help_of_events[] =
	"LIST of -e: events, separated by commas; {a,b} is a group, which counts together.\n"
	"\n"
	"  cycles, faults, ...    generic, cache and software events: list\n"
	"  UOPS_ISSUED:ANY        what libpfm4 knows for --uarch: list --no-boot, host tool only\n"
	"  hsw::UOPS_ISSUED:ANY   the same of a named microarchitecture\n"
	"  rNNN                   a raw event, as unit mask and event code\n"
	"  cpu/event=N,umask=N,cmask=N,inv,edge,name=X/\n"
	"                         the same by fields\n"
	"  sched:sched_switch     a tracepoint; sched:* all that match\n"
	"  mem:ADDRESS[/LEN][:rwx] a breakpoint\n"
	"\n"
	"Behind an event or a group, a colon and modifiers: u k h G H (which rings and "
	"worlds),\n"
	"p pp ppp P (precise), D (pinned), e (exclusive), S (samples have the group's "
	"counts),\n"
	"W (a group that does not fit counts alone).\n";
