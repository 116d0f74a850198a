# SPDX-License-Identifier: BSD-2-Clause
# What `make install` leaves: a tool that finds its images, from any folder; its manual page; and what
# completes its command lines in bash.
. "$(dirname "$0")/../_lib.sh"

root=$PWD/$dir/root
make --no-print-directory install DESTDIR="$root" PREFIX=/usr >"$dir/log" 2>&1
is "installed: status" $? 0
is "what there is" "$(cd "$root" && find . -type f | LC_ALL=C sort | tr '\n' ' ')" \
	"./usr/bin/perf0 ./usr/lib/perf0/esp.img ./usr/lib/perf0/perf0.efi ./usr/lib/perf0/perf0.elf ./usr/lib/perf0/vpmu.efi ./usr/share/bash-completion/completions/perf0 ./usr/share/man/man1/perf0.1 "

(cd / && "$root/usr/bin/perf0" stat --machine-timeout $patience -e instructions:u -- loop 1000) >"$dir/stat" 2>&1
is "it boots, from another folder: status" $? 0
has "and counts" "$dir/stat" ' +2,005 +instructions:u .*'
rm "$root/usr/lib/perf0/esp.img"
(cd / && "$root/usr/bin/perf0" run -- version) >"$dir/gone" 2>&1
is "without its image: status" $? 125
has "without its image: why" "$dir/gone" 'perf0: .*esp\.img: No such file or directory.*'

# The page: whatever commands and options help knows are in it, and no line is a mistake of roff.
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

complete_words() { # WORDS...: what bash would offer for the last one
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _perf0; echo "${COMPREPLY[@]}"' bash \
		"$root/usr/share/bash-completion/completions/perf0" perf0 "$@" 2>&1
}
if command -v bash >/dev/null; then
	is "completes commands" "$(complete_words re)" "record"
	is "completes options" "$(complete_words record --call-g)" "--call-graph"
	is "completes workloads" "$(complete_words stat -e instructions:u -- hotc)" "hotcold"
else
	skip "completion" "no bash here"
fi
finish
