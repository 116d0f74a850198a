# SPDX-License-Identifier: BSD-2-Clause
# `make install` installs a tool that finds its images from any folder, its manual page, and the completion of its
# command lines in bash, zsh and fish. `make dist` packs the same.
. "$(dirname "$0")/../_lib.sh"

root=$PWD/$dir/root
make --no-print-directory install DESTDIR="$root" PREFIX=/usr >"$dir/log" 2>&1
is "installed: status" $? 0
is "what there is" "$(cd "$root" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" \
	"./usr/bin/perf0 ./usr/include/perf0/likwid-marker.h ./usr/include/perf0_bench.h ./usr/lib/cmake/perf0/perf0-config.cmake ./usr/lib/libperf0bench.a ./usr/lib/perf0/bench-harness.o ./usr/lib/perf0/bench-pieces.o ./usr/lib/perf0/bootia32.efi ./usr/lib/perf0/esp.img ./usr/lib/perf0/latency-memory ./usr/lib/perf0/perf0.bz ./usr/lib/perf0/perf0.efi ./usr/lib/perf0/perf0.elf ./usr/lib/perf0/vpmu-events.so ./usr/lib/perf0/vpmu.bz ./usr/lib/perf0/vpmu.efi ./usr/lib/systemd/system/perf0-results.service ./usr/share/bash-completion/completions/perf0 ./usr/share/fish/vendor_completions.d/perf0.fish ./usr/share/man/man1/perf0.1 ./usr/share/zsh/site-functions/_perf0 "

(cd / && "$root/usr/bin/perf0" stat --machine-timeout $patience -e instructions:u -- loop 1000) >"$dir/stat" 2>&1
is "it boots, from another folder: status" $? 0
has "and counts" "$dir/stat" ' +2,005 +instructions:u .*'
rm "$root/usr/lib/perf0/esp.img"
(cd / && "$root/usr/bin/perf0" run -- version) >"$dir/gone" 2>&1
is "without its image: status" $? 125
has "without its image: why" "$dir/gone" 'perf0: .*esp\.img: No such file or directory.*'

# The archive is unpacked anywhere. In `make soak` a build in another folder makes the same bytes.
made=$(scripts/dist 2>"$dir/dist.errors")
is "make dist: status, errors" "$? $(cat "$dir/dist.errors")" "0 "
is "its checksum" "$(cd build && sha256sum -c "$(basename "$made").sha256")" "$(basename "$made"): OK"
tar -C "$dir" -xf "$made"
top=$PWD/$dir/$(basename "$made" .tar.xz)
is "it has what make install installs, and the documents" \
	"$(cd "$top" && find . -type f ! -path './share/doc/*' | sed 's,^\.,./usr,' | LC_ALL=C sort)" \
	"$(cd "$root" && { find . -type f && printf '%s\n' ./usr/lib/perf0/esp.img ./usr/lib/perf0/libZydis.so.4.0; } | LC_ALL=C sort)"
is "and the licences of the libraries in it" "$(cd "$top/share/doc/perf0/licences" && echo *)" \
	"libbsd libedit libiberty libjson-c libmd libncurses libpfm4 libsodium libxxhash libzycore libzydis"

# The archive runs on Debian 12 and 13, Ubuntu 22.04 and 24.04, and Fedora: what it needs of the system has the same
# names there, and versions of symbols that the oldest of these, Ubuntu 22.04, has.
# needed FILE: the libraries that a program or a library needs. newest FILE NAME: the newest
# version of its symbols that begins with NAME.
needed() { objdump -p "$1" | sed -n 's/^ *NEEDED *//p' | LC_ALL=C sort | tr '\n' ' '; }
newest() { objdump -T "$1" | grep -oE "$2[0-9.]+" | sort -Vu | tail -n 1; }
# no_newer FILE NAME VERSION: no symbol of FILE has a newer version of NAME.
no_newer() {
	is "$(basename "$1"): $2$3 is enough" "$(printf '%s\n' "$(newest "$1" "$2")" "$2$3" | sort -V | tail -n 1)" "$2$3"
}
is "the tool of the archive: libraries" "$(needed "$top/bin/perf0")" \
	"ld-linux-x86-64.so.2 libZydis.so.4.0 libc.so.6 libdw.so.1 libelf.so.1 liblzma.so.5 libm.so.6 "
