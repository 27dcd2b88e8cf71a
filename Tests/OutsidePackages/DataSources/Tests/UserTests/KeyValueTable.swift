import DataSources
import DataSourcesTesting
import Testing

/// What a source holds, a call, its outcome, and the calls that prove what the source holds then.
struct KeyValueRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var given: [Call<Item>]
  var call: Call<Item>
  var outcome: Outcome<Item>
  /// Nil when the call must not change anything.
  var leaves: [(call: Call<Item>, outcome: Outcome<Item>)]?

  init(
    _ name: String, _ given: [Call<Item>], _ call: Call<Item>, _ outcome: Outcome<Item>,
    leaves: [(call: Call<Item>, outcome: Outcome<Item>)]? = nil
  ) {
    testDescription = name
    self.given = given
    self.call = call
    self.outcome = outcome
    self.leaves = leaves
  }

  init(
    _ name: String, _ call: Call<Item>, _ outcome: Outcome<Item>,
    leaves: [(call: Call<Item>, outcome: Outcome<Item>)]? = nil
  ) {
    self.init(name, [], call, outcome, leaves: leaves)
  }
}

private typealias Row = KeyValueRow
private let k = IdQuery("k")
private let all = AllObjectsQuery()
private let page = PaginationOffsetLimitQuery(0, 1)
private let search = SearchQuery(text: "x")
private let ab = IdsQuery(["a", "b"])
private let one: [Call<Item>] = [.put(a, k)]
private let many: [Call<Item>] = [.putAll([a, b], k)]
private let two: [Call<Item>] = [.put(a, IdQuery("a")), .put(b, IdQuery("b"))]
private let mixed = two + [.putAll([c, d], IdQuery("m"))]
private let notFound = Outcome<Item>.failure(.notFound)
private let illegal = Outcome<Item>.failure(.illegalArgument)
private let unsupported = Outcome<Item>.failure(.unsupportedQuery)
private let unkeyed: [any Query] = [
  VoidQuery(), ObjectsQuery([a]), BarePage(), UnrecognizedQuery(), ObjectQuery(Anonymous()),
]

extension KeyValueRow {
  static let gets: [KeyValueRow] =
    [
      Row("an id without anything", .get(k), notFound),
      Row("an id with one object", one, .get(k), .object(a)),
      Row("an id with an array", many, .get(k), notFound),
      Row("several ids", two, .get(ab), unsupported),
      Row("all objects", .get(all), unsupported),
      Row("all objects, of some", two, .get(all), unsupported),
      Row("an object with an id", two, .get(ObjectQuery(a)), .object(a)),
      Row("an object with a missing id", two, .get(ObjectQuery(c)), notFound),
      Row("a page", two, .get(page), unsupported),
      Row("a custom key", [.put(a, search)], .get(search), .object(a)),
      Row("a missing custom key", .get(search), notFound),
      Row("a number for a text", [.put(a, IdQuery("5"))], .get(IdQuery(5)), .object(a)),
    ] + unkeyed.map { Row("\($0)", two, .get($0), unsupported) }

  static let getAlls: [KeyValueRow] =
    [
      Row("an id without anything", .getAll(k), notFound),
      Row("an id with an array", many, .getAll(k), .objects([a, b])),
      Row("an id with one object", one, .getAll(k), notFound),
      Row("an id with an empty array", [.putAll([], k)], .getAll(k), .objects([])),
      Row("ids in their order", two, .getAll(IdsQuery(["b", "a"])), .objects([b, a])),
      Row("ids, one missing", two, .getAll(IdsQuery(["a", "x"])), notFound),
      Row(
        "ids, one missing and skipped", two, .getAll(IdsQuery(["a", "x"], missing: .skip)),
        .objects([a])),
      Row("ids, one with an array", mixed, .getAll(IdsQuery(["a", "m"])), notFound),
      Row(
        "ids, one with an array and skipped", mixed,
        .getAll(IdsQuery(["a", "m"], missing: .skip)), .objects([a])),
      Row("an id twice", two, .getAll(IdsQuery(["a", "b", "a"])), .objects([a, b, a])),
      Row("no ids", two, .getAll(IdsQuery<String>([])), .objects([])),
      Row(
        "ids that are numbers", [.put(a, IdQuery(1)), .put(b, IdQuery(2))],
        .getAll(IdsQuery([2, 1])), .objects([b, a])),
      Row("all, never written", .getAll(all), .objects([])),
      Row("all, emptied again", two + [.delete(all)], .getAll(all), .objects([])),
      Row("all, objects and an array", mixed, .getAll(all), .objects([a, b, c, d])),
      Row(
        "all after putting all", two + [.putAll([d, c], all)], .getAll(all), .objects([d, c])),
      Row("an object", two, .getAll(ObjectQuery(a)), unsupported),
      Row("a page", mixed, .getAll(PaginationOffsetLimitQuery(1, 2)), .objects([b, c])),
      Row("a page past the end", mixed, .getAll(PaginationOffsetLimitQuery(4, 2)), .objects([])),
      Row("a page before the first", mixed, .getAll(PaginationOffsetLimitQuery(-1, 2)), illegal),
      Row("a page of nothing", mixed, .getAll(PaginationOffsetLimitQuery(0, 0)), illegal),
      Row("a custom key", [.putAll([a], search)], .getAll(search), .objects([a])),
      Row("a missing custom key", .getAll(search), notFound),
    ] + unkeyed.map { Row("\($0)", two, .getAll($0), unsupported) }

