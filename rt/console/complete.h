/* SPDX-License-Identifier: BSD-2-Clause */
/* complete.h - completions for Tab at the prompt: commands and workloads, options of the command,
 * and events after -e. */
#ifndef RT_CONSOLE_COMPLETE_H
#define RT_CONSOLE_COMPLETE_H

/* complete_line() - `complete` of struct line_console (rt/portable/line_edit.h). Task context. */
void complete_line(const char *line, const char *word,
		   void (*each)(void *ctx, const char *candidate), void *ctx);

#endif
