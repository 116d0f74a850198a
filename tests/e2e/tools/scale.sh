# SPDX-License-Identifier: BSD-2-Clause
# The recipes of docs/SCALE.md run here: the merged bytes are those of one machine, and a lost piece is told and made
# up. Slurm's daemons run for this test alone.
. "$(dirname "$0")/../_lib.sh"
here=$PWD
dir=$PWD/$dir
mkdir "$dir/bin" "$dir/project"
ln -s "$PWD/$perf0" "$dir/bin/perf0"
PATH=$dir/bin:$PATH
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY CI_NODE_INDEX CI_NODE_TOTAL

recipe() { python3 "$here/tests/e2e/tools/scale.py" recipe "$1"; }
shown() { python3 "$here/tests/e2e/tools/scale.py" shown "$1"; }

# One machine.
cp tests/linux/own/bench.c "$dir/project"
for n in 100 200 300 400 500 600 700 800; do
	printf '[[benchmark]]\nname = "sort %s"\nprogram = "./bench"\nargs = ["%s"]\n' $n $n
done >"$dir/project/perf0.toml"
(cd "$dir/project" && gcc -O2 -g -o bench bench.c && perf0 gate --update -o "$dir/whole") >"$dir/log" 2>&1
is "one machine: status" "$?" 0

# check_merged NAME LOG FOLDER: the recipe printed what is shown, and FOLDER/merged has the bytes of one machine.
check_merged() {
	is "$1: prints what is shown" "$(grep -cxF "$(shown "$1")" "$2")" 1
	is "$1: the bytes of one machine" "$(cmp "$3/merged" "$dir/whole" 2>&1)" ""
}

# check_lost NAME FOLDER: without the third shard, `gate merge` names it and a command that makes it up.
check_lost() {
	rm -f "$2/part3" "$2/merged"
	(cd "$2" && perf0 gate merge -o merged part*) >"$dir/lost" 2>&1
	is "$1: a shard is lost" "$? $(cat "$dir/lost")" "2 perf0 gate: of 4 shards 1 is missing: 3
perf0 gate: shard 3 is made up by: perf0 gate --shard 3/4 -o part3"
	command=$(sed -n 's/.*is made up by: //p' "$dir/lost")
	(cd "$2" && $command && perf0 gate merge -o merged part*) >"$dir/log" 2>&1
	is "$1: it is made up: status" "$?" 0
	is "$1: it is made up: the bytes of one machine" "$(cmp "$2/merged" "$dir/whole" 2>&1)" ""
}

# begin NAME: a fresh copy of the project, in $at.
begin() {
	at=$dir/$1
	cp -r "$dir/project" "$at"
}

# --- GNU parallel ---

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	begin parallel
	(cd "$at" && sh -ec "$(recipe "GNU parallel")") >"$dir/log" 2>&1
	is "GNU parallel: status" "$?" 0
	check_merged "GNU parallel" "$dir/log" "$at"
	check_lost "GNU parallel" "$at"
	# A cut part is told by name, and counts as lost.
	sed -i '$d' "$at/part2"
	(cd "$at" && perf0 gate merge -o merged part* part9) >"$dir/lost" 2>&1
	is "a part that is cut off: status" "$?" 2
	has "a part that is cut off is told" "$dir/lost" 'perf0 gate: part2: .*'
	has "a part that is not there is told" "$dir/lost" 'perf0 gate: part9: No such file or directory'
	has "it is made up" "$dir/lost" 'perf0 gate: shard 2 is made up by: perf0 gate --shard 2/4 -o part2'

	printf '%s\n' 'imul rax, rbx' 'add rax, rbx; add rcx, rdx' 'nop' 'ud2' >"$at/pieces"
	(cd "$at" && sh -c "$(recipe "Pieces of code" | head -n 1)") >"$dir/log" 2>&1
	is "pieces of code: one fails" "$?" 1
	sed -i 's/^ud2/nop; nop/' "$at/pieces"
	mv "$at/count.1" "$at/first"
	(cd "$at" && sh -c "$(recipe "Pieces of code" | head -n 1 | sed 's/--joblog/--resume-failed --joblog/')") >"$dir/log" 2>&1
	is "pieces of code: what failed is made up" "$? $(ls "$at"/count.* | wc -l)" "0 3"
	mv "$at/first" "$at/count.1"
	(cd "$at" && sh -ec "$(recipe "Pieces of code" | tail -n 1)")
	while read -r piece; do
		perf0 bench -j -e instructions,cycles --asm "$piece" </dev/null
	done <"$at/pieces" >"$dir/counts"
	is "pieces of code: the bytes of one machine" "$(wc -l <"$dir/counts") $(cmp "$at/counts" "$dir/counts" 2>&1)" "8 "

	printf '%s\n' 'mul: imul rax, rbx' 'two: add rax, rbx; add rcx, rdx' 'nop: nop' 'none: ud2' 'nops: |9; |9' >"$at/pieces"
	rm -f "$at"/part*
	(cd "$at" && sh -ec "$(recipe "A list of pieces of code")") >"$dir/log" 2>&1
	is "a list of pieces: status" "$?" 0
	(cd "$at" && perf0 bench --list pieces -j) >"$dir/counts" 2>"$dir/log"
	is "a list of pieces: the bytes of one machine" "$? $(wc -l <"$dir/counts") $(cmp "$at/merged" "$dir/counts" 2>&1)" "1 13 "
	rm "$at/part3"
	(cd "$at" && perf0 bench merge part*) >"$dir/lost" 2>&1
	is "a list of pieces: a part is lost" "$? $(cat "$dir/lost")" \
		"2 perf0 bench merge: of 4 parts 1 is missing or not whole: 3
