// SPDX-License-Identifier: BSD-2-Clause
/* completion_shells.c - see completion_shells.h. */
#include "tools/help/completion_shells.h"

#include <stddef.h>
#include <string.h>

static const char bash_script[] =
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

static const char zsh_script[] =
	"\n"
	"# Events of the list that ends in the word: the last of them is what is completed.\n"
	"_perf0_list() {\n"
	"\tcompset -P '*[,\\{]'\n"
	"\tcompadd -- ${=_perf0_events} $(\"${words[1]}\" list --no-boot ${1:+--uarch} $1 2>/dev/null | cut -d ' ' -f 1)\n"
	"}\n"
	"\n"
	"# What option or operand $2 of command $1 may be.\n"
	"_perf0_value() {\n"
	"\tlocal found=$(_perf0_values \"$1:$2\")\n"
	"\tcase $found in\n"
	"\t@events) _perf0_list \"$3\" ;;\n"
	"\t@files) _files ;;\n"
	"\t@none) ;;\n"
	"\t*) compadd -- ${=found} ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_perf0_operand() {\n"
	"\tcase \" $_perf0_measures\" in\n"
	"\t*\" $1 \"*) compadd -- ${=_perf0_workloads}; _files ;;\n"
	"\t*) case $1 in\n"
	"\t\thelp | run:help) compadd -- ${=_perf0_commands} ${=_perf0_image} workloads events machine ;;\n"
	"\t\tlist | run:list) compadd -- ${=_perf0_events} ;;\n"
	"\t\tdecode | attach) _files ;;\n"
	"\t\t*) _perf0_value \"$1\" '' ;;\n"
	"\t\tesac ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"_perf0() {\n"
	"\tlocal word=${words[CURRENT]} before=${words[CURRENT-1]} command=${words[2]} uarch='' i\n"
	"\tfor ((i = 3; i < CURRENT; i++)); do\n"
	"\t\tcase ${words[i]} in\n"
	"\t\t--uarch) uarch=${words[i+1]} ;;\n"
	"\t\t--uarch=*) uarch=${words[i]#*=} ;;\n"
	"\t\t'\\;' | \"';'\") [[ $command == run* ]] && command=run: ;;\n"
	"\t\t--) [[ $command == run ]] && command=run: ;;\n"
	"\t\t*) [[ $command == run: && ${words[i]} != *=* ]] && command=run:${words[i]} ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\tif ((CURRENT == 2)); then\n"
	"\t\tcompadd -- ${=_perf0_commands} help version\n"
	"\telif [[ $command == run: ]]; then\n"
	"\t\tcompadd -- ${=_perf0_image}\n"
	"\telif [[ $word == --*=* ]]; then\n"
	"\t\tcompset -P '*='\n"
	"\t\t_perf0_value \"$command\" \"${word%%=*}\" \"$uarch\"\n"
	"\telif [[ $word == -* ]]; then\n"
	"\t\tcompadd -- ${=$(_perf0_options \"$command\")}\n"
	"\telif [[ $before == -?* && $before != -- && -n $(_perf0_values \"$command:$before\") ]]; then\n"
	"\t\t_perf0_value \"$command\" \"$before\" \"$uarch\"\n"
	"\telse\n"
	"\t\t_perf0_operand \"$command\"\n"
	"\tfi\n"
	"}\n"
	"# The first completion loads this file as the function itself.\n"
	"if [[ $funcstack[1] == _perf0 ]]; then _perf0 \"$@\"; else compdef _perf0 perf0; fi";

static const char fish_script[] =
	"\n"
	"# Events of the list that ends in the word: the last of them is what is completed.\n"
	"function _perf0_list\n"
	"\tset -l program (commandline -opc)[1]\n"
	"\tset -l before (string match -r -- '^.*[,{]' $argv[1])\n"
	"\tset -l core\n"
	"\ttest -n \"$argv[2]\"; and set core --uarch $argv[2]\n"
	"\tprintf '%s\\n' \"$before\"$_perf0_events\n"
	"\tprintf '%s\\n' \"$before\"($program list --no-boot $core 2>/dev/null | string replace -r ' .*' '')\n"
	"end\n"
	"\n"
	"# What option or operand $argv[2] of command $argv[1] may be, of what begins with $argv[3].\n"
	"function _perf0_value\n"
	"\tset -l found (_perf0_values \"$argv[1]:$argv[2]\")\n"
	"\tswitch \"$found\"\n"
	"\t\tcase @events\n"
	"\t\t\t_perf0_list \"$argv[3]\" \"$argv[4]\"\n"
	"\t\tcase @files\n"
	"\t\t\t__fish_complete_path \"$argv[3]\"\n"
	"\t\tcase @none ''\n"
	"\t\tcase '*'\n"
	"\t\t\tprintf '%s\\n' $found\n"
	"\tend\n"
	"end\n"
	"\n"
	"function _perf0_operand\n"
	"\tif contains -- $argv[1] $_perf0_measures\n"
	"\t\tprintf '%s\\n' $_perf0_workloads\n"
	"\t\t__fish_complete_path \"$argv[2]\"\n"
	"\t\treturn\n"
	"\tend\n"
	"\tswitch $argv[1]\n"
	"\t\tcase help run:help\n"
	"\t\t\tprintf '%s\\n' $_perf0_commands $_perf0_image workloads events machine\n"
	"\t\tcase list run:list\n"
	"\t\t\tprintf '%s\\n' $_perf0_events\n"
	"\t\tcase decode attach\n"
	"\t\t\t__fish_complete_path \"$argv[2]\"\n"
	"\t\tcase '*'\n"
	"\t\t\t_perf0_value $argv[1] '' \"$argv[2]\"\n"
	"\tend\n"
	"end\n"
	"\n"
	"function _perf0\n"
	"\tset -l typed (commandline -opc)\n"
	"\tset -l word (commandline -ct)\n"
	"\tset -l command $typed[2]\n"
	"\tset -l uarch\n"
	"\tfor i in (seq 3 (count $typed))\n"
	"\t\tswitch $typed[$i]\n"
	"\t\t\tcase --uarch\n"
	"\t\t\t\tset uarch $typed[(math $i + 1)]\n"
	"\t\t\tcase '--uarch=*'\n"
	"\t\t\t\tset uarch (string replace -- --uarch= '' $typed[$i])\n"
	"\t\t\tcase ';'\n"
	"\t\t\t\tstring match -q 'run*' -- $command; and set command run:\n"
	"\t\t\tcase --\n"
	"\t\t\t\ttest \"$command\" = run; and set command run:\n"
	"\t\t\tcase '*'\n"
	"\t\t\t\ttest \"$command\" = run:; and not string match -q '*=*' -- $typed[$i]\n"
	"\t\t\t\tand set command run:$typed[$i]\n"
	"\t\tend\n"
	"\tend\n"
	"\tif test (count $typed) = 1\n"
	"\t\tprintf '%s\\n' $_perf0_commands help version\n"
	"\telse if test \"$command\" = run:\n"
	"\t\tprintf '%s\\n' $_perf0_image\n"
	"\telse if string match -q -- '--*=*' $word\n"
	"\t\tset -l parts (string split -m 1 = -- $word)\n"
	"\t\tprintf '%s\\n' $parts[1]=(_perf0_value $command $parts[1] $parts[2] \"$uarch\")\n"
	"\telse if string match -q -- '-*' $word\n"
	"\t\t_perf0_options $command\n"
	"\telse if string match -qr -- '^-.' $typed[-1]; and test $typed[-1] != --\n"
	"\t\tand test -n \"$(_perf0_values \"$command:$typed[-1]\")\"\n"
	"\t\t_perf0_value $command $typed[-1] \"$word\" \"$uarch\"\n"
	"\telse\n"
	"\t\t_perf0_operand $command \"$word\"\n"
	"\tend\n"
	"end\n"
	"complete -c perf0 -f -a '(_perf0)'";

/* Rows and tables are the same words in bash and in zsh. */
#define BY_CASE                                                                              \
	.list = "%s='%s'\n", .row = "\t", .or = " | ", .words = ") echo '", .end = "' ;;\n", \
	.table = "\n%s() {\n\tcase $1 in\n%s\tesac\n}\n"

static const struct completion_shell shells[] = {
	{
		.name = "bash",
		.head = "# bash completion of perf0, by `perf0 help --completion`",
		BY_CASE,
		.script = bash_script,
	},
	{
		.name = "zsh",
		.head = "#compdef perf0\n# zsh completion of perf0, by `perf0 help --completion zsh`",
		BY_CASE,
		.script = zsh_script,
	},
	{
		.name = "fish",
		.head = "# fish completion of perf0, by `perf0 help --completion fish`",
		.list = "set -g %s (string split -n ' ' -- '%s')\n",
		.row = "\t\tcase '",
		.or = "' '",
		.words = "'\n\t\t\tstring split -n ' ' -- '",
		.end = "'\n",
		.table = "\nfunction %s\n\tswitch $argv[1]\n%s\tend\nend\n",
		.script = fish_script,
	},
};

const struct completion_shell *completion_shell(const char *name)
{
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (!strcmp(shells[i].name, name))
			return &shells[i];
	return NULL;
}
