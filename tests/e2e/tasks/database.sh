# SPDX-License-Identifier: BSD-2-Clause
# PostgreSQL runs in ring 3, as a user other than root: the server, whose processes share memory and semaphores, and
# pgbench with two clients. `make test` takes a cluster from this host's initdb; `make soak` runs initdb in ring 3, too.
. "$(dirname "$0")/../_lib.sh"

PG=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
if [ ! -x "$PG/initdb" ] || [ ! -x "$PG/pgbench" ]; then
	skip "PostgreSQL" "no /usr/lib/postgresql/*/bin here (Debian's postgresql-15)"
	finish
	exit
fi
user=1000
as_user="/usr/sbin/chroot --userspec=$user:$user --groups= /"
printf 'root:x:0:0:root:/root:/bin/sh\nbench:x:%s:%s::/tmp:/bin/sh\n' $user $user >"$dir/passwd"

# database WORDS ARGS...: runs WORDS in a shell of root in ring 3, in a machine with the options ARGS.
database() {
	words=$1
	shift
	set -- "$@" --file "$dir/passwd:/etc/passwd" --file "/usr/share/postgresql/$(basename "${PG%/bin}")"
	for program in "$PG/postgres" "$PG/initdb" "$PG/pg_ctl" "$PG/pgbench" "$PG/psql" /bin/sh /usr/bin/cat /usr/bin/chmod \
		/usr/bin/chown /usr/bin/grep "${PG%/bin}/lib/plpgsql.so" "${PG%/bin}/lib/dict_snowball.so" /usr/sbin/chroot /usr/share/zoneinfo/Etc tests/linux/database_load.sh; do
		set -- "$@" --file "$program"
	done
	boot "$dir/log" -k --env "PG=$PG" "$@" -- stat -e instructions:u /bin/sh -c "$words"
}

# told WHAT TRANSACTIONS: checks the output of database_load.sh.
told() {
	is "$1: exit status" $status 0
	is "$1: transactions, their sums, and the server's end" "$(grep -E '^number|^[0-9]+\||shut down' "$dir/log" | sed 's/.*: //' | xargs)" \
		"$2/$2 $2|t|t database system is shut down"
	echo "# $1: $(sed -n 's/^ *\([0-9,]*\) *instructions:u.*/\1/p' "$dir/log") instructions of ring 3"
}

# initdb refuses to run as root. So root runs this host's initdb as another user, in a folder that all users can reach.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
run_as=
if [ "$(id -u)" = 0 ]; then
	chown $user:$user "$made"
	run_as=$as_user
fi
if $run_as "$PG/initdb" --no-sync --locale=C --auth=trust --username=bench --wal-segsize=1 "$made/data" >"$dir/initdb" 2>&1; then
	database "chown -R $user:$user /cluster && chmod 700 /cluster && exec $as_user $PWD/tests/linux/database_load.sh 10 /cluster" \
		--file "$made/data:/cluster"
	told "a server and pgbench" 20
else
	skip "a server and pgbench" "this host's initdb: $(tail -n 1 "$dir/initdb")"
fi
if soaking; then
	database "exec $as_user $PWD/tests/linux/database_load.sh 20" --memory 1G
	told "initdb, a server and pgbench" 40
fi
finish
