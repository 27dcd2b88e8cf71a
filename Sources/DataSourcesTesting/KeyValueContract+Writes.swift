import DataSources

private let search = SearchQuery(text: "x")
private let page = PaginationOffsetLimitQuery(0, 1)
private let numbers = IdsQuery([1, 2])
private let objectA = ObjectQuery(a)
private let anonymous = ObjectQuery(Anonymous())

extension KeyValueContract {
  static var putRows: [ContractRow] {
    [
      row("p1 put over none", none, .put(a, k), .object(a), leaves: "k=a"),
      row("p1 put over one", "k=a", .put(b, k), .object(b), leaves: "k=b"),
      row("p2 put over many", "k=[a,b]", .put(c, k), .object(c), leaves: "k=c"),
      row("p3 put nothing", "k=a", .put(nil, k), illegal),
      row("p4 put by ids", two, .put(c, IdsQuery(["a"])), unsupported),
      row("p5 put all", two, .put(c, all), unsupported),
      row("p6 put void", two, .put(c, VoidQuery()), unsupported),
      row("p7 put nothing void", two, .put(nil, VoidQuery()), unsupported),
      row("p8 put object", none, .put(b, objectA), .object(b), leaves: "a=b"),
      row("p8 put object, from the query", none, .put(nil, objectA), .object(a), leaves: "a=a"),
      row("p8 put object without id", two, .put(a, anonymous), unsupported),
      row("p9 put objects", two, .put(c, ObjectsQuery([a])), unsupported),
      row("p9 put page", two, .put(c, page), unsupported),
      row("p9 put bare page", two, .put(c, BarePage()), unsupported),
      row("p10 put key", none, .put(a, search), .object(a), leaves: "search:x=a"),
      row("p13 put unheard-of", two, .put(c, UnheardOfQuery()), unsupported),
    ]
  }

  static var putAllRows: [ContractRow] {
    [
      row("q1 putAll over one", "k=a", .putAll([b, c], k), .objects([b, c]), leaves: "k=[b,c]"),
      row("q2 putAll empty", none, .putAll([], k), .objects([]), leaves: "k=[]"),
      row("q3 by ids", none, .putAll([b, a], ids("a", "b")), .objects([b, a]), leaves: "a=b b=a"),
      row("q4 putAll by ids, too few", two, .putAll([c], ids("a", "b")), illegal),
      row("q4 putAll by ids, too many", two, .putAll([c, d], ids("a")), illegal),
      row("q5 by numbers", none, .putAll([a, b], numbers), .objects([a, b]), leaves: "1=a 2=b"),
      row("q6 twice", none, .putAll([a, b], ids("k", "k")), .objects([a, b]), leaves: "k=b"),
      row("q7 ids over many", "k=[a,b]", .putAll([c], ids("k")), .objects([c]), leaves: "k=c"),
      row("q8 putAll all", two, .putAll([c], all), .objects([c]), leaves: "*=[c]"),
      row("q8 putAll all, none", two, .putAll([], all), .objects([]), leaves: ""),
      row("q8 put after all", "*=[c,d]", .put(a, k), .object(a), leaves: "*=[c,d] k=a"),
      row("q9 putAll void", two, .putAll([c], VoidQuery()), unsupported),
      row("q10 putAll object", two, .putAll([c], ObjectQuery(a)), unsupported),
      row("q10 putAll objects", two, .putAll([c], ObjectsQuery([a])), unsupported),
      row("q10 putAll page", two, .putAll([c], page), unsupported),
      row("q10 putAll bare page", two, .putAll([c], BarePage()), unsupported),
      row("q11 putAll key", none, .putAll([a], search), .objects([a]), leaves: "search:x=[a]"),
      row("q13 putAll unheard-of", two, .putAll([c], UnheardOfQuery()), unsupported),
    ]
  }

  static var deleteRows: [ContractRow] {
    [
      row("d1 delete one", "k=a k2=b", .delete(k), .done, leaves: "k2=b"),
      row("d1 delete many", "k=[a,b] k2=c", .delete(k), .done, leaves: "k2=c"),
      row("d2 delete none", two, .delete(k), .done),
      row("d3 delete by ids", two, .delete(ids("a", "x")), .done, leaves: "b=b"),
      row("d3 delete by all ids, emptied", two, .delete(ids("a", "b")), .done, leaves: ""),
      row("d4 delete by numbers", "1=a 3=b", .delete(IdsQuery([1, 2])), .done, leaves: "3=b"),
      row("d5 delete all", four, .delete(all), .done, leaves: ""),
      row("d6 delete all, never written", none, .delete(all), .done),
      row("d7 delete void", two, .delete(VoidQuery()), unsupported),
      row("d8 delete object", two, .delete(ObjectQuery(a)), .done, leaves: "b=b"),
      row("d8 delete object without id", two, .delete(anonymous), unsupported),
      row("d9 delete objects", two, .delete(ObjectsQuery([a])), unsupported),
      row("d9 delete page", two, .delete(page), unsupported),
      row("d9 delete bare page", two, .delete(BarePage()), unsupported),
      row("d10 delete key", "search:x=a k=b", .delete(search), .done, leaves: "k=b"),
      row("d12 delete unheard-of", two, .delete(UnheardOfQuery()), unsupported),
    ]
  }
}
