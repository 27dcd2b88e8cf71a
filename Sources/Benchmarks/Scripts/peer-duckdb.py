#!/usr/bin/env python3
"""Times DuckDB (its Python module) on the data of make-data.py. usage: peer-duckdb.py DATADIR
Prints nothing and ends with status 1 where the module is not installed. The answers are those of
peer-sqlite.py, fetched whole as rows; DuckDB has no place for a loop of single rows, so only queries are timed."""
import os, statistics, sys, time

try:
    import duckdb
except ImportError:
    sys.exit(1)

d = sys.argv[1]
db = duckdb.connect(":memory:")
for name in ("users", "posts", "comments"):
    db.execute("create table %s as select * from read_csv('%s', header = true)" % (name, os.path.join(d, name + ".csv")))
db.execute("create index users_id on users(id)")
db.execute("create index users_handle on users(handle)")
count = db.execute("select count(*) from users").fetchone()[0]
ids = [row[0] for row in db.execute("select id from users order by createdAtMs").fetchall()]


def pick(i):
    return (i * 7919) % count


def run(name, f):
    for i in range(3):
        f(i)
    times = []
    start = time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - start < 1 and len(times) < 300):
        t = time.perf_counter()
        f(len(times) + 10)
        times.append((time.perf_counter() - t) * 1000)
    print("%-38s median %.4f min %.4f max %.4f n %d" % (name, statistics.median(times), min(times), max(times), len(times)), flush=True)


def rows(sql, *values):
    return db.execute(sql, values).fetchall()


run("point by id", lambda i: rows("select * from users where id = ?", ids[pick(i)]))
run("eq handle (1 row)", lambda i: rows("select * from users where handle = ?", "user%d" % pick(i)))
run("eq city (2%)", lambda i: rows("select * from users where city = ? order by createdAtMs, id", "city-%02d" % (i % 50)))
run("range likes>=900 (10% posts)", lambda i: rows("select * from posts where likes >= 900 order by createdAtMs, id"))
run("order likes desc limit 50", lambda i: rows("select * from posts order by likes desc, id desc limit 50"))
run("default order limit 50", lambda i: rows("select * from posts order by createdAtMs, id limit 50"))
run("order handle asc limit 50 (text)", lambda i: rows("select * from users order by handle limit 50"))
run("like title %war% limit 50", lambda i: rows("select * from posts where title like '%war%' order by createdAtMs, id limit 50"))
run("path: posts of one author handle", lambda i: rows("select p.* from posts p join users u on u.id = p.author where u.handle = ?", "user%d" % pick(i)))
