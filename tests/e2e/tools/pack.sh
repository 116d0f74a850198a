# SPDX-License-Identifier: BSD-2-Clause
# The pack for the image contains all that programs need to run, and nothing else. The QEMU here keeps the pack, and the
# test runs its contents in a folder on this machine.
. "$(dirname "$0")/../_lib.sh"

real=$(realpath "$dir")
cat >"$dir/qemu" <<EOF
#!/bin/sh
for a; do
	case \$a in
	name=opt/perf0/programs,file=*) cp "\${a#*,file=}" "$real/pack" ;;
	name=opt/perf0/commands,file=*) cp "\${a#*,file=}" "$real/commands" ;;
	esac
done
exit 1
EOF
chmod +x "$dir/qemu"
# pack OPTIONS... -- PROGRAM...: makes $dir/pack, and unpacks it into $dir/root.
pack() {
	rm -rf "$dir/pack" "$dir/commands" "$dir/root"
	mkdir "$dir/root"
	$perf0 stat --cold --qemu "$dir/qemu" -e instructions:u "$@" >"$dir/said" 2>&1
	python3 tests/e2e/tools/unpack.py "$dir/pack" "$dir/root" >"$dir/list" 2>&1
}
# inside PROGRAM...: runs PROGRAM in a root folder with the pack alone.
inside() { unshare -r env -i /usr/sbin/chroot "$dir/root" "$@" </dev/null 2>&1; }
can_chroot() {
	mkdir -p "$dir/root"
	! inside /none | grep -q 'denied\|permitted' && return 0
	skip "$1" "no user namespace to run programs in"
	return 1
}

mkdir -p "$dir/lib"
echo 'int answer(void) { return 42; }' | gcc -shared -fPIC -Wl,-soname,libanswer.so.1 -o "$dir/lib/libanswer.so.1" -x c -
ln -sf libanswer.so.1 "$dir/lib/libanswer.so"
cat >"$dir/ask.c" <<'EOF'
#include <stdio.h>
int answer(void);
int main(void) { printf("%d\n", answer()); }
EOF
gcc -o "$dir/ask" "$dir/ask.c" -L"$dir/lib" -lanswer
gcc -o "$dir/ask-run" "$dir/ask.c" -L"$dir/lib" -lanswer -Wl,-rpath,"\$ORIGIN/lib"
ln -sf ask-run "$dir/asks"
printf '#!/bin/sh\necho "$1 from a script"\n' >"$dir/script"
printf '#!/usr/bin/env sh\necho by env\n' >"$dir/byenv"
chmod +x "$dir/script" "$dir/byenv"

LD_LIBRARY_PATH=$dir/lib pack -- "$dir/ask" </dev/null
is "the command line is as it was" "$(cat "$dir/commands")" "stat -e instructions:u -- $dir/ask"
is "a library of LD_LIBRARY_PATH: in the cache" \
	"$(ldconfig -p -C "$dir/root/etc/ld.so.cache" | sed -n 's/.*libanswer.* => //p')" "$real/lib/libanswer.so.1"
can_chroot "runs from the pack" && is "a library of LD_LIBRARY_PATH: it runs from the pack" "$(inside "$real/ask")" 42
pack -- "$dir/asks" </dev/null
is "links are links" "$(readlink "$dir/root$real/asks")" ask-run
can_chroot "links, RUNPATH" && is "links, RUNPATH: it runs from the pack" "$(inside "$real/asks")" 42
pack -- "$dir/script" </dev/null
can_chroot "a script" && is "a script runs from the pack" "$(inside "$real/script" hello)" "hello from a script"
pack -- "$dir/byenv" </dev/null
can_chroot "a script by env" && is "a script by env runs from the pack" "$(inside "$real/byenv")" "by env"
pack --file "$(command -v perf)":/bin/ -- "$dir/ask-run" </dev/null
can_chroot "a file that is a program" && is "a file that is a program runs from the pack" \
	"$(inside /bin/perf --version | cut -d ' ' -f 1-2)" "perf version"

# The pack has the same bytes if times of files, rights of owners and the environment differ.
pack -- "$dir/ask-run" </dev/null
cp "$dir/pack" "$dir/pack-1"
touch "$dir/ask-run" "$dir/lib/libanswer.so.1"
chmod 700 "$dir/ask-run"
SOME=thing pack -- "$dir/ask-run" </dev/null
is "twice the same bytes" "$(cmp "$dir/pack" "$dir/pack-1" && echo same)" same

# The pack has the programs' arguments, environment and input.
echo first >"$dir/data"
printf 'one\ntwo\n' >"$dir/input"
in_pack() { find "$dir/root/.run" -maxdepth 1 -name stdin | grep -c .; }
is "a pipe is not in the pack, and is not read" "$(cat "$dir/input" | { pack -- "$dir/ask-run"; in_pack; xargs; } | xargs)" "0 one two"
pack --file "$dir/data":/in/ --env A=1 --cwd /work --seed 7 --bring out --prefault -- "$dir/ask-run" "ä" <"$dir/input"
is "arguments that are not ASCII are in the pack" "$(cat "$dir/commands")" 'stat -e instructions:u -- argv.0'
for row in "stdin|one two" "cwd|/work" "seed|7" "prefault|1" "bring|out" "env|PATH=/usr/bin:/bin HOME=/ LANG=C TERM=dumb A=1" \
	"argv.0|$real/ask-run $dir/ask-run ä"; do
	is "the pack: ${row%%|*}" "$(tr '\0' '\n' <"$dir/root/.run/${row%%|*}" | xargs)" "${row#*|}"
done
is "the pack: a file" "$(cat "$dir/root/in/data") $(ls -d "$dir/root/work" | wc -l)" "first 1"
is "pages of content begin at pages" "$(awk '$3 >= 4096 && $4 != 0' "$dir/list" | wc -l)" 0
$perf0 stat --cold --qemu "$dir/qemu" -- loop 1 >"$dir/said" 2>&1 <"$dir/data"
rm -f "$dir/pack"
$perf0 stat --cold --qemu "$dir/qemu" -- loop 1 >"$dir/said" 2>&1 </dev/null
is "without programs there is no pack" "$(ls "$dir/pack" 2>/dev/null)" ""
pack -- sort -n </dev/null
is "a name is looked for in PATH" "$(tr '\0' ' ' <"$dir/root/.run/argv.0")" "/usr/bin/sort sort -n "
rm -rf "$dir/root"
finish
