import ConformanceSupport
import InstaQL
import Testing
import Triples

/// The shared sequences of transactions with the answers after each.
@Suite("Answers between transactions", .enabled(if: TransactionFile.folder != nil))
struct TransactionConformanceTests {
  @Test("every file of the folder is read")
  func allFiles() throws {
    #expect(
      TransactionFile.names == ConformanceFile.names(in: try required(TransactionFile.folder)))
  }

  @Test(
    "answers after each transaction match the shared cases", arguments: TransactionFile.names
  )
  func sequences(name: String) throws {
    let file = try TransactionFile(name)
    for sequence in file.sequences {
      try file.run(sequence) { place, reason in
        Issue.record("\(name) \(sequence.name) \(place): \(reason)")
      }
    }
  }
}

private struct TransactionFile {
  let store: TripleStore
  let schema: Schema?
  let infersCardinality: Bool
  let readsDates: Bool
  let sequences: [Sequence]

  struct Sequence {
    let name: String
    let steps: [JSONObject]
    let live: [JSONObject]
  }

  static let folder = ConformanceFile.folder("instaml")

  static let names =
    folder.map { ConformanceFile.names(in: $0, format: "instaml-conformance/1") } ?? []

  init(_ name: String) throws {
    let file = try ConformanceFile.object(try required(Self.folder) + "/\(name).json")
    let options = file["options"]?.object ?? JSONObject()
    schema =
      options["useSchema"] == true
      ? try ConformanceFile.schema(try required(file["schema"]?.object)) : nil
    readsDates = options["useDateObjects"] == true
    infersCardinality = options["cardinalityInference"] == true
    store = try ConformanceFile.store(
      try required(file["attrs"]), try required(file["triples"]).withPlainDates)
    sequences = (file["sequences"]?.list ?? []).compactMap(\.object).map { sequence in
      Sequence(
        name: sequence["name"]?.text ?? "",
        steps: (sequence["steps"]?.list ?? []).compactMap(\.object),
        live: (sequence["live"]?.list ?? []).compactMap(\.object))
    }
  }

  // MARK: Running

  /// Reports each unexpected answer, except for known differences.
  func run(_ sequence: Sequence, differs: (_ place: String, _ reason: String) -> Void) throws {
    var store = store
    var last: [String: Value?] = [:]
    var hasDiverged = false
    for query in sequence.live {
      let id = try required(query["id"]?.text)
      last[id] = answer(query, in: store)
    }
    for (index, step) in sequence.steps.enumerated() {
      let before = store
      if step["error"] == nil {
        try store.transact(transaction(step, in: store), rules: .optimistic)
      }
      if KnownDifferences.cascadesFurther(step, from: before, to: store) { return }
      // From here on the reference has extra or missing triples.
      hasDiverged = hasDiverged || step["rebuiltDelta"] != nil
      if hasDiverged { continue }
      for (number, example) in (step["queries"]?.list ?? []).compactMap(\.object).enumerated() {
        let answer = answer(example, in: store)
        let wanted = (example["rebuiltResult"] ?? example["result"])?.object?["data"]
        if let reason = difference(answer, wanted), !isKnown(example, in: store) {
          differs("\(index).\(number)", reason)
        }
      }
      for change in step["live"]?.object?.members ?? [] {
        let query = try required(sequence.live.first { $0["id"]?.text == change.key })
        let answer = answer(query, in: store)
        let changed = change.value.object?["changed"] == true
        if isKnown(query, in: store) {
          // Neither the answers nor the times of changes match the reference.
        } else if (answer != last[change.key]) != changed {
          differs("\(index) \(change.key)", changed ? "has not changed" : "has changed")
        } else if let wanted = change.value.object?["result"]?.object?["data"],
          let reason = difference(answer, wanted)
        {
          differs("\(index) \(change.key)", reason)
        }
        last[change.key] = answer
      }
    }
  }

  private func isKnown(_ example: JSONObject, in store: TripleStore) -> Bool {
    let known = KnownDifferences(in: store, hasDateObjects: readsDates)
    return !known.rules(for: example["query"] ?? .null).isEmpty
  }

  private func transaction(_ step: JSONObject, in store: TripleStore) throws -> Transaction {
    if let raw = step["raw"] { return try Transaction(json: raw.withPlainDates) }
    let builder = try TransactionBuilder(json: step["ops"]?.withPlainDates ?? [])
    return try builder.transaction(in: store, declared: schema, readsDates: readsDates)
  }

  /// Nil when the query is rejected.
  private func answer(_ example: JSONObject, in store: TripleStore) -> Value? {
    do {
      let query = try required(example["query"]).withPlainDates
      let pages = try ConformanceFile.Case.pages(example["pageInfo"]?.object)
      let options = QueryOptions(infersCardinality: infersCardinality, paging: .served(pages))
      try QueryValidator(schema: schema).validate(query)
      let document = try QueryDocument(instaQL: query, reading: .reference)
      let bytes = try QueryEngine.json(document, in: store, options: options)
      return try JSONReader.value(of: bytes).object?["data"]
    } catch { return nil }
  }

  private func difference(_ answer: Value?, _ wanted: Value?) -> String? {
    guard let answer else { return wanted == nil ? nil : "refused" }
    guard let wanted else { return "not refused" }
    return answer.isAnswer(wanted)
      ? nil : "\(JSONWriter.text(answer).prefix(300)) wanted \(JSONWriter.text(wanted).prefix(300))"
  }
}
