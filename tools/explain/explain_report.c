// SPDX-License-Identifier: BSD-2-Clause
/* explain_report.c - see explain_report.h. */
#include "tools/explain/explain_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/explain/explain_forms.h"
#include "tools/picture/save.h"
#include "tools/profile/profile_match.h"
#include "tools/util/memory.h"

static int tell_explained(struct buf *out, const struct explained *list, size_t n,
			  const struct explaining_core *core, const struct explain_options *o,
			  const char *const *words, struct reason *why)
{
	struct buf page = {0};
	int err = 0;

	if (o->json)
		explain_json(out, list, n, core);
	else
		explain_text(out, list, n, core);
	if (o->html) {
		explain_page(&page, list, n, core, words);
		err = picture_save(o->html, &page, why);
		buf_free(&page);
	}
	return err;
}

static int tell_hot(struct buf *out, const struct explain_source *s, const struct buf *found,
		    const struct explain_options *o, struct reason *why)
{
	const struct hot_code *hot = (const struct hot_code *)(const void *)found->data;
	const size_t n = found->size / sizeof(*hot);
	struct explained *list = memory_checked(calloc(n + 1, sizeof(*list)));
	int err;

	for (size_t i = 0; i < n; i++)
		explained_hot(&list[i], &s->core, s->profile, s->lines, s->file, &hot[i]);
	err = tell_explained(out, list, n, &s->core, o, s->words, why);
	for (size_t i = 0; i < n; i++)
		explained_free(&list[i]);
	free(list);
	return err;
}

int explain_report(struct buf *out, const struct explain_source *s, const struct explain_options *o,
		   struct reason *why)
{
	bool *is_match = NULL;
	struct buf found = {0};
	int err = 0;

	if (o->function) {
		is_match = memory_checked(calloc(s->profile->nrows + 1, sizeof(*is_match)));
		err = profile_match(s->profile, NULL, o->function, is_match, why);
	}
	if (!err) {
		hot_code_find(&found, s->profile, is_match, o->blocks);
		err = tell_hot(out, s, &found, o, why);
		hot_code_free(&found);
	}
	free(is_match);
	return err;
}

int explain_code(struct buf *out, const struct explaining_core *core, const uint8_t *code,
		 size_t bytes, uint64_t va, const struct explain_options *o,
		 const char *const *words, struct reason *why)
{
	struct explained x;
	int err;

	explained_snippet(&x, core, code, bytes, va);
	err = tell_explained(out, &x, 1, core, o, words, why);
	explained_free(&x);
	return err;
}
