import DataSources

/// The behavior of every key/value source for every query. Run each row on a fresh, empty source.
///
/// ```swift
/// @Test(arguments: KeyValueContract.rows)
/// func contract(row: ContractRow) async {
///   #expect(await row.complaints(about: MySource()) == [])
/// }
/// ```
public enum KeyValueContract {
  /// All rows. Each row with delete occurs a second time with `deleteAll`.
  public static var rows: [ContractRow] {
    getRows + getAllRows + putRows + putAllRows + deleteRows + deleteRows.map(\.sayingDeleteAll)
  }
}

/// A type of query that no source supports.
struct UnheardOfQuery: Query {}

/// A query of an unknown type with a key, which every source must support.
struct SearchQuery: KeyQuery {
  var text: String
  var key: String { "search:" + text }
}

/// A pagination query of a type that sources do not know.
struct BarePage: PaginationQuery {}

/// A hashable type without an id. An ``ObjectQuery`` that carries it has no key.
struct Anonymous: Hashable, Sendable {}

let a = Note("a", "first")
let b = Note("b", "second")
let c = Note("c", "third")
let d = Note("d", "fourth")
let k = IdQuery("k")
let all = AllObjectsQuery()

/// Four notes in three entries, in the order of writing.
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
      row("g1 get by id, none", none, .get(k), notFound),
      row("g2 get by id, one", "k=a", .get(k), .object(a)),
      row("g3 get by id, many", "k=[a,b]", .get(k), notFound),
      row("g5 get by ids", two, .get(ids("a", "b")), unsupported),
      row("g6 get all, none", none, .get(all), unsupported),
      row("g7 get all, some", two, .get(all), unsupported),
      row("g8 get void", two, .get(VoidQuery()), unsupported),
      row("g9 get object, one", two, .get(ObjectQuery(a)), .object(a)),
      row("g9 get object, none", none, .get(ObjectQuery(a)), notFound),
      row("g10 get object without id", two, .get(ObjectQuery(Anonymous())), unsupported),
      row("g11 get objects", two, .get(ObjectsQuery([a])), unsupported),
      row("g12 get page", two, .get(page(0, 1)), unsupported),
      row("g12 get bare page", two, .get(BarePage()), unsupported),
      row("g14 get key, none", "search:y=a", .get(SearchQuery(text: "x")), notFound),
      row("g14 get key, one", "search:x=a", .get(SearchQuery(text: "x")), .object(a)),
      row("g16 get by number", "5=a", .get(IdQuery(5)), .object(a)),
      row("g17 get unheard-of", two, .get(UnheardOfQuery()), unsupported),
    ]
  }

  static var getAllRows: [ContractRow] {
    [
      row("a1 getAll by id, none", none, .getAll(k), notFound),
      row("a2 getAll by id, many", "k=[b,a]", .getAll(k), .objects([b, a])),
      row("a3 getAll by id, one", "k=a", .getAll(k), notFound),
      row("a4 getAll by id, empty", "k=[]", .getAll(k), .objects([])),
      row("a5 getAll by ids", two, .getAll(ids("b", "a")), .objects([b, a])),
      row("a6 getAll by ids, one missing", two, .getAll(ids("a", "x", "b")), notFound),
      row("a6 getAll, skipping", two, .getAll(ids("a", "x", missing: .skip)), .objects([a])),
      row("a7 getAll by ids, one many", "a=a x=[b,c]", .getAll(ids("a", "x")), notFound),
      row("a7 skipping", "a=a x=[b,c]", .getAll(ids("a", "x", missing: .skip)), .objects([a])),
      row("a8 getAll by ids, repeated", two, .getAll(ids("a", "b", "a")), .objects([a, b, a])),
      row("a9 getAll by no ids", two, .getAll(ids()), .objects([])),
      row("a10 getAll by numbers", "1=a 2=b", .getAll(IdsQuery([2, 1])), .objects([b, a])),
      row("a11 getAll, never written", none, .getAll(all), .objects([])),
      row("a13 getAll, objects and a list", four, .getAll(all), .objects([a, b, c, d])),
      row("a16 getAll after putting all", "*=[d,c]", .getAll(all), .objects([d, c])),
      row("a17 getAll void", two, .getAll(VoidQuery()), unsupported),
      row("a18 getAll object", two, .getAll(ObjectQuery(a)), unsupported),
      row("a18 getAll objects", two, .getAll(ObjectsQuery([a])), unsupported),
      row("a19 getAll page", four, .getAll(page(1, 2)), .objects([b, c])),
      row("a20 getAll page past the end", four, .getAll(page(4, 2)), .objects([])),
      row("a21 getAll page before the beginning", four, .getAll(page(-1, 2)), illegal),
      row("a21 getAll page of nothing", four, .getAll(page(0, 0)), illegal),
      row("a22 getAll bare page", four, .getAll(BarePage()), unsupported),
      row("a23 getAll key", "search:x=[a]", .getAll(SearchQuery(text: "x")), .objects([a])),
      row("a23 getAll key, none", "search:y=[a]", .getAll(SearchQuery(text: "x")), notFound),
      row("a24 getAll unheard-of", two, .getAll(UnheardOfQuery()), unsupported),
    ]
  }
}
