import ConformanceSupport
import InstaQL
import Testing
import Triples

/// The shared cases, if they are next to the checkout.
struct ConformanceTests {
  @Test("every file of the folder is read", .enabled(if: ConformanceFile.folder != nil))
  func allFiles() throws {
    let all = ConformanceFile.names(in: try required(ConformanceFile.folder))
    #expect(all == (ConformanceFile.names + ["dates"]).sorted())
  }

  @Test(
    "answers match the shared cases, except for known differences",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func cases(name: String) throws {
    let file = try ConformanceFile(name)
    let known = KnownDifferences(in: file.store, hasDateObjects: file.hasDateObjects)
    for example in file.cases {
      guard let reason = try difference(example, file) else { continue }
      if !Self.hasSmallLimit(example), known.rules(for: example.query).isEmpty {
        Issue.record("\(example.id): \(reason)")
      }
    }
  }

  @Test("each known difference occurs in some case", .enabled(if: ConformanceFile.folder != nil))
  func usedDifferences() throws {
    var unused = Set(KnownDifferences.all.map(\.reason))
    for name in ConformanceFile.names where name.hasPrefix("edge") {
      let file = try ConformanceFile(name)
      let known = KnownDifferences(in: file.store, hasDateObjects: file.hasDateObjects)
      for example in file.cases where try difference(example, file) != nil {
        for rule in known.rules(for: example.query) { unused.remove(rule.reason) }
      }
    }
    #expect(unused.isEmpty)
  }

  /// A limit below 1 is rejected by both sets of rules.
  private static func hasSmallLimit(_ example: ConformanceFile.Case) -> Bool {
    (example.query.object?.members ?? []).contains { member in
      guard case .integer(let limit)? = member.value.object?["$"]?.object?["limit"] else {
        return false
      }
      return limit < 1
    }
  }

  @Test(
    "with reference rules every shared case has its answer",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func reference(name: String) throws {
    let file = try ConformanceFile(name)
    let rules = QueryOptions.Rules.reference(dateObjects: file.hasDateObjects)
    for example in file.cases {
      if Self.hasSmallLimit(example) { continue }
      let reason = try difference(example, file, rules)
      #expect(reason == nil, "\(example.id)")
    }
  }

  /// Nil when the engine's result is as expected.
  private func difference(
    _ example: ConformanceFile.Case, _ file: ConformanceFile,
    _ rules: QueryOptions.Rules = .recommended
  ) throws -> String? {
    let options = QueryOptions(
      infersCardinality: file.infersCardinality, rules: rules,
      paging: .served(try example.pages()))
    var actual: Value
    do {
      try QueryValidator(schema: file.schema).validate(example.query)
      let document = try QueryDocument(instaQL: example.query, reading: .reference)
      actual = try JSONReader.value(
        of: try QueryEngine.json(document, in: file.store, options: options))
    } catch let error as QueryError {
      guard let wanted = example.error else { return "refused: \(error.message)" }
      guard wanted["kind"] == "validation" else { return nil }
      let message = wanted["message"]?.text
      return error.message == message ? nil : "says \(error.message) instead of \(message ?? "")"
    }
    if let error = example.error { return "not refused: \(error)" }
    let wanted = try required(example.result?["data"])
    let data = try required(actual.object?["data"])
    if actual.object?["pageInfo"]?.isAnswer(example.result?["pageInfo"] ?? .null) == false {
      return "other page info"
    }
    return data.isAnswer(wanted)
      ? nil : "\(JSONWriter.text(data).prefix(300)) wanted \(JSONWriter.text(wanted).prefix(300))"
  }

  @Test(
    "local pages match the server's pages",
    .enabled(if: ConformanceFile.folder != nil), arguments: ConformanceFile.names)
  func pages(name: String) throws {
    let file = try ConformanceFile(name)
    for example in file.cases where example.tags.contains("paging") && example.result != nil {
      let isServersOnly = !example.tags.isDisjoint(with: ["no-page-info", "last-without-before"])
      if isServersOnly { continue }
      let document = try QueryDocument(instaQL: example.query, reading: .reference)
      let options = QueryOptions(
        infersCardinality: file.infersCardinality,
        rules: .reference(dateObjects: file.hasDateObjects))
      let actual = try JSONReader.value(
        of: try QueryEngine.json(document, in: file.store, options: options))
      let comment = Comment(rawValue: "\(example.id): \(JSONWriter.text(actual))".prefix(600) + "")
      for part in ["data", "pageInfo"] {
        let wanted = try required(example.result?[part]).withoutAbsentTimes
        #expect(actual.object?[part]?.isAnswer(wanted) == true, comment)
      }
    }
  }

  @Test(
    "texts and numbers have the instants of the shared cases",
    .enabled(if: ConformanceFile.folder != nil))
  func dates() throws {
    let file = try ConformanceFile.read(try required(ConformanceFile.folder) + "/dates.json")
    for example in (file.object?["cases"]?.list ?? []).compactMap(\.object) {
      let input = try required(example["input"])
      #expect(input.instant.map { Value.integer($0.milliseconds) } == example["ms"], "\(input)")
    }
  }
}
