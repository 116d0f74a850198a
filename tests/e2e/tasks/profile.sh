# SPDX-License-Identifier: BSD-2-Clause
# Profiles of a C++ program that also spends time in libraries: by stock perf and by perf0's forms. Functions have the
# names and lines of the sources, in the program, in libstdc++ and in libc.
. "$(dirname "$0")/../_lib.sh"

g++ -O1 -g -fno-omit-frame-pointer -o "$dir/shop" tests/linux/shop.cc
data=$dir/perf.data
$perf0 record --machine-timeout $patience -g -e instructions:u -c 5003 -o "$data" -- "$dir/shop" >"$dir/record" 2>&1
is "record: exit status" $? 0
perf report -i "$data" --stdio --no-children -g none --percent-limit 0 >"$dir/report" 2>/dev/null
has "report: a function of the program" "$dir/report" ' +[0-9.]+% +shop +shop +\[\.\] shop::cheaper *'
has "report: of libc" "$dir/report" ' +[0-9.]+% +shop +libc\.so\.6 +\[\.\] _int_malloc *'
has "report: of libstdc++" "$dir/report" ' +[0-9.]+% +shop +libstdc\+\+\.so\.6[.0-9]* +\[\.\] std::.*'
perf annotate -i "$data" --stdio -s shop::cheaper >"$dir/annotate" 2>/dev/null
has "annotate: the source" "$dir/annotate" '.*return a\.price < b\.price; // cheaper'
has "annotate: an instruction under it" "$dir/annotate" ' +[0-9.]+ : +[0-9a-f]+: +cmp .*'
perf script -i "$data" -G -F ip,sym,srcline 2>/dev/null | grep -A 1 'shop::cheaper' >"$dir/lines"
is "script: each has a line of the source" "$(grep -c 'shop.cc:2[0-9]' "$dir/lines")" "$(grep -c 'shop::cheaper' "$dir/lines")"

# For flame graphs --folded prints a line for each stack. The lines add up to the samples of perf.data.
$perf0 record --machine-timeout $patience -g -e instructions:u -c 5003 --folded -- "$dir/shop" >"$dir/folded" 2>"$dir/folded.err"
is "folded: exit status" $? 0
has "folded: callers by name" "$dir/folded" \
	'shop;.*main;shop::by_price\(std::vector<shop::Order.*>&\);.*;shop::cheaper\(shop::Order const&, shop::Order const&\) [0-9]+'
has "folded: a stripped library, by what it exports" "$dir/folded" "shop;(.*;)?malloc [0-9]+"
has "folded: a stripped library that has no entry point" "$dir/folded" \
	'.*;std::__cxx11::basic_string<char, [^;]*::_M_mutate\([^;]*\) [0-9]+'
has "folded: the program under libc" "$dir/folded" '.*shop::compare\(void const\*, void const\*\) [0-9]+'
is "folded: no name of the linker's" "$(grep -c '_ZN' "$dir/folded")" 0
is "folded: all samples" "$(awk '/^shop;/ { n += $NF } END { print n / 5003 }' "$dir/folded")" \
	"$(sed -n 's/^\[ perf0 record: \([0-9]*\) samples.*/\1/p' "$dir/record")"
finish
