import LiveQueries
import Stores
import Triples

/// What several sources hold, put together.
struct ImportedContent: Sendable {
  private(set) var store = TripleStore()
  /// The entities whose ids were made from their content, and the store whose handles they are.
  private var rows = RowSet()
  private var ids: [EntityID] = []
  private var count = 0

  /// The time of the first row that says none: rows that come later have later times, also than those
  /// of a store that is there.
  func firstTime(in known: TripleStore) -> Int64 {
    let base = known.schema.namespaces.contains { known.count(of: $0) > 0 }
    return (base ? Instant.nowInMilliseconds : 0)
      + Int64(store.schema.namespaces.reduce(0) { $0 + store.count(of: $1) })
  }

  /// - Throws: ``ImportError`` when an attribute is not of the same kind in both.
  mutating func add(_ reading: FileReading) throws(ImportError) {
    count += 1
    if count == 1 {
      (store, rows) = (reading.store, reading.contentRows)
      return
    }
    if count == 2 { ids = rows.handles.map { store.id(of: $0) } }
    ids += reading.contentRows.handles.map { reading.store.id(of: $0) }
    let plan = try ImportPlan(reading.store, into: store)
    do throws(TransactionError) {
      try store.transact(plan.transaction)
    } catch {
      throw ImportError(error)
    }
  }

  /// - Parameter known: Nil for a store that is yet to be made.
  func plan(into known: TripleStore?, updateBy column: String?) throws(ImportFault) -> ImportPlan {
    guard known != nil || column != nil else { return ImportPlan(ofNew: store) }
    let known = known ?? TripleStore()
    var rows = rows
    if count > 1 {
      rows = RowSet()
      for id in ids { if let handle = store.handle(of: id) { rows.insert(handle) } }
    }
    do throws(ImportError) {
      return try ImportPlan(store, contentRows: rows, into: known, updateBy: column)
    } catch {
      throw .failure(Failure(message: error.message, status: ExitStatus.question))
    }
  }
}

/// What an import did, in a line; and in one for each namespace, where there are few.
struct ImportSummary {
  let text: String

  private static let maxNamespaces = 8

  init(_ plan: ImportPlan, _ store: TripleStore, _ path: String, isDryRun: Bool) {
    let tallies = plan.tallies.sorted { $0.key < $1.key }
    let count = tallies.reduce(0) { $0 + $1.value.total }
    let (one, many) = (tallies.count, tallies.count == 1 ? "namespace" : "namespaces")
    let all = Self.words(tallies.map(\.value))
    var lines = [
      "\(count) \(count == 1 ? "entity" : "entities") in \(one) \(many) into \(HarmlessText.line(path)): \(all)"
        + (isDryRun ? ". Nothing was written" : "")
    ]
    if (2...Self.maxNamespaces).contains(tallies.count) {
      lines += tallies.map { "  \(HarmlessText.line($0.key)): \(Self.words([$0.value]))" }
    }
    text = lines.joined(separator: "\n")
  }

  private static func words(_ tallies: [ImportPlan.Tally]) -> String {
    let parts = [
      (tallies.reduce(0) { $0 + $1.new }, "new"),
      (tallies.reduce(0) { $0 + $1.changed }, "changed"),
      (tallies.reduce(0) { $0 + $1.unchanged }, "unchanged"),
      (tallies.reduce(0) { $0 + $1.leftOut }, "left out"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "none" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
