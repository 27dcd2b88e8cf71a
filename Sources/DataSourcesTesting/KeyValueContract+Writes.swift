import DataSources

extension KeyValueContract {
  static var putRows: [ContractRow] {
    [
      ContractRow("p1 put over none", (.put(a, k), .object(a)), (.get(k), .object(a))),
      ContractRow(
        "p1 put over one", given: [.put(a, k)], (.put(b, k), .object(b)), (.get(k), .object(b)),
        (.getAll(all), .objects([b]))),
      ContractRow(
        "p2 put over many", given: [.putAll([a, b], k)], (.put(c, k), .object(c)),
        (.getAll(k), notFound), (.get(k), .object(c)), (.getAll(all), .objects([c]))),
      ContractRow(
        "p3 put nothing", given: [.put(a, k)], (.put(nil, k), illegal), (.get(k), .object(a))),
      ContractRow("p4 put by ids", (.put(a, IdsQuery(["a"])), unsupported)),
      ContractRow("p5 put all", (.put(a, all), unsupported), (.getAll(all), .objects([]))),
      ContractRow("p6 put void", (.put(a, VoidQuery()), unsupported)),
      ContractRow("p7 put nothing void", (.put(nil, VoidQuery()), unsupported)),
      ContractRow(
        "p8 put object", (.put(b, ObjectQuery(a)), .object(b)), (.get(IdQuery("a")), .object(b))),
      ContractRow(
        "p8 put object, from the query", (.put(nil, ObjectQuery(a)), .object(a)),
        (.get(IdQuery("a")), .object(a))),
      ContractRow("p8 put object without id", (.put(a, ObjectQuery(Anonymous())), unsupported)),
      ContractRow("p9 put objects", (.put(a, ObjectsQuery([a])), unsupported)),
      ContractRow("p9 put page", (.put(a, PaginationOffsetLimitQuery(0, 1)), unsupported)),
      ContractRow("p9 put bare page", (.put(a, BarePage()), unsupported)),
      ContractRow("p10 put key", (.put(a, SearchQuery(text: "x")), .object(a))),
      ContractRow("p13 put unheard-of", (.put(a, UnheardOfQuery()), unsupported)),
    ]
  }

  static var putAllRows: [ContractRow] {
    [
      ContractRow(
        "q1 putAll over one", given: [.put(a, k)], (.putAll([b, c], k), .objects([b, c])),
        (.get(k), notFound), (.getAll(k), .objects([b, c])), (.getAll(all), .objects([b, c]))),
      ContractRow("q2 putAll empty", (.putAll([], k), .objects([])), (.getAll(k), .objects([]))),
      ContractRow(
        "q3 putAll by ids", (.putAll([a, b], IdsQuery(["a", "b"])), .objects([a, b])),
        (.get(IdQuery("b")), .object(b))),
      ContractRow(
        "q4 putAll by ids, too few", given: [.put(c, IdQuery("a"))],
        (.putAll([a], IdsQuery(["a", "b"])), illegal), (.getAll(all), .objects([c]))),
      ContractRow(
        "q4 putAll by ids, too many", (.putAll([a, b], IdsQuery(["a"])), illegal),
        (.getAll(all), .objects([]))),
      ContractRow(
        "q5 putAll by numbers", (.putAll([a, b], IdsQuery([1, 2])), .objects([a, b])),
        (.get(IdQuery(2)), .object(b))),
      ContractRow(
        "q6 putAll by ids, repeated", (.putAll([a, b], IdsQuery(["k", "k"])), .objects([a, b])),
        (.get(k), .object(b)), (.getAll(all), .objects([b]))),
      ContractRow(
        "q7 putAll by ids over many", given: [.putAll([a, b], k)],
        (.putAll([c], IdsQuery(["k"])), .objects([c])), (.getAll(k), notFound)),
      ContractRow(
        "q8 putAll all", given: twoObjects, (.putAll([c], all), .objects([c])),
        (.getAll(all), .objects([c])), (.get(IdQuery("a")), notFound)),
      ContractRow(
        "q8 putAll all, none", given: twoObjects, (.putAll([], all), .objects([])),
        (.getAll(all), .objects([]))),
      ContractRow(
        "q8 put after putAll all", given: [.putAll([c, d], all)], (.put(a, k), .object(a)),
        (.getAll(all), .objects([c, d, a]))),
      ContractRow("q9 putAll void", (.putAll([a], VoidQuery()), unsupported)),
      ContractRow("q10 putAll object", (.putAll([a], ObjectQuery(a)), unsupported)),
      ContractRow("q10 putAll objects", (.putAll([a], ObjectsQuery([a])), unsupported)),
      ContractRow("q10 putAll page", (.putAll([a], PaginationOffsetLimitQuery(0, 1)), unsupported)),
      ContractRow("q10 putAll bare page", (.putAll([a], BarePage()), unsupported)),
      ContractRow("q11 putAll key", (.putAll([a], SearchQuery(text: "x")), .objects([a]))),
      ContractRow("q13 putAll unheard-of", (.putAll([a], UnheardOfQuery()), unsupported)),
    ]
  }

  static var deleteRows: [ContractRow] {
    [
      ContractRow("d1 delete one", given: [.put(a, k)], (.delete(k), .done), (.get(k), notFound)),
      ContractRow(
        "d1 delete many", given: [.putAll([a, b], k)], (.delete(k), .done), (.getAll(k), notFound)),
      ContractRow("d2 delete none", (.delete(k), .done)),
      ContractRow(
        "d3 delete by ids", given: twoObjects, (.delete(IdsQuery(["a", "x"])), .done),
        (.getAll(all), .objects([b]))),
      ContractRow(
        "d4 delete by numbers", given: [.put(a, IdQuery(1))], (.delete(IdsQuery([1, 2])), .done),
        (.getAll(all), .objects([]))),
      ContractRow(
        "d5 delete all", given: fourObjects, (.delete(all), .done), (.getAll(all), .objects([]))),
      ContractRow("d6 delete all, never written", (.delete(all), .done)),
      ContractRow(
        "d7 delete void", given: twoObjects, (.delete(VoidQuery()), unsupported),
        (.getAll(all), .objects([a, b]))),
      ContractRow(
        "d8 delete object", given: twoObjects, (.delete(ObjectQuery(a)), .done),
        (.getAll(all), .objects([b]))),
      ContractRow("d8 delete object without id", (.delete(ObjectQuery(Anonymous())), unsupported)),
      ContractRow("d9 delete objects", (.delete(ObjectsQuery([a])), unsupported)),
      ContractRow("d9 delete page", (.delete(PaginationOffsetLimitQuery(0, 1)), unsupported)),
      ContractRow("d9 delete bare page", (.delete(BarePage()), unsupported)),
      ContractRow(
        "d10 delete key", given: [.put(a, SearchQuery(text: "x"))],
        (.delete(SearchQuery(text: "x")), .done), (.get(SearchQuery(text: "x")), notFound)),
      ContractRow("d12 delete unheard-of", (.delete(UnheardOfQuery()), unsupported)),
    ]
  }
}
