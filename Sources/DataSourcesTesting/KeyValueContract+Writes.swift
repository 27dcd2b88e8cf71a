import DataSources

private let search = SearchQuery(text: "x")
private let page = PaginationOffsetLimitQuery(0, 1)
private let numbers = IdsQuery([1, 2])
private let objectA = ObjectQuery(a)
private let anonymous = ObjectQuery(Anonymous())

extension KeyValueContract {
  static var putRows: [ContractRow] {
    [
      row("p1: put under a new key", none, .put(a, k), .object(a), leaves: "k=a"),
      row("p1: put over an object", "k=a", .put(b, k), .object(b), leaves: "k=b"),
      row("p2: put over an array", "k=[a,b]", .put(c, k), .object(c), leaves: "k=c"),
      row("p3: put nil", "k=a", .put(nil, k), illegal),
      row("p4: put by ids", two, .put(c, IdsQuery(["a"])), unsupported),
      row("p5: put an object as all objects", two, .put(c, all), unsupported),
      row("p6: put with a void query", two, .put(c, VoidQuery()), unsupported),
      row("p7: put nil with a void query", two, .put(nil, VoidQuery()), unsupported),
      row("p8: put by an object query", none, .put(b, objectA), .object(b), leaves: "a=b"),
      row(
        "p8: put nil; the query has the object", none, .put(nil, objectA), .object(a),
        leaves: "a=a"),
      row("p8: put an object without id", two, .put(a, anonymous), unsupported),
      row("p9: put by an objects query", two, .put(c, ObjectsQuery([a])), unsupported),
      row("p9: put by a page", two, .put(c, page), unsupported),
      row("p9: put by an unknown page query", two, .put(c, BarePage()), unsupported),
      row(
        "p10: put by an unknown query with a key", none, .put(a, search), .object(a),
        leaves: "search:x=a"),
      row("p13: put by an unknown query", two, .put(c, UnrecognizedQuery()), unsupported),
    ]
  }

  static var putAllRows: [ContractRow] {
    [
      row(
        "q1: putAll over an object", "k=a", .putAll([b, c], k), .objects([b, c]),
        leaves: "k=[b,c]"),
      row("q2: putAll of an empty array", none, .putAll([], k), .objects([]), leaves: "k=[]"),
      row(
        "q3: putAll by ids", none, .putAll([b, a], ids("a", "b")), .objects([b, a]),
        leaves: "a=b b=a"),
      row("q4: putAll by ids, too few objects", two, .putAll([c], ids("a", "b")), illegal),
      row("q4: putAll by ids, too many objects", two, .putAll([c, d], ids("a")), illegal),
      row(
        "q5: putAll by numbers", none, .putAll([a, b], numbers), .objects([a, b]),
        leaves: "1=a 2=b"),
      row(
        "q6: putAll by a repeated id", none, .putAll([a, b], ids("k", "k")), .objects([a, b]),
        leaves: "k=b"),
      row(
        "q7: putAll by ids over an array", "k=[a,b]", .putAll([c], ids("k")), .objects([c]),
        leaves: "k=c"),
      row(
        "q8: putAll replaces all objects", two, .putAll([c], all), .objects([c]), leaves: "*=[c]"),
      row(
        "q8: putAll replaces all objects by none", two, .putAll([], all), .objects([]), leaves: ""),
      row(
        "q8: put after all were replaced", "*=[c,d]", .put(a, k), .object(a),
        leaves: "*=[c,d] k=a"),
      row("q9: putAll with a void query", two, .putAll([c], VoidQuery()), unsupported),
      row("q10: putAll by an object query", two, .putAll([c], ObjectQuery(a)), unsupported),
      row("q10: putAll by an objects query", two, .putAll([c], ObjectsQuery([a])), unsupported),
      row("q10: putAll by a page", two, .putAll([c], page), unsupported),
      row("q10: putAll by an unknown page query", two, .putAll([c], BarePage()), unsupported),
      row(
        "q11: putAll by an unknown query with a key", none, .putAll([a], search), .objects([a]),
        leaves: "search:x=[a]"),
      row("q13: putAll by an unknown query", two, .putAll([c], UnrecognizedQuery()), unsupported),
    ]
  }

  static var deleteRows: [ContractRow] {
    [
      row("d1: delete an object", "k=a k2=b", .delete(k), .done, leaves: "k2=b"),
      row("d1: delete an array", "k=[a,b] k2=c", .delete(k), .done, leaves: "k2=c"),
      row("d2: delete a missing key", two, .delete(k), .done),
      row("d3: delete by ids, one missing", two, .delete(ids("a", "x")), .done, leaves: "b=b"),
      row("d3: delete by the ids of all objects", two, .delete(ids("a", "b")), .done, leaves: ""),
      row("d4: delete by numbers", "1=a 3=b", .delete(IdsQuery([1, 2])), .done, leaves: "3=b"),
      row("d5: delete all objects", four, .delete(all), .done, leaves: ""),
      row("d6: delete all objects of an empty source", none, .delete(all), .done),
      row("d7: delete with a void query", two, .delete(VoidQuery()), unsupported),
      row("d8: delete by an object query", two, .delete(ObjectQuery(a)), .done, leaves: "b=b"),
      row("d8: delete an object without id", two, .delete(anonymous), unsupported),
      row("d9: delete by an objects query", two, .delete(ObjectsQuery([a])), unsupported),
      row("d9: delete by a page", two, .delete(page), unsupported),
      row("d9: delete by an unknown page query", two, .delete(BarePage()), unsupported),
      row(
        "d10: delete by an unknown query with a key", "search:x=a k=b", .delete(search), .done,
        leaves: "k=b"),
      row("d12: delete by an unknown query", two, .delete(UnrecognizedQuery()), unsupported),
    ]
  }
}
