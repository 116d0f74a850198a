// SPDX-License-Identifier: BSD-2-Clause
/*
 * completion.c - see completion.h. The script consists of tables, each a bash function that looks a
 * word up. The last function finds the cursor's place in a command line.
 */
#include "tools/help/completion.h"

#include <stdio.h>
#include <string.h>

#include "lib/words/option_words.h"
#include "pmu/names/parse.h"
#include "tools/util/buf.h"
#include "tools/util/image_names.h"

/* The names of commands, and the rows of the two tables, gathered so far. */
static struct buf commands, options, values;

static bool is_own_name(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->name && option_by_name(takers, row->name, strlen(row->name)) == id;
}

static bool is_own_letter(uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);

	return row->letter && option_by_letter(takers, row->letter) == id;
}

void completion_begin(void)
{
	buf_free(&commands);
	buf_free(&options);
	buf_free(&values);
}

/* Returns the values of an option: words, or a name like @events that _perf0_value expands. */
static const char *words_of(const struct option_row *row)
{
	switch (row->kind) {
	case OPTION_FLAG:
	case OPTION_TIMES:
	case OPTION_REGISTERS:
	case OPTION_RANGE:
	case OPTION_MOST:
		return NULL;
	case OPTION_WORD:
		return option_words(row);
	case OPTION_UNWIND:
		return "fp|dwarf|lbr|none";
	case OPTION_CLOCK:
		return "mono|raw|real|boot|tai";
	case OPTION_BRANCHES:
		return "any|any_call|any_ret|ind_call|ind_jmp|call|cond|u|k|save_type|stack";
	case OPTION_RATE:
		return "max";
	case OPTION_LIST:
		return row == option_row(OPT_EVENT)        ? "@events"
		       : row == option_row(OPT_EVENT_FILE) ? "@files"
							   : "@none";
	case OPTION_TEXT:
		return row->what ? "@files" : "@none";
	default:
		return "@none";
	}
}

/* Adds a row such as "	stat:--policy | stat:-p) echo perf fair ;;". */
static void add_values(const char *name, uint64_t takers, enum option_id id)
{
	const struct option_row *row = option_row(id);
	const char *words = words_of(row);

	if (!words || (!is_own_name(takers, id) && !is_own_letter(takers, id)))
		return;
	buf_printf(&values, "\t");
	if (is_own_letter(takers, id))
		buf_printf(&values, "%s:-%c%s", name, row->letter,
			   is_own_name(takers, id) ? " | " : "");
	if (is_own_name(takers, id))
		buf_printf(&values, "%s:--%s", name, row->name);
	buf_printf(&values, ") echo '");
	for (; *words; words++)
		buf_printf(&values, "%c", *words == '|' ? ' ' : *words);
	buf_printf(&values, "' ;;\n");
}

static void add_options(const char *name, uint64_t takers)
{
	buf_printf(&options, "\t%s) echo '", name);
	for (unsigned i = 0; i < OPTIONS; i++)
		if (is_own_name(takers, (enum option_id)i))
			buf_printf(&options, "--%s ", option_row((enum option_id)i)->name);
	buf_printf(&options, "' ;;\n");
	for (unsigned i = 0; i < OPTIONS; i++)
		add_values(name, takers, (enum option_id)i);
}

void completion_command(const char *name, uint64_t takers)
{
	buf_printf(&commands, "%s ", name);
	add_options(name, takers);
}

/* The tables name a command of the image "run:NAME". */
static void add_image_command(const struct command *c)
{
	char name[64];

	snprintf(name, sizeof(name), "run:%s", c->name);
	add_options(name, c->options);
	if (c->operands.kind == OPERANDS_WORD) {
		buf_printf(&values, "\t%s:) echo '", name);
		for (const char *at = c->operands.words; *at; at++)
			buf_printf(&values, "%c", *at == '|' ? ' ' : *at);
		buf_printf(&values, "' ;;\n");
	}
	if (c->operands.kind != OPERANDS_NAMES && c->operands.kind != OPERANDS_SETTINGS)
		return;
	buf_printf(&values, "\t%s:) echo '", name);
	for (const char *row = c->operands.names.start; row < (const char *)c->operands.names.end;
	     row += c->operands.names.size)
		buf_printf(&values, "%s ", *(const char *const *)row);
	buf_printf(&values, "' ;;\n");
}

static void put_names(const struct registered *r)
{
	printf("_perf0_image='");
	for (size_t i = 0; i < r->ncommands; i++)
		printf("%s ", r->command[i].name);
	printf("'\n_perf0_workloads='");
	for (size_t i = 0; i < r->nworkloads; i++)
		printf("%s ", r->workload[i].name);
	printf("'\n_perf0_measures='");
	for (size_t i = 0; i < r->ncommands; i++)
		if (r->command[i].operands.kind == OPERANDS_WORKLOAD)
			printf("run:%s ", r->command[i].name);
	puts("stat record top '");
}

static void put_events(const struct registered *r)
{
	const struct pmu_event_name *e;

	printf("_perf0_events='");
	for (size_t i = 0; (e = pmu_event_names(i)); i++)
		printf("%s ", e->name);
	for (size_t i = 0; i < r->ntracepoints; i++)
		printf("%s:%s ", r->tracepoint[i].system, r->tracepoint[i].name);
	puts("'");
}

