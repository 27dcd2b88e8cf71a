import DataSources

/// What every key/value source does with every query: run each row on a fresh, empty source.
///
/// ```swift
/// @Test(arguments: KeyValueContract.rows)
/// func contract(row: ContractRow) async {
///   #expect(await row.complaints(about: MySource()) == [])
/// }
/// ```
public enum KeyValueContract {
  /// All rows; those of delete twice, as delete and as deleteAll.
  public static var rows: [ContractRow] {
    getRows + getAllRows + putRows + putAllRows + deleteRows + deleteRows.map(\.sayingDeleteAll)
  }
}

/// A query type that no source was made for.
struct UnheardOfQuery: Query {}

/// A key query that no source was made for, and that each must understand all the same.
struct SearchQuery: KeyQuery {
  var text: String
  var key: String { "search:" + text }
}

/// A pagination that is not one that sources know.
struct BarePage: PaginationQuery {}

/// Hashable, but without an id: an ``ObjectQuery`` of it has no key.
struct Anonymous: Hashable, Sendable {}

let a = Note("a", "first")
let b = Note("b", "second")
let c = Note("c", "third")
let d = Note("d", "fourth")
let k = IdQuery("k")
let all = AllObjectsQuery()

/// Two single objects and an array of two, under keys whose order is that of writing.
let fourObjects: [Call<Note>] = [
  .put(a, IdQuery("k1")), .put(b, IdQuery("k2")), .putAll([c, d], IdQuery("k3")),
]
let twoObjects: [Call<Note>] = [.put(a, IdQuery("a")), .put(b, IdQuery("b"))]

let unsupported = Outcome<Note>.failure(.unsupportedQuery)
let notFound = Outcome<Note>.failure(.notFound)
let illegal = Outcome<Note>.failure(.illegalArgument)

extension KeyValueContract {
  static var getRows: [ContractRow] {
    [
      ContractRow("g1 get by id, none", (.get(k), notFound)),
      ContractRow("g2 get by id, one", given: [.put(a, k)], (.get(k), .object(a))),
      ContractRow("g3 get by id, many", given: [.putAll([a, b], k)], (.get(k), notFound)),
      ContractRow("g5 get by ids", given: twoObjects, (.get(IdsQuery(["a", "b"])), unsupported)),
      ContractRow("g6 get all, none", (.get(all), unsupported)),
      ContractRow("g7 get all, some", given: twoObjects, (.get(all), unsupported)),
      ContractRow("g8 get void", given: twoObjects, (.get(VoidQuery()), unsupported)),
      ContractRow("g9 get object, one", given: twoObjects, (.get(ObjectQuery(a)), .object(a))),
      ContractRow("g9 get object, none", (.get(ObjectQuery(a)), notFound)),
      ContractRow("g10 get object without id", (.get(ObjectQuery(Anonymous())), unsupported)),
      ContractRow("g11 get objects", given: twoObjects, (.get(ObjectsQuery([a])), unsupported)),
      ContractRow("g12 get page", (.get(PaginationOffsetLimitQuery(0, 1)), unsupported)),
      ContractRow("g12 get bare page", (.get(BarePage()), unsupported)),
      ContractRow("g14 get key, none", (.get(SearchQuery(text: "x")), notFound)),
      ContractRow(
        "g14 get key, one", given: [.put(a, SearchQuery(text: "x"))],
        (.get(SearchQuery(text: "x")), .object(a)), (.get(SearchQuery(text: "y")), notFound)),
      ContractRow(
        "g16 get by number", given: [.put(a, IdQuery("5"))], (.get(IdQuery(5)), .object(a))),
      ContractRow("g17 get unheard-of", (.get(UnheardOfQuery()), unsupported)),
    ]
  }

  static var getAllRows: [ContractRow] {
    [
      ContractRow("a1 getAll by id, none", (.getAll(k), notFound)),
      ContractRow(
        "a2 getAll by id, many", given: [.putAll([b, a], k)], (.getAll(k), .objects([b, a]))),
      ContractRow("a3 getAll by id, one", given: [.put(a, k)], (.getAll(k), notFound)),
      ContractRow("a4 getAll by id, empty", given: [.putAll([], k)], (.getAll(k), .objects([]))),
      ContractRow(
        "a5 getAll by ids", given: twoObjects, (.getAll(IdsQuery(["b", "a"])), .objects([b, a]))),
      ContractRow(
        "a6 getAll by ids, one missing", given: twoObjects,
        (.getAll(IdsQuery(["a", "x", "b"])), notFound),
        (.getAll(IdsQuery(["a", "x", "b"], missing: .skip)), .objects([a, b]))),
      ContractRow(
        "a7 getAll by ids, one holds many",
        given: [.put(a, IdQuery("a")), .putAll([b, c], IdQuery("x"))],
        (.getAll(IdsQuery(["a", "x"])), notFound),
        (.getAll(IdsQuery(["a", "x"], missing: .skip)), .objects([a]))),
      ContractRow(
        "a8 getAll by ids, repeated", given: twoObjects,
        (.getAll(IdsQuery(["a", "b", "a"])), .objects([a, b, a]))),
      ContractRow("a9 getAll by no ids", (.getAll(IdsQuery<String>([])), .objects([]))),
      ContractRow(
        "a10 getAll by numbers", given: [.put(a, IdQuery(1)), .put(b, IdQuery(2))],
        (.getAll(IdsQuery([2, 1])), .objects([b, a]))),
      ContractRow("a11 getAll, never written", (.getAll(all), .objects([]))),
      ContractRow(
        "a12 getAll, emptied again", given: twoObjects + [.delete(IdsQuery(["a", "b"]))],
        (.getAll(all), .objects([]))),
      ContractRow(
        "a13 getAll, ones and many", given: fourObjects, (.getAll(all), .objects([a, b, c, d]))),
      ContractRow(
        "a16 getAll after putting all", given: twoObjects + [.putAll([d, c], all)],
        (.getAll(all), .objects([d, c]))),
      ContractRow("a17 getAll void", given: twoObjects, (.getAll(VoidQuery()), unsupported)),
      ContractRow("a18 getAll object", given: twoObjects, (.getAll(ObjectQuery(a)), unsupported)),
      ContractRow(
        "a18 getAll objects", given: twoObjects, (.getAll(ObjectsQuery([a])), unsupported)),
      ContractRow(
        "a19 getAll page", given: fourObjects,
        (.getAll(PaginationOffsetLimitQuery(1, 2)), .objects([b, c]))),
      ContractRow(
        "a20 getAll page past the end", given: fourObjects,
        (.getAll(PaginationOffsetLimitQuery(4, 2)), .objects([]))),
      ContractRow(
        "a21 getAll page that is none", given: fourObjects,
        (.getAll(PaginationOffsetLimitQuery(-1, 2)), illegal),
        (.getAll(PaginationOffsetLimitQuery(0, 0)), illegal)),
      ContractRow("a22 getAll bare page", given: fourObjects, (.getAll(BarePage()), unsupported)),
      ContractRow(
        "a23 getAll key", given: [.putAll([a], SearchQuery(text: "x"))],
        (.getAll(SearchQuery(text: "x")), .objects([a])),
        (.getAll(SearchQuery(text: "y")), notFound)),
      ContractRow("a24 getAll unheard-of", (.getAll(UnheardOfQuery()), unsupported)),
    ]
  }
}