perf0 bench merge: part 3 is made up by: perf0 bench --list pieces --shard 3/4 -j >part3"
else
	skip "the recipes for GNU parallel" "no GNU parallel here (package parallel)"
fi

# --- make ---

begin make
recipe make >"$at/shards.mk"
(cd "$at" && make -s -j 2 -f shards.mk merged) >"$dir/log" 2>&1
is "make: status" "$?" 0
check_merged make "$dir/log" "$at"
rm "$at/part3"
(cd "$at" && make -j 2 -f shards.mk merged) >"$dir/log" 2>&1
is "make: a lost shard is made up: status" "$? $(cd "$at" && echo part*)" "0 part1 part2 part3 part4"
is "make: a lost shard is made up: the bytes of one machine" "$(cmp "$at/merged" "$dir/whole" 2>&1)" ""
check_lost make "$at"

# --- GitHub and GitLab ---

if /usr/bin/python3 -c 'import yaml' 2>"$dir/yaml.err"; then
	for host in GitHub GitLab; do
		small=$(echo $host | tr 'HLG' 'hlg')
		recipe $host >"$dir/$small.yml"
		/usr/bin/python3 tests/e2e/tools/scale.py "$small" "$dir" "$dir/$small.yml" >"$dir/log" 2>&1
		is "$host: status" "$?" 0
		check_merged $host "$dir/log" "$dir/jobs/gate"
		LOSE_SHARD=3 /usr/bin/python3 tests/e2e/tools/scale.py "$small" "$dir" "$dir/$small.yml" >"$dir/log" 2>&1
		is "$host: a shard is lost" "$?" 2
		has "$host: the lost shard is told" "$dir/log" 'perf0 gate: shard 3 is made up by: perf0 gate --shard 3/4 -o part3'
	done
else
	skip "the recipes for GitHub and GitLab" "$(tail -n 1 "$dir/yaml.err")"
fi

# --- Slurm ---

