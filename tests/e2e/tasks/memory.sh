# SPDX-License-Identifier: BSD-2-Clause
# All memory becomes free again: after refused files with all kinds of defects, and after workloads that allocate all
# memory. Each failure gives one line, and later commands work. While tasks map and unmap, alone or in parallel, each
# page has one owner at a time.
. "$(dirname "$0")/../_lib.sh"

# frees FILE: prints the free KiB of each `free` in FILE, on one line.
frees() { sed -n 's/^ *\([0-9]*\) KiB  free$/\1/p' "$1" | xargs; }
same() { printf '%s\n' "$1" | xargs -n 1 | sort -u | grep -c .; }

# Programs that do not fit: a file larger than all memory, and a file that does not fit twice.
flags="-O2 -ffreestanding -nostdlib -fno-stack-protector -fcf-protection=none -mcmodel=large -Wl,-z,noexecstack -I."
# shellcheck disable=SC2086
{
	gcc $flags -static-pie -fpie -o "$dir/hello" tests/elf/bare_hello.c
	gcc $flags -static-pie -fpie -DFILED=130000000 -o "$dir/copied" tests/elf/bare_hello.c
}
cp "$dir/hello" "$dir/huge"
truncate -s 250000000 "$dir/huge"

# refused FILE STATUS WHY: checks that the file is refused each time, and that its memory is free again.
refused() {
	file=$1 wanted=$2 why=$3
	set -- --no-vpmu --memory 256M --timeout 120 -- stat -e task-clock "$dir/$file" \; free
	for i in 1 2 3 4; do
		set -- "$@" \; stat -e task-clock "$dir/$file" \; free
	done
	boot "$dir/$file.log" -k "$@" \; record -e cpu-clock -c 100000 loop 20000000 \; stat -e task-clock loop 1
	is "$file: exit status" $status "$wanted"
	is "$file: refused each time, with the reason" "$(grep -cx "stat: $why" "$dir/$file.log")" 5
	is "$file: and its memory is free again" "$(frees "$dir/$file.log" | wc -w) $(same "$(frees "$dir/$file.log")")" "5 1"
	has "$file: a recording behind that" "$dir/$file.log" \
		'\[ perf0 record: [1-9][0-9]* samples .*, 0 lost, 0 refused; .*'
}
for file in $(one_of huge copied); do
	case $file in
	huge) refused huge 2 'there is no memory for the files that the host tool handed in' ;;
	copied) refused copied 1 "workload '.*/copied' ended: there is no memory for its stack" ;;
	esac
done

# hogs NAME ARGS...: runs each kind of hog several times, and compares free memory after equal kinds. Memory that the
# first hog leaves allocated serves all others. Partly used pages of small objects stay, the same after the same hog.
hogs() {
	what=$1
	shift
	set -- "$@" --no-vpmu --timeout 150 -- stat -e task-clock hog 3 \; stat -e task-clock hog 0 \;
	for how in 2 1 3 0 2 1 3 0; do
		set -- "$@" stat -e task-clock,page-faults:u hog $how \; free \;
	done
	boot "$dir/$what" "$@" record -e cpu-clock -c 100000 loop 20000000 \; stat -e task-clock spawner 4 1000 \; free
	is "$what: exit status" $status 139
	is "$what: no memory left is said in one line" \
		"$(grep -cx "stat: workload 'hog 0' ended: there is no memory left for it: #PF at ip .*, write of address .*" \
			"$dir/$what")" 3
	# (A child may find no memory for the first page that it writes to.)
	is "$what: and that is all that was said" "$(grep -E '^(stat|task|perf0)' "$dir/$what" |
		grep -cvE '^task [0-9]+ \(hog\) ended: there is no memory left for it: #PF at .*')" 3
	is "$what: all of it comes back" "$(frees "$dir/$what" | cut -d " " -f 5-8)" \
		"$(frees "$dir/$what" | cut -d " " -f 1-4)"
	has "$what: a recording behind that" "$dir/$what" '\[ perf0 record: [1-9][0-9]* samples .*, 0 lost, 0 refused; .*'
}

