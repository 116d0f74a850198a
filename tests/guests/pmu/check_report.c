// SPDX-License-Identifier: BSD-2-Clause
/* check_report.c - the lines of the checks, to the first serial line: no firmware is needed for it.
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"
#include "lib/printf.h"

#define COM1       0x3f8
#define LINE_FREE  0x20
#define LINE_BYTES 256

static const char *section;
static unsigned checks, failures;

static void send_report_char(char c)
{
	while (!(inb(COM1 + 5) & LINE_FREE))
		cpu_pause();
	outb(COM1, (uint8_t)c);
}

static void put_line(const char *line)
{
	while (*line)
		send_report_char(*line++);
	send_report_char('\r');
	send_report_char('\n');
}

void pmu_say(const char *format, ...)
{
	char line[LINE_BYTES];
	va_list args;

	va_start(args, format);
	fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	put_line(line);
}

void pmu_section(const char *name)
{
	section = name;
}

unsigned pmu_checks(void)
{
	return checks;
}

unsigned pmu_failures(void)
{
	return failures;
}

static void count_check(bool holds, const char *what)
{
	checks++;
	failures += !holds;
	if (holds)
		pmu_say("ok %s: %s", section, what);
}

void pmu_ok(bool holds, const char *what, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, what);
	fmt_vprint(text, sizeof(text), what, args);
	va_end(args);
	count_check(holds, text);
	if (!holds)
		pmu_say("FAIL %s: %s", section, text);
}

void pmu_is(uint64_t got, uint64_t wanted, const char *what, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, what);
	fmt_vprint(text, sizeof(text), what, args);
	va_end(args);
	count_check(got == wanted, text);
	if (got != wanted)
		pmu_say("FAIL %s: %s: expected %lld (0x%llx), got %lld (0x%llx)", section, text,
			(long long)wanted, (unsigned long long)wanted, (long long)got,
			(unsigned long long)got);
}

void pmu_same_cycles(uint64_t a, uint64_t b, const char *what)
{
	pmu_ok((a > b ? a - b : b - a) <= 1, "%s: %lld and %lld", what, (long long)a, (long long)b);
}