# slurm_begins: a cluster of this machine alone, with its files in $dir/slurm.
slurm_begins() {
	mkdir "$dir/slurm"
	SLURM_CONF=$dir/slurm/slurm.conf
	export SLURM_CONF
	me=$(id -un) node=$(hostname -s)
	port=$((20000 + $$ % 20000))
	cat >"$SLURM_CONF" <<-END
		ClusterName=perf0
		SlurmctldHost=$node(127.0.0.1)
		SlurmUser=$me
		SlurmdUser=$me
		SlurmctldPort=$port
		SlurmdPort=$((port + 1))
		AuthType=auth/none
		CredType=cred/none
		StateSaveLocation=$dir/slurm/state
		SlurmdSpoolDir=$dir/slurm/spool
		SlurmctldPidFile=$dir/slurm/slurmctld.pid
		SlurmdPidFile=$dir/slurm/slurmd.pid
		SlurmctldLogFile=$dir/slurm/slurmctld.log
		SlurmdLogFile=$dir/slurm/slurmd.log
		ProctrackType=proctrack/pgid
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		MpiDefault=none
		NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
		PartitionName=all Nodes=ALL Default=YES State=UP
	END
	mkdir "$dir/slurm/state" "$dir/slurm/spool"
	PATH=$PATH:/usr/sbin
	timeout 300 slurmctld -D >"$dir/slurm/out" 2>&1 &
	timeout 300 slurmd -D >>"$dir/slurm/out" 2>&1 &
	i=0
	while [ $((i += 1)) -le 30 ]; do
		timeout 5 sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
		sleep 1
	done
	return 1
}

slurm_ends() {
	for daemon in slurmd slurmctld; do
		[ ! -s "$dir/slurm/$daemon.pid" ] || kill "$(cat "$dir/slurm/$daemon.pid")" 2>/dev/null
	done
	wait
}

if ! { PATH=$PATH:/usr/sbin; command -v slurmctld && command -v slurmd && command -v sbatch; } >/dev/null; then
	skip "the recipe for Slurm" "no Slurm here (packages slurmctld, slurmd, slurm-client)"
elif ! slurm_begins; then
	skip "the recipe for Slurm" "its daemons do not start here: $(tail -n 1 "$dir/slurm/out" "$dir/slurm/slurmd.log" 2>&1 | tail -n 1)"
	slurm_ends
else
	begin with_slurm
	(cd "$at" && timeout 200 sh -ec "$(recipe Slurm)") >"$dir/log" 2>&1
	is "Slurm: status" "$?" 0
	check_merged Slurm "$dir/log" "$at"
	rm "$at/part3"
	(cd "$at" && timeout 200 sh -ec "$(recipe Slurm | sed 's/array=1-4/array=3/')") >"$dir/log" 2>&1
	is "Slurm: --array=3 makes up the third shard" "$? $(cmp "$at/merged" "$dir/whole" 2>&1)" "0 "
	slurm_ends
fi

# --- The study ---

if [ -x build/study-shares ]; then
	# A copy of the tree's scripts, so that the tables of `make study` stay.
	for machine in one first second; do
		mkdir -p "$dir/$machine/build"
		cp -r scripts "$dir/$machine"
		ln -s "$PWD/build/study-shares" "$dir/$machine/build"
	done
	BARS='' "$dir/one/scripts/study" 2 >"$dir/tables" 2>/dev/null
	is "the study: status" "$?" 0
	is "the study: has three rows and nine lines" "$(grep -c '^| [0-9]' "$dir/tables") $(grep -c ' behind' "$dir/tables")" "3 9"
	for i in 1 2; do
		BARS='' SHARD=$i/2 "$dir/$([ $i = 2 ] && echo second || echo first)/scripts/study" 2 >"$dir/log" 2>/dev/null
		is "the study: shard $i: status, and no tables" "$? $(cat "$dir/log")" "0 "
	done
	merge() { BARS='' "$dir/one/scripts/study" 2 merge "$dir/second/build/study" "$dir/first/build/study" 2>"$dir/err"; }
	merge >"$dir/merged"
	is "the study: two machines make the bytes of one" "$? $(cmp "$dir/merged" "$dir/tables" 2>&1)" "0 "
	rm "$dir/second/build/study/shares-stuck"
	merge >"$dir/merged"
	is "the study: a part is lost" "$? $(cat "$dir/merged" "$dir/err")" \
		"1 study: 'shares stuck' is lost; it is made up by: PART='shares stuck' scripts/study 2"
	(cd "$dir/second" && PART='shares stuck' scripts/study 2) >"$dir/log" 2>&1
	merge >"$dir/merged"
	is "the study: it is made up" "$? $(cmp "$dir/merged" "$dir/tables" 2>&1)" "0 "
	PART=x "$dir/one/scripts/study" 2 >"$dir/log" 2>&1
	is "the study: an unknown part" "$? $(cat "$dir/log")" "2 study: PART: there is no part 'x'"
else
	skip "the study" "build/study-shares is not built"
fi
finish
