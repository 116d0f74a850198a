// SPDX-License-Identifier: BSD-2-Clause
/* lines_text.c - see lines_text.h. */
#include "rt/console/lines_text.h"

#include "arch/x86/mem/direct.h"
#include "arch/x86/portable/serial.h"
#include "lib/printf.h"
#include "rt/print/print.h"
#include "rt/firmware/firmware_lines.h"

#define LINE_TEXT 80 /* bytes for one line */

static size_t print_line(char *text, size_t size, const struct serial_line *line)
{
	const struct uart_place *at = &line->uart.place;
	const bool port = at->space == UART_PORTS;

	return (size_t)fmt_print(text, size, "%s%s (%s, %s 0x%llx, %s)",
				 line == serial_at(0) ? "" : ", ", line->found.name,
				 line->found.how, port ? "port" : "memory",
				 (unsigned long long)(port ? at->base : at->base - DIRECT_MAP),
				 line->interrupts ? "interrupt" : "polled");
}

const char *lines_text(void)
{
	static char text[(SERIAL_MOST + 1) * LINE_TEXT];
	size_t n = 0;

	for (unsigned i = 0; i < serial_count(); i++)
		n += print_line(text + n, sizeof(text) - n, serial_at(i));
	if (firmware_lines_count())
		n += (size_t)fmt_print(text + n, sizeof(text) - n, "%s%u of the firmware's",
				       n ? ", " : "", firmware_lines_count());
	return n ? text : "none";
}

void lines_tell_polled(void)
{
	for (unsigned i = 0; i < serial_count(); i++)
		if (!serial_at(i)->interrupts)
			err("perf0: %s: no interrupt comes from this serial line; it is looked at each ms, "
			    "and 10 times a second while a command runs\n",
			    serial_at(i)->found.name);
}
