#!/bin/sh -e
# SPDX-License-Identifier: BSD-2-Clause
# database_load.sh TRANSACTIONS [CLUSTER] - PostgreSQL as its users run it: the server, and pgbench with two clients
# over a socket of AF_UNIX. PG is the folder of its programs; the user is not root. CLUSTER is a copy of a cluster that
# initdb made elsewhere, with small tables. Without it initdb makes one here, with pgbench's tables.
each=$1
cluster=${2:-/tmp/data}
sql() { "$PG/psql" --host=/tmp --username=bench --no-align --tuples-only --quiet --command="$1" postgres; }
bench() { "$PG/pgbench" --host=/tmp --username=bench "$@" postgres; }

cd /tmp
[ $# = 2 ] || "$PG/initdb" --no-sync --locale=C --auth=trust --username=bench "$cluster" >initdb.log
"$PG/pg_ctl" --silent --wait --pgdata="$cluster" --log=server.log \
	--options="-c listen_addresses= -c unix_socket_directories=/tmp -c shared_buffers=8MB" start || { cat server.log; exit 1; }
if [ $# = 2 ]; then
	bench --initialize --quiet --init-steps=dt 2>/dev/null
	sql "insert into pgbench_branches values (1, 0);
	insert into pgbench_tellers select i, 1, 0 from generate_series(1, 10) i;
	insert into pgbench_accounts select i, 1, 0 from generate_series(1, 1000) i"
else
	bench --initialize --quiet 2>/dev/null
fi
bench --no-vacuum --client=2 --transactions="$each" | grep processed
sql "select count(*), sum(delta) = (select sum(tbalance) from pgbench_tellers),
	sum(delta) = (select sum(bbalance) from pgbench_branches) from pgbench_history"
"$PG/pg_ctl" --silent --wait --pgdata="$cluster" --mode=fast stop
grep -o 'database system is shut down' server.log