# mapfuzz NAME STEPS SHARED SLICE ARGS...: maps and unmaps at random for STEPS steps, then for SHARED steps of threads
# that share one memory. A thread's time slice is SLICE ms.
mapfuzz() {
	what=$1 steps=$2 shared=$3 slice=$4
	shift 4
	boot "$dir/$what" --no-vpmu "$@" -- sysctl vm.page_poison=1 kernel.sched_rr_timeslice_ms="$slice" \; \
		stat -e task-clock mapfuzz "$steps" 1 \; free \; stat -e task-clock mapfuzz "$steps" 2 \; free \; \
		stat -e task-clock mapshare "$shared" 1 \; free \; stat -e task-clock mapshare "$shared" 1 \; free \; \
		sysctl vm.page_poison=0
	is "$what: exit status" $status 0
	is "$what: all is where it should be" "$(grep -cE "^mapfuzz: $((3 * steps)) steps: [1-9][0-9]* mappings, \
[1-9][0-9]* large pages, [1-9][0-9]* rings, [1-9][0-9]* unmapped, [1-9][0-9]* protected, [1-9][0-9]* moved, [1-9][0-9]* processes, \
[0-9]+ pages pulled away$" "$dir/$what")" 2
	is "$what: pages were pulled away under a thread that wrote there" \
		"$(sed -n 's/^mapfuzz: .* \([0-9]*\) pages pulled away/\1/p' "$dir/$what" | grep -c '^[1-9]')" 2
	is "$what: all of it comes back" "$(same "$(frees "$dir/$what")")" 1
	is "$what: what threads share does no harm" \
		"$(grep -c '^mapshare: [1-9].*; [1-9][0-9]* writes faulted$' "$dir/$what")" 2
}
# Large pages: parts of them work as small pages do, and the number of faults is exact. A heap takes most of the
# machine's memory.
large=$dir/large_pages
gcc -O2 -Wall -Wextra -Werror -pthread -static -I. -o "$large" tests/linux/large_pages.c
parts=$("$large")
is "large pages: the host does what is expected" "$(echo "$parts" | grep -c ' checked, 0 failed$')" 1
boot "$dir/large" --no-vpmu --memory 4G --timeout 150 -- "$large" \; "$large" count \; \
	stat -e page-faults "$large" heap 3072 \; free
is "large pages: exit status" $status 0
is "large pages: parts, as on the host" "$(grep -cxF "$parts" "$dir/large")" 1
is "large pages: 32 faults for 64 MiB, and a heap of 3 GiB" "$(grep -c '^large_pages: .* checked, 0 failed$' "$dir/large")" 3
if soaking; then
	boot "$dir/large4" --no-vpmu --smp 4 --timeout 150 -- "$large" \; "$large" count
	is "large pages, four CPUs: exit status" $status 0
	is "large pages, four CPUs: as on the host" "$(grep -cxF "$parts" "$dir/large4")" 1
fi
for what in $(one_of map map-smp4); do
	case $what in
	map)
		mapfuzz map 300 300 1
		is "map: on one CPU all follows from the seed" "$(grep '^mapshare: ' "$dir/map" | sort -u | wc -l)" 1
		;;
	map-smp4) mapfuzz map-smp4 150 "$(either 5 3000)" 10 --smp 4 ;;
	esac
done
# Threads that share one memory access pages while others unmap them. The program passes on the host, so its
# expectations are right.
gcc -O2 -Wall -Wextra -Werror -pthread -static -I. -o "$dir/stale" tests/linux/stale_pages.c
stale() {
	what=stale$1
	shift
	boot "$dir/$what" "$@"
	is "$what: exit status" $status 0
	is "$what: each kind of race held" "$(grep -cE "^stale: [a-z]+, $rounds rounds, held$" "$dir/$what")" 9
}
rounds=$(either 2 10000)
set -- -- sysctl vm.page_poison=1
for kind in map protect discard move replace fork truncate brk any; do
	is "$kind: on the host" "$("$dir/stale" $kind 20)" "stale: $kind, 20 rounds, held"
	set -- "$@" \; stat -e task-clock "$dir/stale" $kind "$rounds"
done
stale -smp4 --no-vpmu --smp 4 "$@"
if soaking; then
	stale -smp2 --no-vpmu --smp 2 "$@"
	stale -zen4-smp4 --uarch zen4 --smp 4 "$@"
fi
for what in $(one_of alone smp4); do
	case $what in
	alone) hogs alone ;;
	smp4) hogs smp4 --smp 4 ;;
	esac
done
finish