  static let puts: [KeyValueRow] =
    [
      Row("an id without anything", .put(a, k), .object(a), leaves: [(.get(k), .object(a))]),
      Row("an id with one object", one, .put(b, k), .object(b), leaves: [(.get(k), .object(b))]),
      Row(
        "an id with an array", many, .put(c, k), .object(c),
        leaves: [(.get(k), .object(c)), (.getAll(k), notFound)]),
      Row("nothing", one, .put(nil, k), illegal),
      Row("several ids", two, .put(c, ab), unsupported),
      Row("all objects", two, .put(c, all), unsupported),
      Row("nothing, to a void query", two, .put(nil, VoidQuery()), unsupported),
      Row(
        "an object, by another", .put(b, ObjectQuery(a)), .object(b),
        leaves: [(.get(IdQuery("a")), .object(b)), (.getAll(all), .objects([b]))]),
      Row(
        "nothing, by an object", .put(nil, ObjectQuery(a)), .object(a),
        leaves: [(.get(IdQuery("a")), .object(a))]),
      Row("a page", two, .put(c, page), unsupported),
      Row(
        "a custom key", .put(a, search), .object(a),
        leaves: [(.get(IdQuery("search:x")), .object(a))]),
    ] + unkeyed.map { Row("\($0)", two, .put(c, $0), unsupported) }

  static let putAlls: [KeyValueRow] =
    [
      Row(
        "an id with one object", one, .putAll([b, c], k), .objects([b, c]),
        leaves: [(.get(k), notFound), (.getAll(k), .objects([b, c]))]),
      Row("an empty array", .putAll([], k), .objects([]), leaves: [(.getAll(k), .objects([]))]),
      Row(
        "as many as ids", .putAll([b, a], ab), .objects([b, a]),
        leaves: [(.get(IdQuery("a")), .object(b)), (.get(IdQuery("b")), .object(a))]),
      Row("fewer than ids", two, .putAll([c], ab), illegal),
      Row("more than ids", two, .putAll([c, d], IdsQuery(["a"])), illegal),
      Row(
        "as many as numbers", .putAll([a, b], IdsQuery([1, 2])), .objects([a, b]),
        leaves: [(.get(IdQuery("1")), .object(a)), (.get(IdQuery(2)), .object(b))]),
      Row(
        "an id twice", .putAll([a, b], IdsQuery(["k", "k"])), .objects([a, b]),
        leaves: [(.get(k), .object(b))]),
      Row(
        "an id with an array", many, .putAll([c], IdsQuery(["k"])), .objects([c]),
        leaves: [(.get(k), .object(c)), (.getAll(k), notFound)]),
      Row(
        "all objects", mixed, .putAll([d], all), .objects([d]),
        leaves: [(.getAll(all), .objects([d])), (.get(IdQuery("a")), notFound)]),
      Row("an object", two, .putAll([c], ObjectQuery(a)), unsupported),
      Row("a page", two, .putAll([c], page), unsupported),
      Row(
        "a custom key", .putAll([a], search), .objects([a]),
        leaves: [(.getAll(search), .objects([a]))]),
    ] + unkeyed.map { Row("\($0)", two, .putAll([c], $0), unsupported) }

