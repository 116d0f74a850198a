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
patience=900 # seconds that a machine gets: on a busy host it may well be slow

ok() { echo "ok - $name: $1"; }
not_ok() {
	echo "not ok - $name: $1"
	shift
	[ $# = 0 ] || printf '%s\n' "$@" | sed 's/^/    /' | head -n 12
	failures=$((failures + 1))
}

# soaking: `make soak` runs this test, and has the time for more. either SOME ALL: what `make test` takes, and
# what `make soak` does.
soaking() { [ -n "${PERF0_SOAK:-}" ]; }
either() { if soaking; then echo "$2"; else echo "$1"; fi; }

# skip WHAT REASON: what is not checked here, and why.
skip() { echo "skip - $name: $1: $2"; }

# has_pty WHAT: are there pseudo-terminals here? Else WHAT is skipped.
has_pty() {
	pty_error=$(timeout 60 script -qec true /dev/null 2>&1 </dev/null) && return 0
	skip "$1" "no pseudo-terminals here (${pty_error:-script does not get one})"
	return 1
}

# has_tmux WHAT: does tmux have a terminal for us? Else WHAT is skipped.
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

finish() { [ "$failures" = 0 ]; }