static const char script[] =
	"\n"
	"# Events of the list that ends in $1: the last of them is what is completed.\n"
	"_perf0_list() {\n"
	"\tlocal list=$1 uarch=$2 known before=''\n"
	"\tknown=\"$_perf0_events $(\"${COMP_WORDS[0]}\" list --no-boot ${uarch:+--uarch \"$uarch\"} "
	"2>/dev/null |\n"
	"\t\tcut -d ' ' -f 1)\"\n"
	"\tcase $list in *[,\\{]*) before=${list%\"${list##*[,\\{]}\"} ;; esac\n"
	"\tcompgen -P \"$before\" -W \"$known\" -- \"${list#\"$before\"}\"\n"
	"}\n"
	"\n"
	"# What option or operand $2 of command $1 may be, of what begins with $3.\n"
	"_perf0_value() {\n"
	"\tlocal words\n"
	"\twords=$(_perf0_values \"$1:$2\")\n"
	"\tcase $words in\n"
	"\t@events) _perf0_list \"$3\" \"$4\" ;;\n"
	"\t@files) compgen -f -- \"$3\" ;;\n"
	"\t@none) ;;\n"
	"\t*) compgen -W \"$words\" -- \"$3\" ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_perf0_operand() {\n"
	"\tcase \" $_perf0_measures\" in\n"
	"\t*\" $1 \"*) compgen -W \"$_perf0_workloads\" -- \"$2\"; compgen -f -- \"$2\" ;;\n"
	"\t*) case $1 in\n"
	"\t\thelp | run:help) compgen -W \"$_perf0_commands $_perf0_image workloads events machine\" "
	"-- \"$2\" ;;\n"
	"\t\tlist | run:list) compgen -W \"$_perf0_events\" -- \"$2\" ;;\n"
	"\t\tdecode | attach) compgen -f -- \"$2\" ;;\n"
	"\t\t*) _perf0_value \"$1\" '' \"$2\" ;;\n"
	"\t\tesac ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_perf0() {\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} typed=() word before command uarch i replies cut\n"
	"\tread -ra typed <<<\"$line\"\n"
	"\tcase $line in *[[:space:]]) typed+=('') ;; esac\n"
	"\tlocal last=$((${#typed[@]} - 1))\n"
	"\tword=${typed[last]} before=${typed[last - 1]} command=${typed[1]}\n"
	"\tfor ((i = 2; i < last; i++)); do\n"
	"\t\tcase ${typed[i]} in\n"
	"\t\t--uarch) uarch=${typed[i + 1]} ;;\n"
	"\t\t--uarch=*) uarch=${typed[i]#*=} ;;\n"
	"\t\t'\\;' | \"';'\") [[ $command == run* ]] && command=run: ;;\n"
	"\t\t--) [ \"$command\" = run ] && command=run: ;;\n"
	"\t\t*) [ \"$command\" = run: ] && [[ ${typed[i]} != *=* ]] && command=run:${typed[i]} ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\tif [ \"$last\" = 1 ]; then\n"
	"\t\treplies=$(compgen -W \"$_perf0_commands help version\" -- \"$word\")\n"
	"\telif [ \"$command\" = run: ]; then\n"
	"\t\treplies=$(compgen -W \"$_perf0_image\" -- \"$word\")\n"
	"\telif [[ $word == --*=* ]]; then\n"
	"\t\treplies=$(_perf0_value \"$command\" \"${word%%=*}\" \"${word#*=}\" \"$uarch\" |\n"
	"\t\t\tsed \"s|^|${word%%=*}=|\")\n"
	"\telif [[ $word == -* ]]; then\n"
	"\t\treplies=$(compgen -W \"$(_perf0_options \"$command\")\" -- \"$word\")\n"
	"\telif [[ $before == -?* && $before != -- && -n $(_perf0_values \"$command:$before\") ]]; "
	"then\n"
	"\t\treplies=$(_perf0_value \"$command\" \"$before\" \"$word\" \"$uarch\")\n"
	"\telse\n"
	"\t\treplies=$(_perf0_operand \"$command\" \"$word\")\n"
	"\tfi\n"
	"\tmapfile -t COMPREPLY < <([ -z \"$replies\" ] || printf '%s\\n' \"$replies\")\n"
	"\t# bash replaces what stands behind the last of its separators only.\n"
	"\tcut=${word%\"${word##*[:=]}\"}\n"
	"\t[ \"${#COMPREPLY[@]}\" = 0 ] || COMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n"
	"}\n"
	"complete -o filenames -F _perf0 perf0";

static void put_table(const char *name, struct buf *rows)
{
	printf("\n%s() {\n\tcase $1 in\n%s\tesac\n}\n", name, buf_text(rows));
	buf_free(rows);
}

void completion_end(void)
{
	static const struct registered nothing;
	const struct registered *r;
	struct reason ignored;

	if (registered_read(&r, &ignored))
		r = &nothing;
	for (size_t i = 0; i < r->ncommands; i++)
		add_image_command(&r->command[i]);
	printf("# bash completion of perf0, by `perf0 help --completion`\n_perf0_commands='%s'\n",
	       buf_text(&commands));
	buf_free(&commands);
	put_names(r);
	put_events(r);
	put_table("_perf0_options", &options);
	put_table("_perf0_values", &values);
	puts(script);
}