  static let deletes: [KeyValueRow] =
    [
      Row("an id with one object", one, .delete(k), .done, leaves: [(.get(k), notFound)]),
      Row("an id with an array", many, .delete(k), .done, leaves: [(.getAll(k), notFound)]),
      Row("an id without anything", two, .delete(k), .done),
      Row(
        "ids, one missing", two, .delete(IdsQuery(["a", "x"])), .done,
        leaves: [(.getAll(all), .objects([b]))]),
      Row(
        "ids that are numbers", [.put(a, IdQuery(1))], .delete(IdsQuery([1, 2])), .done,
        leaves: [(.getAll(all), .objects([]))]),
      Row("all", mixed, .delete(all), .done, leaves: [(.getAll(all), .objects([]))]),
      Row("all, never written", .delete(all), .done),
      Row(
        "an object with an id", two, .delete(ObjectQuery(a)), .done,
        leaves: [(.getAll(all), .objects([b]))]),
      Row("a page", two, .delete(page), unsupported),
      Row(
        "a custom key", two + [.put(c, search)], .delete(search), .done,
        leaves: [(.getAll(all), .objects([a, b]))]),
    ] + unkeyed.map { Row("\($0)", two, .delete($0), unsupported) }

  static let deleteAlls: [KeyValueRow] = deletes.map { row in
    guard case .delete(let query) = row.call else { return row }
    var row = row
    row.call = .deleteAll(query)
    return row
  }
}

@Suite struct `A key-value source of any kind` {
  private let folder = TemporaryFolder()
  private static let keys: [any Query] = ["a", "b", "c", "k", "m", "1", "2", "5"].map {
    IdQuery($0)
  }

  @Test(arguments: SourceKind.allCases, KeyValueRow.gets)
  func gets(kind: SourceKind, row: KeyValueRow) async { await check(row, on: kind) }

  @Test(arguments: SourceKind.allCases, KeyValueRow.getAlls)
  func `gets all`(kind: SourceKind, row: KeyValueRow) async { await check(row, on: kind) }

  @Test(arguments: SourceKind.allCases, KeyValueRow.puts)
  func puts(kind: SourceKind, row: KeyValueRow) async { await check(row, on: kind) }

  @Test(arguments: SourceKind.allCases, KeyValueRow.putAlls)
  func `puts all`(kind: SourceKind, row: KeyValueRow) async { await check(row, on: kind) }

  @Test(arguments: SourceKind.allCases, KeyValueRow.deletes)
  func deletes(kind: SourceKind, row: KeyValueRow) async { await check(row, on: kind) }

  @Test(arguments: SourceKind.allCases, KeyValueRow.deleteAlls)
  func `deletes all as it deletes`(kind: SourceKind, row: KeyValueRow) async {
    await check(row, on: kind)
  }

  /// Rows of the table on each wrapper, whose answers are those of its base.
  @Test(arguments: Wrapping<Item>.all)
  func `answers the same through a wrapper`(wrapping: Wrapping<Item>) async {
    let rows = [
      KeyValueRow.gets, KeyValueRow.getAlls, KeyValueRow.puts, KeyValueRow.putAlls,
      KeyValueRow.deletes, KeyValueRow.deleteAlls,
    ].joined()
    for row in rows {
      await check(row, on: wrapping.wrap(AnyDataSource(InMemoryDataSource<Item>())))
    }
  }

  private func check(_ row: KeyValueRow, on kind: SourceKind) async {
    await check(row, on: kind.make(folder))
    guard kind != .memory else { return }
    for proof in row.leaves ?? [] {
      // A second source on the same place is what a later run of the program has.
      #expect(await proof.call.outcome(on: kind.make(folder)) == proof.outcome)
    }
  }

  private func check(_ row: KeyValueRow, on source: any LiveDataSource<Item>) async {
    for call in row.given {
      if case .failure(let code) = await call.outcome(on: source) {
        Issue.record("\(row.testDescription): \(call) threw \(code) while preparing")
      }
    }
    let before = await content(of: source)
    let outcome = await row.call.outcome(on: source)
    #expect(outcome == row.outcome, "\(row.testDescription): \(row.call)")
    guard let leaves = row.leaves else {
      #expect(await content(of: source) == before, "\(row.testDescription): \(row.call)")
      return
    }
    for proof in leaves {
      #expect(
        await proof.call.outcome(on: source) == proof.outcome,
        "\(row.testDescription): \(row.call), then \(proof.call)")
    }
  }

  /// All objects, and both forms of every key of the table.
  private func content(of source: any LiveDataSource<Item>) async -> [Outcome<Item>] {
    var content = [await Call<Item>.getAll(all).outcome(on: source)]
    for key in Self.keys {
      content.append(await Call<Item>.get(key).outcome(on: source))
      content.append(await Call<Item>.getAll(key).outcome(on: source))
    }
    return content
  }
}