no_newer "$top/bin/perf0" GLIBC_ 2.35
no_newer "$top/bin/perf0" ELFUTILS_0. 186 # of libdw
no_newer "$top/bin/perf0" ELFUTILS_1. 7   # of libelf
no_newer "$top/bin/perf0" XZ_ 5.2
is "the plugin of the archive: libraries" "$(needed "$top/lib/perf0/vpmu-events.so")" "ld-linux-x86-64.so.2 libZydis.so.4.0 libc.so.6 "
no_newer "$top/lib/perf0/vpmu-events.so" GLIBC_ 2.35
is "the library in the archive: libraries" "$(needed "$top/lib/perf0/libZydis.so.4.0")" "libc.so.6 "
no_newer "$top/lib/perf0/libZydis.so.4.0" GLIBC_ 2.35
is "both take it from the archive" \
	"$(ldd "$top/bin/perf0" "$top/lib/perf0/vpmu-events.so" | sed -n 's/.*libZydis[^ ]* => \(.*\) (.*/\1/p' | xargs -n 1 realpath | sort -u)" \
	"$(realpath "$top/lib/perf0/libZydis.so.4.0")"
is "and its files have one time and one owner" \
	"$(tar --numeric-owner --full-time -tvf "$made" | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" 1
(cd / && "$top/bin/perf0" stat --machine-timeout $patience -e instructions:u -- loop 1000) >"$dir/stat" 2>&1
is "unpacked, it boots: status" $? 0
has "unpacked, it counts" "$dir/stat" ' +2,005 +instructions:u .*'
if soaking; then
	git clone -q . "$dir/else/where"
	# ccache would give the objects of the other folder.
	(cd "$dir/else/where" && CCACHE_DISABLE=1 make -s -j2 all && scripts/dist) >"$dir/else/log" 2>&1
	is "another folder makes the same bytes" "$(sha256sum <"$dir/else/where/$made")" "$(sha256sum <"$made")"
fi

# The manual page has all commands and options of help, and no errors of roff.
page=$root/usr/share/man/man1/perf0.1
if command -v groff >/dev/null; then
	groff -man -Tascii -ww -P-c -P-b -P-u "$page" >"$dir/page" 2>"$dir/warnings"
	is "the page: warnings" "$(cat "$dir/warnings")" ""
	for c in $($perf0 help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -vxE 'version|help'); do
		grep -q "^       perf0 $c " "$dir/page" || not_ok "the page has no $c"
	done
	$perf0 help record | grep -oE -- '--[a-z][a-z-]+' | sort -u >"$dir/options"
	is "the page has each option of record" \
		"$(tr -d '\n' <"$dir/page" | tr -s ' ' | sed 's/- //g' >"$dir/flat"
		while read -r o; do grep -qF -- "$o" "$dir/flat" || echo "$o"; done <"$dir/options")" ""
else
	skip "the manual page" "no groff here"
fi

# man(1) shows the page.
if command -v man >/dev/null; then
	MANPAGER=cat MANWIDTH=100 man -l "$page" >"$dir/man" 2>"$dir/warnings"
	is "man -l: status, warnings" "$? $(cat "$dir/warnings")" "0 "
	sed "s/.$(printf '\b')//g" "$dir/man" >"$dir/man.plain"
	has "man -l: its name" "$dir/man.plain" ' +perf0 .{1,3} perf_events at ring 0 with nothing else running'
else
	skip "man -l" "no man here"
fi

