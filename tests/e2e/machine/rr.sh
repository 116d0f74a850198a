# SPDX-License-Identifier: BSD-2-Clause
# rr(1) in Linux under vpmu records a program and replays it. The replay relies on counts of conditional branches and on
# interrupts at such counts. Both must be exact: rr fails at the first one that is off by one.
. "$(dirname "$0")/../_lib.sh"
. "$(dirname "$0")/../_kernel.sh"

libraries="libstdc++.so.6 libgcc_s.so.1 libm.so.6 libz.so.1"

# fetch_rr: fetches Debian's rr and its libraries, and unpacks them into $shared. False: that failed, and $dir/fetched
# has the reason.
# shellcheck disable=SC2046 # words
fetch_rr() {
	mkdir -p "$dir/packages" "$shared"
	(cd "$dir/packages" && apt-get -o APT::Sandbox::User= -qq download rr $(apt-cache depends rr | sed -n 's/.*Depends: \(libcapnp.*\)/\1/p')) \
		>"$dir/fetched" 2>&1 || return 1
	for package in "$dir"/packages/*.deb; do
		dpkg-deb -x "$package" "$dir/unpacked" || return 1
	done
	rm -rf "$dir/unpacked/usr/share/doc"
	cp -r "$dir/unpacked/usr" "$shared"
	for library in $libraries; do
		cp -L "$(ldconfig -p | sed -n "s|.* => \(.*/x86_64-linux-gnu/$library\)\$|\1|p" | head -n 1)" \
			"$shared/usr/lib/x86_64-linux-gnu/$library" || return 1
	done
}

if ! soaking; then
	skip "rr in Linux as a guest" "make soak has it"
	finish
	exit
fi
shared=$dir/shared
find_kernel "rr in Linux as a guest"
if ! fetch_rr; then
	skip "rr in Linux as a guest" "rr cannot be fetched ($(head -n 1 "$dir/fetched"))"
	finish
	exit
fi
cat >"$shared/script" <<-'END'
	cp -r usr /opt
	mount -t tmpfs none /tmp
	export LD_LIBRARY_PATH=/opt/lib/x86_64-linux-gnu _RR_TRACE_DIR=/tmp/rr HOME=/root
	/opt/bin/rr $1 record /bin/ls /dev >recorded
	echo "record: $?"
	/opt/bin/rr $1 replay -a >replayed
	echo "replay: $?"
	wc -l <recorded
	cmp recorded replayed && echo "it said the same"
END

# rr 5.6 does not recognise Zen 4 and Sapphire Rapids by CPUID. The option names a CPU whose PMU counts the same way.
while read -r u options; do
	$perf0 linux --timeout $patience --uarch "$u" --memory 1G --file /bin/ls --share "$shared" "$kernel" -- \
		sh script "$options" >"$dir/$u.out" 2>"$dir/$u.err" </dev/null
	is "$u: status" $? 0
	has "$u: rr records" "$dir/$u.out" "record: 0"
	has "$u: what says something" "$dir/$u.out" "[1-9][0-9]+"
	has "$u: and replays it" "$dir/$u.out" "replay: 0"
	has "$u: the replayed program says the same" "$dir/$u.out" "it said the same"
done <<-END
	skx
	icl
	spr -Aalderlake
	zen4 -Azen
END
finish
