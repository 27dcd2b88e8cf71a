#!/usr/bin/env python3
"""Checks the demo data: keys are unique, links resolve, values have the types that schema.json promises.

    python3 check.py [SET…]        all sets by default; exit status 1 and one line a fault otherwise
"""
import datetime
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def is_date(value):
    if not isinstance(value, str):
        return False
    try:
        datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return False
    return True


TYPES = {
    "string": lambda v: isinstance(v, str) and v == v.strip() and v not in ("", "None", "null"),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "date": is_date,
    "any": lambda v: True,
}


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"a key appears twice in {keys}")
    return dict(pairs)


def check(folder):
    """One sentence for each fault of the set in `folder`."""
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    entities, links = schema["entities"], schema["links"]
    rows = {n: json.loads((folder / f"{n}.json").read_text(encoding="utf-8"), object_pairs_hook=no_duplicates) for n in entities}
    keys = {n: {row.get(entities[n].get("key", "id")) for row in rows[n]} for n in entities}
    forward = {(link["forward"]["on"], link["forward"]["label"]): link for link in links.values()}
    yield from check_schema(folder, entities, links)
    for namespace, entity in entities.items():
        if len(keys[namespace]) != len(rows[namespace]):
            yield f"{namespace}: {len(rows[namespace])} rows, but {len(keys[namespace])} keys"
        for label, attr in entity["attrs"].items():
            values = [row[label] for row in rows[namespace] if row.get(label) is not None]
            if attr["config"]["unique"] and len(set(values)) < len(values):
                yield f"{namespace}.{label}: not unique"
        for number, row in enumerate(rows[namespace], 1):
            where = f"{namespace} row {number}"
            yield from (f"{where}: no {label}" for label, attr in entity["attrs"].items() if attr["required"] and row.get(label) is None)
            for label, value in row.items():
                if (namespace, label) in forward:
                    yield from check_link(f"{where}.{label}", value, forward[namespace, label], keys)
                elif label not in entity["attrs"]:
                    yield f"{where}: {label} is not in the schema"
                elif value is not None and not TYPES[entity["attrs"][label]["valueType"]](value):
                    yield f"{where}.{label}: {value!r} is no {entity['attrs'][label]['valueType']}"
    for (namespace, label), link in forward.items():
        if link["reverse"]["has"] == "one":
            targets = [row[label] for row in rows[namespace] if label in row]
            if len(set(targets)) < len(targets):
                yield f"{namespace}.{label}: two rows share one target, but its reverse has one"


def check_schema(folder, entities, links):
    for namespace, entity in entities.items():
        for role in ("key", "label"):
            if role in entity and entity[role] not in entity["attrs"]:
                yield f"{namespace}: the {role} {entity[role]} is no attribute"
    labels = [(side["on"], side["label"]) for link in links.values() for side in (link["forward"], link["reverse"])]
    labels += [(n, label) for n, entity in entities.items() for label in entity["attrs"]]
    yield from (f"{n}.{label}: named twice" for n, label in sorted(set(labels)) if labels.count((n, label)) > 1)
    files = {path.stem for path in folder.glob("*.json")} - {"schema"}
    yield from (f"{name}.json is not in the schema" for name in sorted(files - set(entities)))


def check_link(where, value, link, keys):
    many = link["forward"]["has"] == "many"
    if many != isinstance(value, list):
        yield f"{where}: the link has {link['forward']['has']}, the value is {value!r}"
        return
    targets = value if many else [value]
    if len(set(targets)) < len(targets):
        yield f"{where}: a target appears twice"
    yield from (f"{where}: nothing has the key {t!r}" for t in targets if t not in keys[link["reverse"]["on"]])


def main():
    names = sys.argv[1:] or sorted(path.parent.name for path in HERE.glob("*/schema.json"))
    faults = [f"{name}: {fault}" for name in names for fault in check(HERE / name)]
    print("\n".join(faults) or f"{', '.join(names)}: no fault")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
