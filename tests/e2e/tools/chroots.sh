# SPDX-License-Identifier: BSD-2-Clause
# Fresh installations of Debian: `make soak` builds perf0 in them, installs the packages in others, and measures as a
# user without rights (scripts/chroots). With these packages it builds the Containerfile, upon a Debian that debootstrap
# made, as no registry of images is needed then.
. "$(dirname "$0")/../_lib.sh"

scripts/chroots --base >"$dir/out" 2>"$dir/err"
is "an option without its folder: status, what" "$? $(cat "$dir/out" "$dir/err")" \
	"2 chroots: usage: chroots [--base FOLDER] [--log FOLDER] [--archive FILE] SUITE..."

is "an archive that is not there" "$(scripts/chroots --archive /no/such.tar.xz jammy 2>&1; echo $?)" \
	"chroots: /no/such.tar.xz: no such file
2"

# In the container the user of the Containerfile runs perf0.
storage="--root $PWD/$dir/images --runroot $PWD/$dir/run"
in_image() { STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot timeout 1200 buildah $storage "$@"; }
# A Debian without files that registries' images lack, under the name that the Containerfile begins with.
make_base() {
	tar -C "$dir/base/bookworm" --exclude=./dev/* -cf "$dir/base.tar" . &&
		from=$(in_image from scratch) && in_image add -q "$from" "$dir/base.tar" / &&
		in_image commit -q "$from" docker.io/library/debian:bookworm-slim && in_image rm "$from"
}
look_at_image() {
	mkdir -p "$dir/context/build"
	cp -r "$dir/bookworm" "$dir/context/build/deb"
	make_base >"$dir/log" 2>&1
	is "a base for the image: status" $? 0
	in_image bud --pull-never -t perf0-test -f "$PWD/Containerfile" "$dir/context" >"$dir/log" 2>&1
	is "the Containerfile: status, errors" "$? $(grep -i '^error' "$dir/log")" "0 "
	container=$(in_image from --pull-never localhost/perf0-test)
	is "its user has no rights" "$(in_image run "$container" -- id -un)" perf0
	in_image run "$container" -- perf0 stat -e instructions:u -- loop 1000 >"$dir/log" 2>&1
	has "it counts" "$dir/log" ' +2,005 +instructions:u .*'
	in_image run "$container" -- perf0 stat ls >"$dir/log" 2>&1
	has "it counts a program" "$dir/log" ' +[0-9,]+ +instructions .*'
	echo "# sizes: $(in_image images --format '{{.Name}} {{.Size}}' | tr '\n' ' ')"
}

# told SUITE WHAT RESULT: a line of scripts/chroots.
told() { has "$1: $2" "$dir/out" "$1: $2: $3"; }
look_at_suite() {
	told "$1" "make run" "ok, .*"
	told "$1" "make deb" "ok, .*"
	told "$1" "apt-get install" "ok, .*"
	told "$1" "perf0 stat ls" "ok, .*"
	told "$1" "perf0 doctor --host" "ok, .*"
	told "$1" "the same with a restored cache" "ok, .*"
	has "$1: the gate" "$dir/$1.log" '1 benchmark: 1 unchanged'
	grep -E "^$1: (empty|with perf0): " "$dir/out" | sed 's/^/# /'
	grep '^from the archive to the verdict: ' "$dir/$1.log" | sed "s/^/# $1: /"
}

if soaking; then
	TMPDIR=$PWD/$dir scripts/chroots --base "$dir/base" --log "$dir" bookworm trixie >"$dir/out" 2>"$dir/err"
	status=$?
	if [ $status = 2 ]; then
		skip "fresh installations" "$(cat "$dir/err")"
	else
		is "fresh installations: status" $status 0
		look_at_suite bookworm
		look_at_suite trixie
		archive=$(make -s dist | tail -n 1)
		TMPDIR=$PWD/$dir scripts/chroots --log "$dir" --archive "$archive" noble >"$dir/out" 2>"$dir/err"
		status=$?
		if [ $status = 2 ]; then
			skip "the archive in Ubuntu" "$(cat "$dir/err")"
		else
			is "the archive in Ubuntu: status" $status 0
			told noble "perf0 stat ls" "ok, .*"
			told noble "perf0 gate" "ok, .*"
		fi
		if command -v buildah >/dev/null; then look_at_image; else skip "the Containerfile" "no buildah here"; fi
	fi
	rm -rf "$dir/base" "$dir/base.tar" "$dir/images" "$dir/run"
fi
finish
