# SPDX-License-Identifier: BSD-2-Clause
# _lib.sh - for end-to-end tests: each boots the shipped images through the shipped host tool, and
# looks from outside. A test says `ok - what` or `not ok - what` with what it saw.
set -u
cd "$(dirname "$0")/../../.." || exit 1
perf0=build/perf0
name=$(basename "$0" .sh)
dir=build/test/$name
rm -rf "$dir"
mkdir -p "$dir"
failures=0
patience=900 # seconds that a machine may take: on a busy host it is slow

ok() { echo "ok - $name: $1"; }
not_ok() {
	echo "not ok - $name: $1"
	shift
	[ $# = 0 ] || printf '%s\n' "$@" | sed 's/^/    /' | head -n 12
	failures=$((failures + 1))
}

# soaking: true under `make soak`, which runs every case.
# either SHORT ALL: prints SHORT in `make test`, ALL in `make soak`.
soaking() { [ -n "${PERF0_SOAK:-}" ]; }
either() { if soaking; then echo "$2"; else echo "$1"; fi; }

# `make test` takes some of several similar cases; the next commit takes the next ones. turn: the number of this commit;
# scripts/test sets it.
turn() { echo "${PERF0_TURN:-0}"; }

# rotated NAME...: prints the names, rotated by this commit's number.
rotated() {
	turns=$(($(turn) % $#))
	while [ $((turns -= 1)) -ge 0 ]; do
		set -- "$@" "$1"
		shift
	done
	echo "$@"
}

# first_in LIST NAME...: prints the first NAME that LIST has, or nothing.
first_in() {
	list=$1
	shift
	for name_in_turn; do
		case " $list " in *" $name_in_turn "*) echo "$name_in_turn" && return ;; esac
	done
}

# one_of NAME...: prints one of the names, or all of them in `make soak`.
one_of() {
	set -- $(either "$(rotated "$@" | cut -d ' ' -f 1)" "$*")
	echo "# turn $(turn): $*" >&2
	echo "$@"
}

# personalities NAME...: prints one of Intel's and one of AMD's, or all of them in `make soak`. All tests of a commit
# take the same two where they can, so that they share saved machines.
personalities() {
	set -- $(either "$(first_in "$*" $(rotated hsw skx icl adl spr)) $(first_in "$*" $(rotated zen4 zen2))" "$*")
	echo "# turn $(turn): $*" >&2
	echo "$@"
}

# machine_of NAME: options for a machine with that personality; `none` has no PMU.
machine_of() { if [ "$1" = none ]; then echo --no-vpmu; else echo "--uarch $1"; fi; }

# skip WHAT REASON: reports that WHAT is not checked here, and why.
skip() { echo "skip - $name: $1: $2"; }

# has_pty WHAT: true where the host has pseudo-terminals; else it skips WHAT.
has_pty() {
	pty_error=$(timeout 60 script -qec true /dev/null 2>&1 </dev/null) && return 0
	skip "$1" "no pseudo-terminals here (${pty_error:-script does not get one})"
	return 1
}

# has_tmux WHAT: true where tmux can open a terminal; else it skips WHAT.
has_tmux() {
	has_pty "$1" || return 1
	tmux_error=$(command tmux -L "perf0-$$-try" -f /dev/null new-session -d true 2>&1) && return 0
	skip "$1" "no tmux here ($tmux_error)"
	return 1
}

# is WHAT GOT WANTED
is() {
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got:    $2" "wanted: $3"; fi
}

# has WHAT FILE REGEX: a line of FILE matches the whole of REGEX.
has() {
	if grep -qxE "$3" "$2"; then ok "$1"; else not_ok "$1" "no line: $3" "$(tail -n 8 "$2")"; fi
}

# boot LOG ARGS...: perf0 run; both outputs to LOG; status in $status. A --timeout among ARGS holds.
boot() {
	log=$1
	shift
	$perf0 run --timeout $patience "$@" >"$log" 2>&1
	status=$?
}

# criterion_crate DIR NAME: lays out a crate in DIR with Debian's criterion; its benchmark is to be benches/NAME.rs.
criterion_crate() {
	mkdir -p "$1/benches" "$1/src" "$1/.cargo"
	: >"$1/src/lib.rs"
	printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n' >"$1/.cargo/config.toml"
	cat >"$1/Cargo.toml" <<TOML
[package]
name = "cr"
version = "0.1.0"
edition = "2021"
[dev-dependencies]
criterion = { version = "0.3", default-features = false }
[[bench]]
name = "$2"
harness = false
[workspace]
TOML
}

finish() { [ "$failures" = 0 ]; }

# wait_until SECONDS COMMAND...: repeats COMMAND until it succeeds. The time bounds a hang; it does not check speed.
wait_until() {
	tenths=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $((tenths -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}
