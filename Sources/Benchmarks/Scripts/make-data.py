#!/usr/bin/env python3
"""Deterministic benchmark data: users, posts (linked to one user), comments (linked to one post).

usage: make-data.py ENTITIES OUTDIR [--no-triples] [--no-csv]

Of ENTITIES, one tenth are users, three tenths posts, six tenths comments.  Everything comes from
one splitmix64 stream seeded with 42, drawn in the order of the code below, so the same ENTITIES
gives the same bytes everywhere.  Written to OUTDIR:

  attrs.json      list of attributes, in the form that the triple store takes
  triples.json    list of [entity, attribute, value, created-at]
  users.jsonl posts.jsonl comments.jsonl   one object a line
  users.csv   posts.csv   comments.csv     the same with a header line; no value has a comma or quote
"""
import json
import os
import sys

M64 = (1 << 64) - 1


class Rng:
    def __init__(self, seed):
        self.s = seed

    def u64(self):
        self.s = (self.s + 0x9E3779B97F4A7C15) & M64
        z = self.s
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M64
        return z ^ (z >> 31)

    def below(self, n):
        return (self.u64() >> 11) % n

    def uuid(self):
        a, b = self.u64(), self.u64()
        a = (a & ~0xF000) | 0x4000
        b = (b & ~(3 << 62)) | (2 << 62)
        h = "%016x%016x" % (a, b)
        return "-".join((h[:8], h[8:12], h[12:16], h[16:20], h[20:]))


WORDS = ("time way day man thing woman life child world school state family student group country "
         "problem hand part place case week company system program question work night point home "
         "water room mother area money story fact month lot right study book eye job word business "
         "issue side kind head house service friend father power hour game line end member law car "
         "city name team minute idea body back parent face others level office door health person "
         "art war history party result change morning reason research girl guy moment air teacher "
         "force education").split()
STATUS = ["draft", "review", "published", "archived"]
T0 = 1700000000000  # created-at of the first entity; every entity is one millisecond later

USER = [("id", "string"), ("handle", "string"), ("email", "string"), ("fullName", "string"),
        ("city", "string"), ("age", "number"), ("score", "number"), ("active", "boolean"),
        ("joinedAt", "date"), ("bio", "string")]
POST = [("id", "string"), ("title", "string"), ("body", "string"), ("status", "string"),
        ("likes", "number"), ("publishedAt", "date")]
COMMENT = [("id", "string"), ("text", "string"), ("rating", "number"), ("writtenAt", "date")]
UNIQUE = {"id", "handle", "email"}
INDEXED = {"handle", "email", "city", "age", "score", "joinedAt", "status", "likes", "publishedAt", "rating"}


def words(r, n):
    return " ".join(WORDS[r.below(len(WORDS))] for _ in range(n))


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    n, out = int(args[0]), args[1]
    want_triples, want_csv = "--no-triples" not in sys.argv, "--no-csv" not in sys.argv
    os.makedirs(out, exist_ok=True)
    r = Rng(42)

    attrs, aid = [], {}
    for etype, cols in (("users", USER), ("posts", POST), ("comments", COMMENT)):
        for name, kind in cols:
            a = {"id": r.uuid(), "forward-identity": [r.uuid(), etype, name], "value-type": "blob",
                 "cardinality": "one", "unique?": name in UNIQUE,
                 "index?": name in INDEXED or name == "id", "inferred-types": None, "catalog": "user"}
            if name != "id":
                a["checked-data-type"] = kind
            attrs.append(a)
            aid[etype, name] = a["id"]
    for f, fl, t, tl in (("posts", "author", "users", "posts"), ("comments", "post", "posts", "comments")):
        a = {"id": r.uuid(), "forward-identity": [r.uuid(), f, fl], "reverse-identity": [r.uuid(), t, tl],
             "value-type": "ref", "cardinality": "one", "unique?": False, "index?": False,
             "inferred-types": None, "catalog": "user"}
        attrs.append(a)
        aid[f, fl] = a["id"]
    with open(os.path.join(out, "attrs.json"), "w") as f:
        json.dump(attrs, f)

    nu, np_ = max(1, n // 10), max(1, 3 * n // 10)
    nc = max(1, n - nu - np_)
    uids, pids = [], []
    t = T0
    tf = open(os.path.join(out, "triples.json"), "w") if want_triples else None
    first = True

    def rows():
        for i in range(nu):
            u = r.uuid()
            uids.append(u)
            yield "users", {"id": u, "handle": "user%d" % i, "email": "user%d@mail%d.example" % (i, r.below(20)),
                            "fullName": words(r, 2), "city": "city-%02d" % r.below(50), "age": 18 + r.below(73),
                            "score": r.below(100000) / 100, "active": r.below(2) == 1,
                            "joinedAt": 1500000000000 + r.below(200000000) * 1000, "bio": words(r, 10)}, None
        for _ in range(np_):
            p = r.uuid()
            pids.append(p)
            yield "posts", {"id": p, "title": words(r, 5), "body": words(r, 30), "status": STATUS[r.below(4)],
                            "likes": r.below(1000), "publishedAt": 1600000000000 + r.below(100000000) * 1000}, \
                ("author", uids[r.below(nu)])
        for _ in range(nc):
            yield "comments", {"id": r.uuid(), "text": words(r, 8), "rating": 1 + r.below(5),
                               "writtenAt": 1650000000000 + r.below(50000000) * 1000}, ("post", pids[r.below(np_)])

    files, csvs = {}, {}
    for etype in ("users", "posts", "comments"):
        files[etype] = open(os.path.join(out, etype + ".jsonl"), "w")
        if want_csv:
            csvs[etype] = open(os.path.join(out, etype + ".csv"), "w")
    seen = set()
    dump = json.dumps
    if tf:
        tf.write("[\n")
    count = 0
    for etype, row, link in rows():
        full = dict(row)
        if link:
            full[link[0]] = link[1]
        full["createdAtMs"] = t
        files[etype].write(dump(full) + "\n")
        if want_csv:
            if etype not in seen:
                csvs[etype].write(",".join(full) + "\n")
                seen.add(etype)
            csvs[etype].write(",".join(("true" if v else "false") if isinstance(v, bool) else str(v)
                                       for v in full.values()) + "\n")
        if tf:
            e = row["id"]
            for k, v in list(row.items()) + ([link] if link else []):
                tf.write(("" if first else ",\n") + '["%s","%s",%s,%d]' % (e, aid[etype, k], dump(v), t))
                first = False
                count += 1
        t += 1
    if tf:
        tf.write("\n]\n")
        tf.close()
    for f in list(files.values()) + list(csvs.values()):
        f.close()
    print("users %d posts %d comments %d triples %d" % (nu, np_, nc, count))


main()
