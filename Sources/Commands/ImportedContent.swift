import LiveQueries
import Stores
import Triples

/// The combined contents of several sources.
struct ImportedContent: Sendable {
  private(set) var store = TripleStore()
  /// The handles in `store` of the entities whose ids were derived from their content.
  private var rows = RowSet()
  private var ids: [EntityID] = []
  private var count = 0

  /// Returns the creation time for the first row that has none. It is later than all existing
  /// times.
  func firstTime(in known: TripleStore) -> Int64 {
    let base = known.schema.namespaces.contains { known.count(of: $0) > 0 }
    return (base ? Instant.nowInMilliseconds : 0)
      + Int64(store.schema.namespaces.reduce(0) { $0 + store.count(of: $1) })
  }

  /// Adds the content of a source.
  ///
  /// - Throws: ``ImportError`` if an attribute has one kind, such as a link, in the source and
  ///   another in the content so far.
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

  /// Returns the changes that import the content into a store.
  ///
  /// - Parameter known: The existing store; nil for a new store.
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
      throw .failure(Failure(message: error.message, status: ExitStatus.invalidQuery))
    }
  }
}

/// The summary of an import: one line, or one line per namespace if there are few.
struct ImportSummary {
  let text: String

  private static let maxNamespaces = 8

  init(_ plan: ImportPlan, _ store: TripleStore, _ path: String, isDryRun: Bool) {
    let tallies = plan.tallies.sorted { $0.key < $1.key }
    let count = tallies.reduce(0) { $0 + $1.value.total }
    let place =
      tallies.count == 1
      ? "the namespace \(TerminalSanitizer.line(tallies[0].key))" : "\(tallies.count) namespaces"
    let all = Self.words(tallies.map(\.value))
    var lines = [
      "\(isDryRun ? "Would import" : "Imported") \(count) \(count == 1 ? "entity" : "entities") "
        + "in \(place) into \(TerminalSanitizer.line(path)): \(all)."
        + (isDryRun ? " Nothing was written." : "")
    ]
    if (2...Self.maxNamespaces).contains(tallies.count) {
      lines += tallies.map { "  \(TerminalSanitizer.line($0.key)): \(Self.words([$0.value]))" }
    }
    text = lines.joined(separator: "\n")
  }

  private static func words(_ tallies: [ImportPlan.Tally]) -> String {
    let parts = [
      (tallies.reduce(0) { $0 + $1.new }, "new"),
      (tallies.reduce(0) { $0 + $1.changed }, "changed"),
      (tallies.reduce(0) { $0 + $1.unchanged }, "unchanged"),
      (tallies.reduce(0) { $0 + $1.leftOut }, "skipped"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty ? "none" : parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
