# SPDX-License-Identifier: BSD-2-Clause
# _shards.sh - for scripts whose work is a list of parts: `parts` prints them, a line each. SHARD=I/N (1/1) selects each
# N-th one, from the I-th on; PART selects one by its name.

shard=${SHARD:-1/1}
if ! echo "$shard" | grep -qxE '[1-9][0-9]{0,3}/[1-9][0-9]{0,3}' || [ "${shard%/*}" -gt "${shard#*/}" ]; then
	echo "$(basename "$0"): SHARD: '$shard' is not I/N, with I from 1 to N" >&2
	exit 2
fi

parts_of_shard() {
	if [ -z "${PART:-}" ]; then
		parts | awk -v i="${shard%/*}" -v n="${shard#*/}" '(NR - i) % n == 0 && NR >= i'
	elif ! parts | grep -xF -e "$PART"; then
		echo "$(basename "$0"): PART: there is no part '$PART'" >&2
		return 2
	fi
}

# tell_lost NAME PARTS COMMAND: names the lost parts, with the command for each; false where there are some.
tell_lost() {
	[ -n "$2" ] || return 0
	echo "$2" | while read -r part; do
		echo "$1: '$part' is lost; it is made up by: PART='$part' $3"
	done >&2
	return 1
}
