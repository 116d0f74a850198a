/* SPDX-License-Identifier: BSD-2-Clause */
/* explain_forms.h - tells explained code as text, as JSON, and as a page. */
#ifndef TOOLS_EXPLAIN_EXPLAIN_FORMS_H
#define TOOLS_EXPLAIN_EXPLAIN_FORMS_H

#include "tools/explain/explained.h"

void explain_text(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core);
void explain_json(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core);

/* explain_page() - `words`: the command line, NULL-terminated. */
void explain_page(struct buf *out, const struct explained *list, size_t n,
		  const struct explaining_core *core, const char *const *words);

/* explain_section() - adds a section for the page of a trace: the code, and its timeline. */
void explain_section(struct buf *out, const struct explained *x,
		     const struct explaining_core *core);

/* explain_timeline() - adds a picture: when each micro-operation of a few iterations was renamed,
 * executed and retired in the model of the core. */
void explain_timeline(struct buf *out, const struct explained *x,
		      const struct explaining_core *core);

#endif
