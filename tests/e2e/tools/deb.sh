# SPDX-License-Identifier: BSD-2-Clause
# The Debian packages: debian/ agrees with the tree. `make soak` builds them: lintian has nothing to say, what is
# unpacked boots and counts, and a second build makes the same bytes.
. "$(dirname "$0")/../_lib.sh"

# debian/ says what stands elsewhere, too.
version=$($perf0 version | sed -n '1s/^perf0 version //p')
is "the version of debian/changelog" "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" "$version"
sed -n '/^Build-Depends/,/^$/p' debian/control | grep -oE '^ [a-z0-9-]+' | tr -d ' ' | sort >"$dir/build-depends"
# A machine that builds packages has gcc, binutils and libc6-dev.
sed -n 's/^build="\(.*\)"$/\1/p' scripts/setup | tr ' ' '\n' | grep -vxE 'gcc|binutils|libc6-dev' | sort >"$dir/setup"
is "Build-Depends is what scripts/setup installs for a build" "$(diff "$dir/build-depends" "$dir/setup")" ""

# Each file that `make install` installs is in one package.
make --no-print-directory install-built DESTDIR="$PWD/$dir/root" PREFIX=/usr >"$dir/log" 2>&1
is "installed: status" $? 0
(cd "$dir/root" && find . -type f | sed 's,^\./,,' | sort) | while read -r file; do
	n=0
	for row in $(cat debian/*.install); do
		case $file in "$row" | "$row"/*) n=$((n + 1)) ;; esac
	done
	[ $n = 1 ] || echo "$file is in $n packages"
done >"$dir/files"
is "each file is in one package" "$(cat "$dir/files")" ""

# built WHAT FOLDER: scripts/deb makes the packages in FOLDER.
built() {
	scripts/deb "$2" >"$dir/packages" 2>"$dir/errors"
	is "$1: status, errors" "$? $(cat "$dir/errors")" "0 "
}
files() { cat "$1"/*.deb "$1"/*.dsc "$1"/*.tar.xz | sha256sum; }
look() {
	built "make deb" "$dir/deb"
	is "its packages" "$(sed 's,.*/,,; s/_.*//' "$dir/packages" | tr '\n' ' ')" "perf0-dbgsym perf0-doc perf0-images perf0 "
	if command -v lintian >/dev/null; then
		lintian --allow-root "$dir/deb"/*.changes >"$dir/lintian" 2>&1
		is "lintian: status, complaints" "$? $(grep -E '^[EW]:' "$dir/lintian")" "0 "
	else
		skip "lintian" "no lintian here"
	fi
	for p in perf0 perf0-images; do
		dpkg-deb -x "$dir/deb/${p}_${version}_amd64.deb" "$dir/unpacked"
	done
	(cd / && "$OLDPWD/$dir/unpacked/usr/bin/perf0" stat --machine-timeout $patience -e instructions:u -- loop 1000) >"$dir/stat" 2>&1
	is "unpacked, it boots: status" $? 0
	has "unpacked, it counts" "$dir/stat" ' +2,005 +instructions:u .*'
	dpkg-deb -f "$dir/deb/perf0_${version}_amd64.deb" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' >"$dir/depends"
	is "what it depends on, beside libraries" "$(grep -v '^lib' "$dir/depends" | tr '\n' ' ')" "perf0-images qemu-system-x86 ovmf "
	dpkg-deb -c "$dir/deb/perf0-doc_${version}_all.deb" >"$dir/documents"
	for page in $(sed -n 's/.*(docs\/\([A-Z-]*\.md\)).*/\1/p' README.md | sort -u); do
		grep -q "/docs/$page\$" "$dir/documents" || not_ok "perf0-doc has no $page"
	done
	built "once more, in another folder" "$dir/else/where"
	is "the same bytes" "$(files "$dir/else/where")" "$(files "$dir/deb")"
}
if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null; then
	skip "a build of the packages" "no dpkg-buildpackage or debhelper here"
elif ! git rev-parse --git-dir >/dev/null 2>&1; then
	skip "a build of the packages" "no repository here"
elif soaking; then
	look
fi
finish