# Completion in a shell on a terminal: Tab inserts the only completion, or lists several.
press() { command tmux -L "perf0-$$" -f /dev/null "$@"; }
screen() { press capture-pane -p | sed 's/ *$//'; }
shows() { screen | grep -qxE "$1"; }
has_no_server() { ! press list-sessions >/dev/null 2>&1; }
# tab TYPED REGEX: types TYPED and Tab twice, and checks that REGEX matches a whole line of the screen.
tab() {
	press send-keys C-a C-k C-l
	press send-keys -l "$1"
	press send-keys Tab Tab
	wait_until 10 shows "$2"
	screen >"$dir/screen"
	has "$in_shell: typed '$1', and Tab" "$dir/screen" "$2"
}
# begin SHELL WORDS: a new terminal with this shell, which completes perf0.
begin() {
	in_shell=$1
	shift
	press kill-server 2>/dev/null
	wait_until 20 has_no_server # a new one is not there before the old one is gone
	press new-session -d -x 150 -y 30 "env -i HOME=$PWD/$dir TERM=screen PATH=$root/usr/bin:$PATH PS1='> ' $in_shell $*"
}
# Completions that all shells have.
type_all() {
	tab 'perf0 rec' '> perf0 record'
	tab 'perf0 record --call-g' '> perf0 record --call-graph'
	tab 'perf0 record --call-graph ' 'dwarf +fp +lbr +none'
	tab 'perf0 stat --policy=f' '> perf0 stat --policy=fair'
	tab 'perf0 stat --uarch ' 'adl +.*bdw +.* emr +.*'
	tab 'perf0 stat -e cycles,instructi' '> perf0 stat -e cycles,instructions'
	tab 'perf0 stat -e sched:sched_sw' '> perf0 stat -e sched:sched_switch'
	tab 'perf0 stat --uarch hsw -e UOPS_RETIRED.CO' '> perf0 stat --uarch hsw -e UOPS_RETIRED\.CORE_STALL_CYCLES'
	tab 'perf0 stat -- hotc' '> perf0 stat -- hotcold'
	tab 'perf0 run -- watchdog o' 'off +on'
	tab "perf0 run -- caps ';' sysctl vm.p" "> perf0 run -- caps ';' sysctl vm\.page_poison"
	tab 'perf0 help work' '> perf0 help workloads'
	tab 'perf0 decode /usr/bi' '> perf0 decode /usr/bin/'
}
if has_tmux "completion in bash and zsh"; then
	trap 'press kill-server 2>/dev/null' EXIT
	begin bash --noprofile --norc -i
	press send-keys ". $root/usr/share/bash-completion/completions/perf0" Enter
	type_all
	if command -v zsh >/dev/null; then
		begin zsh -f -i
		press send-keys "fpath=($root/usr/share/zsh/site-functions \$fpath); autoload -U compinit; compinit -u -D; setopt noautomenu" Enter
		type_all
	else
		skip "completion in zsh" "no zsh here"
	fi
fi

# fish tells without a terminal what it would complete.
fished() {
	PATH=$root/usr/bin:$PATH XDG_CONFIG_HOME=$PWD/$dir fish --no-config -c \
		"source $root/usr/share/fish/vendor_completions.d/perf0.fish; complete -C \"$1\"" 2>&1 | tr '\n' ' '
}
if command -v fish >/dev/null; then
	is "fish: a command" "$(fished 'perf0 rec')" "record "
	is "fish: an option" "$(fished 'perf0 record --call-g')" "--call-graph "
	is "fish: values" "$(fished 'perf0 record --call-graph ')" "dwarf fp lbr none "
	is "fish: a value behind =" "$(fished 'perf0 stat --policy=f')" "--policy=fair "
	is "fish: an event of a list" "$(fished 'perf0 stat -e cycles,context-s')" "cycles,context-switches "
	is "fish: an event of a core" "$(fished 'perf0 stat --uarch hsw -e UOPS_RETIRED.CO')" "UOPS_RETIRED.CORE_STALL_CYCLES "
	is "fish: a workload" "$(fished 'perf0 stat -d -- hotc')" "hotcold "
	is "fish: a word of an image's command" "$(fished 'perf0 run -- watchdog o')" "off on "
	is "fish: another command of the image" "$(fished "perf0 run -- caps ';' sysctl vm.p")" "vm.page_poison "
	is "fish: help" "$(fished 'perf0 help work')" "workloads "
	is "fish: a file" "$(fished 'perf0 decode /usr/bi')" "/usr/bin/ "
else
	skip "completion in fish" "no fish here"
fi
finish
