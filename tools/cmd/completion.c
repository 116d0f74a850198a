// SPDX-License-Identifier: BSD-2-Clause
/* completion.c - see completion.h. */
#include "tools/cmd/completion.h"

#include <stdio.h>
#include <string.h>

#include "lib/words/options.h"
#include "tools/util/registered.h"
#include "tools/util/buf.h"

static struct buf commands; /* so far */

void completion_begin(void)
{
	buf_free(&commands);
	puts("# bash completion of perf0, by `perf0 help --completion`\n"
	     "_perf0() {\n"
	     "\tlocal word=${COMP_WORDS[COMP_CWORD]} options=\n"
	     "\tcase ${COMP_WORDS[1]} in");
}

/* The names that are `takers`' own: of two rows of one name the first holds. */
void completion_command(const char *name, uint32_t takers)
{
	buf_printf(&commands, "%s ", name);
	printf("\t%s) options='", name);
	for (unsigned i = 0; i < OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;
		const struct option_row *row = option_row(id);

		if (row->name && option_by_name(takers, row->name, strlen(row->name)) == id)
			printf("--%s ", row->name);
	}
	puts("' ;;");
}

void completion_end(void)
{
	const struct registered *r;
	struct reason ignored;

	printf("\tesac\n\tlocal commands='%s' workloads='", buf_text(&commands));
	buf_free(&commands);
	if (!registered_read(&r, &ignored))
		for (size_t i = 0; i < r->nworkloads; i++)
			printf("%s ", r->workload[i].name);
	puts("'\n"
	     "\tif [ \"$COMP_CWORD\" = 1 ]; then\n"
	     "\t\tCOMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
	     "\telif [[ $word == -* ]]; then\n"
	     "\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
	     "\telse\n"
	     "\t\tCOMPREPLY=($(compgen -W \"$workloads\" -- \"$word\") $(compgen -f -- "
	     "\"$word\"))\n"
	     "\tfi\n"
	     "}\n"
	     "complete -o filenames -F _perf0 perf0");
}
