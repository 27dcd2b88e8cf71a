import ConformanceCases
import Glibc
import InstaQL
import Testing
import Triples

/// The shared sequences of transactions: what queries answer after each.
@Suite("Answers between transactions", .enabled(if: TransactionFile.folder != nil))
struct TransactionConformanceTests {
  @Test(
    "answers after each transaction are those of the shared cases", arguments: TransactionFile.names
  )
  func sequences(name: String) throws {
    let file = try TransactionFile(name)
    var different: [String: String] = [:]
    for sequence in file.sequences {
      try file.run(sequence) { place, reason in different["\(sequence.name) \(place)"] = reason }
    }
    let known = TransactionFile.knownDifferences[name] ?? []
    for (place, reason) in different where !known.contains(place) {
      Issue.record("\(name) \(place): \(reason)")
    }
    #expect(Set(different.keys) == known)
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

  static let folder: String? = ConformanceFile.folder.flatMap { path in
    let path = path.split(separator: "/").dropLast().joined(separator: "/")
    return access("/\(path)/instaml", R_OK) == 0 ? "/\(path)/instaml" : nil
  }

  static let names = ConformanceFile.names.filter { $0 != "movies" && $0 != "zeneca" }

  /// The known differences of the engine, where these sequences meet them.
  static let knownDifferences: [String: Set<String>] = [
    // A null is in no order; there it counts as 0.
    "edge-plain": ["dates 1.1", "dates 2.1"], "example-01": ["random 10.0", "random 11.1"],
    "example-02": ["random 4.0"], "example-03": ["random 3 live1", "random 8 live1"],
    // Dates are compared as instants; there as what was written.
    "example-04": ["random 6.1"],
    // A null again, and a backslash that escapes.
    "example-05": ["random 7.1", "random 11.1"],
  ]

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

  /// Tells of each answer that is not as wanted.
  func run(_ sequence: Sequence, differs: (_ place: String, _ reason: String) -> Void) throws {
    var store = store
    var last: [String: Value?] = [:]
    var hasDiverged = false
    for query in sequence.live {
      let id = try required(query["id"]?.text)
      last[id] = answer(query, in: store)
    }
    for (index, step) in sequence.steps.enumerated() {
      if step["error"] == nil {
        try store.transact(transaction(step, in: store), rules: .optimistic)
      }
      // From here on the reference has triples that it should not have, or lacks some.
      hasDiverged = hasDiverged || step["rebuiltDelta"] != nil
      if hasDiverged { continue }
      for (number, example) in (step["queries"]?.list ?? []).compactMap(\.object).enumerated() {
        let answer = answer(example, in: store)
        let wanted = (example["rebuiltResult"] ?? example["result"])?.object?["data"]
        if let reason = difference(answer, wanted) { differs("\(index).\(number)", reason) }
      }
      for change in step["live"]?.object?.members ?? [] {
        let query = try required(sequence.live.first { $0["id"]?.text == change.key })
        let answer = answer(query, in: store)
        let changed = change.value.object?["changed"] == true
        if (answer != last[change.key]) != changed {
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

  private func transaction(_ step: JSONObject, in store: TripleStore) throws -> Transaction {
    if let raw = step["raw"] { return try Transaction(json: raw.withPlainDates) }
    let builder = try TransactionBuilder(json: step["ops"]?.withPlainDates ?? [])
    return try builder.transaction(in: store, declared: schema, readsDates: readsDates)
  }

  /// Nil when the query is refused.
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
