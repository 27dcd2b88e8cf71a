#!/usr/bin/env python3
"""Times SQLite (Python's own module) on the data of make-data.py.  usage: peer-sqlite.py DATADIR [--file]
Tables users, posts, comments; TEXT primary keys; an index on every column that a query filters, joins or orders by.
Each query returns its answer as JSON text built by SQLite's json functions, fetched whole."""
import json, os, resource, sqlite3, statistics, sys, time

d = sys.argv[1]
path = ":memory:" if "--file" not in sys.argv else os.path.join(d, "bench.sqlite")
if path != ":memory:" and os.path.exists(path):
    os.remove(path)
db = sqlite3.connect(path, isolation_level=None, cached_statements=500)
if path != ":memory:":
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=normal")
cols = {"users": ["id", "handle", "email", "fullName", "city", "age", "score", "active", "joinedAt", "bio", "createdAtMs"],
        "posts": ["id", "title", "body", "status", "likes", "publishedAt", "author", "createdAtMs"],
        "comments": ["id", "text", "rating", "writtenAt", "post", "createdAtMs"]}
t = time.perf_counter()
rows = {}
for k, cs in cols.items():
    with open(os.path.join(d, k + ".jsonl")) as f:
        rows[k] = [tuple(json.loads(l)[c] for c in cs) for l in f]
parse = time.perf_counter() - t
t = time.perf_counter()
for k, cs in cols.items():
    db.execute("create table %s (%s)" % (k, ", ".join(c + (" text primary key" if c == "id" else "") for c in cs)))
db.execute("begin")
for k, cs in cols.items():
    db.executemany("insert into %s values (%s)" % (k, ",".join("?" * len(cs))), rows[k])
db.execute("commit")
ins = time.perf_counter() - t
t = time.perf_counter()
for ix in ("users(handle)", "users(city)", "users(createdAtMs,id)", "posts(likes)", "posts(author)", "posts(createdAtMs,id)", "comments(post)"):
    db.execute("create index ix_%s on %s" % ("".join(c for c in ix if c.isalpha()), ix))
db.execute("analyze")
idx = time.perf_counter() - t
uids = [r[0] for r in rows["users"]]
del rows
nu = len(uids)


def obj(a, k, extra=""):
    return "json_object(%s%s)" % (", ".join("'%s', %s.%s" % (c, a, c) for c in cols[k] if c not in ("createdAtMs", "author", "post")), extra)


U, P, C = obj("u", "users"), obj("p", "posts"), obj("c", "comments")
nested = ("select json_group_array(json(j)) from (select " + obj("u", "users", ", 'posts', (select json_group_array(" +
          obj("p", "posts", ", 'comments', (select json_group_array(" + C + ") from comments c where c.post = p.id)") +
          ") from posts p where p.author = u.id)") + " j from users u order by createdAtMs, id limit ?)")
live = ("select json_group_array(json(j)) from (select " + obj("p", "posts", ", 'author', " + U) +
        " j from posts p left join users u on u.id = p.author order by p.likes desc, p.id desc limit 50)")


def grp(inner):
    return "select json_group_array(json(j)) from (" + inner + ")"


def run(name, f, secs=1.0, cap=300):
    for i in range(3):
        f(i)
    xs = []
    t0 = time.perf_counter()
    while len(xs) < 5 or (time.perf_counter() - t0 < secs and len(xs) < cap):
        t = time.perf_counter()
        f(len(xs) + 10)
        xs.append((time.perf_counter() - t) * 1000)
    print("%-38s median %.4f min %.4f max %.4f n %d" % (name, statistics.median(xs), min(xs), max(xs), len(xs)), flush=True)


one = lambda sql: (lambda *a: db.execute(sql, a).fetchone()[0])
pick = lambda i: uids[(i * 7919) % nu]
print(d, path, "sqlite", sqlite3.sqlite_version, "parse %.0f ms insert %.0f ms index %.0f ms" % (parse * 1e3, ins * 1e3, idx * 1e3))
q = one("select " + U + " from users u where id = ?"); run("point by id", lambda i: q(pick(i)))
q2 = one("select " + U + " from users u where handle = ?"); run("eq handle (1 row)", lambda i: q2("user%d" % ((i * 7919) % nu)))
q3 = one(grp("select " + U + " j from users u where city = ? order by createdAtMs, id")); run("eq city (2%)", lambda i: q3("city-%02d" % (i % 50)))
q4 = one(grp("select " + P + " j from posts p where likes >= 900 order by createdAtMs, id")); run("range likes>=900 (10% posts)", lambda i: q4())
q5 = one(grp("select " + P + " j from posts p order by likes desc, id desc limit 50")); run("order likes desc limit 50", lambda i: q5())
q6 = one(grp("select " + P + " j from posts p order by createdAtMs, id limit 50")); run("default order limit 50", lambda i: q6())
q7 = one(grp("select " + U + " j from users u order by handle limit 50")); run("order handle asc limit 50 (text)", lambda i: q7())
q8 = one(grp("select " + P + " j from posts p where title like '%war%' order by createdAtMs, id limit 50")); run("like title %war% limit 50", lambda i: q8())
q9 = one(grp("select " + P + " j from posts p join users u on u.id = p.author where u.handle = ?")); run("path: posts of one author handle", lambda i: q9("user%d" % ((i * 7919) % nu)))
qn = one(nested); run("nested 100 users", lambda i: qn(100))
if nu >= 1000:
    run("nested 1000 users", lambda i: qn(1000), cap=30)


def upd(i):
    db.execute("update users set age = ? where id = ?", (20 + i % 50, pick(i)))


run("1 update (own transaction)", upd)
ql = one(live)


def livef(i):
    upd(i)
    return ql() == "x"


run("live: update + requery", livef)


def many(i):
    db.execute("begin")
    db.executemany("update users set age = ? where id = ?", [(i + k & 127, pick(k)) for k in range(1000)])
    db.execute("commit")


run("1000 updates one transaction", many)
print("peak rss MB %.0f" % (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
