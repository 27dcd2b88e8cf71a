import DataSources

/// The behavior that every key/value source must have, as a list of test cases. Run each row on a
/// new, empty source.
///
/// ```swift
/// @Test(arguments: KeyValueContract.rows)
/// func contract(row: ContractRow) async {
///   let complaints = await row.complaints(about: MySource())
///   #expect(complaints == [])
/// }
/// ```
public enum KeyValueContract {
  /// All rows. Each row that calls `delete` is repeated with `deleteAll`.
  public static var rows: [ContractRow] {
    getRows + getAllRows + putRows + putAllRows + deleteRows + deleteRows.map(\.callingDeleteAll)
  }
}

/// A type of query that no source supports.
struct UnrecognizedQuery: Query {}

/// A ``KeyQuery`` of a type that no source knows. Every source must still support it, because it
/// has a key.
struct SearchQuery: KeyQuery {
  var text: String
  var key: String { "search:" + text }
}

/// A pagination query of a type that sources do not know.
struct BarePage: PaginationQuery {}

/// A hashable type without an id. An ``ObjectQuery`` that carries such an object has no key.
struct Anonymous: Hashable, Sendable {}

let a = Note("a", "first")
let b = Note("b", "second")
let c = Note("c", "third")
let d = Note("d", "fourth")
let k = IdQuery("k")
let all = AllObjectsQuery()

/// Four notes in three entries, in the order in which they are written.
let four = "k1=a k2=b k3=[c,d]"
let two = "a=a b=b"
let none = ""

let unsupported = Outcome<Note>.failure(.unsupportedQuery)
let notFound = Outcome<Note>.failure(.notFound)
let illegal = Outcome<Note>.failure(.illegalArgument)

func ids(_ ids: String..., missing: IdsQuery<String>.Missing = .fail) -> IdsQuery<String> {
  IdsQuery(ids, missing: missing)
}

private func page(_ offset: Int, _ limit: Int) -> PaginationOffsetLimitQuery {
  PaginationOffsetLimitQuery(offset, limit)
}

extension KeyValueContract {
  static var getRows: [ContractRow] {
    [
      row("g1: get by a missing id", none, .get(k), notFound),
      row("g2: get by id", "k=a", .get(k), .object(a)),
      row("g3: get by the id of an array", "k=[a,b]", .get(k), notFound),
      row("g5: get by several ids", two, .get(ids("a", "b")), unsupported),
      row("g6: get all objects of an empty source", none, .get(all), unsupported),
      row("g7: get all objects", two, .get(all), unsupported),
      row("g8: get with a void query", two, .get(VoidQuery()), unsupported),
      row("g9: get by an object query", two, .get(ObjectQuery(a)), .object(a)),
      row("g9: get by an object query, missing", none, .get(ObjectQuery(a)), notFound),
      row("g10: get by an object without id", two, .get(ObjectQuery(Anonymous())), unsupported),
      row("g11: get by an objects query", two, .get(ObjectsQuery([a])), unsupported),
      row("g12: get by a page", two, .get(page(0, 1)), unsupported),
      row("g12: get by an unknown page query", two, .get(BarePage()), unsupported),
      row(
        "g14: get by an unknown query with a key, missing", "search:y=a",
        .get(SearchQuery(text: "x")), notFound),
      row(
        "g14: get by an unknown query with a key", "search:x=a", .get(SearchQuery(text: "x")),
        .object(a)),
      row("g16: get by number", "5=a", .get(IdQuery(5)), .object(a)),
      row("g17: get by an unknown query", two, .get(UnrecognizedQuery()), unsupported),
    ]
  }

  static var getAllRows: [ContractRow] {
    [
      row("a1: getAll by a missing id", none, .getAll(k), notFound),
      row("a2: getAll by the id of an array", "k=[b,a]", .getAll(k), .objects([b, a])),
      row("a3: getAll by the id of one object", "k=a", .getAll(k), notFound),
      row("a4: getAll by the id of an empty array", "k=[]", .getAll(k), .objects([])),
      row("a5: getAll by ids", two, .getAll(ids("b", "a")), .objects([b, a])),
      row("a6: getAll by ids, one missing", two, .getAll(ids("a", "x", "b")), notFound),
      row(
        "a6: getAll by ids, skipping a missing one", two, .getAll(ids("a", "x", missing: .skip)),
        .objects([a])),
      row(
        "a7: getAll by ids, one of them of an array", "a=a x=[b,c]", .getAll(ids("a", "x")),
        notFound),
      row(
        "a7: getAll by ids, skipping an array", "a=a x=[b,c]",
        .getAll(ids("a", "x", missing: .skip)), .objects([a])),
      row(
        "a8: getAll by ids, one repeated", two, .getAll(ids("a", "b", "a")), .objects([a, b, a])),
      row("a9: getAll by no ids", two, .getAll(ids()), .objects([])),
      row("a10: getAll by numbers", "1=a 2=b", .getAll(IdsQuery([2, 1])), .objects([b, a])),
      row("a11: getAll of an empty source", none, .getAll(all), .objects([])),
      row("a13: getAll of objects and an array", four, .getAll(all), .objects([a, b, c, d])),
      row("a16: getAll after all were replaced", "*=[d,c]", .getAll(all), .objects([d, c])),
      row("a17: getAll with a void query", two, .getAll(VoidQuery()), unsupported),
      row("a18: getAll by an object query", two, .getAll(ObjectQuery(a)), unsupported),
      row("a18: getAll by an objects query", two, .getAll(ObjectsQuery([a])), unsupported),
      row("a19: getAll by a page", four, .getAll(page(1, 2)), .objects([b, c])),
      row("a20: getAll by a page past the end", four, .getAll(page(4, 2)), .objects([])),
      row("a21: getAll by a page with a negative offset", four, .getAll(page(-1, 2)), illegal),
      row("a21: getAll by a page with a limit of 0", four, .getAll(page(0, 0)), illegal),
      row("a22: getAll by an unknown page query", four, .getAll(BarePage()), unsupported),
      row(
        "a23: getAll by an unknown query with a key", "search:x=[a]",
        .getAll(SearchQuery(text: "x")), .objects([a])),
      row(
        "a23: getAll by an unknown query with a key, missing", "search:y=[a]",
        .getAll(SearchQuery(text: "x")), notFound),
      row("a24: getAll by an unknown query", two, .getAll(UnrecognizedQuery()), unsupported),
    ]
  }
}
