package import DataSources
package import Triples

/// Stores the staged changes of a store on disk, separately for each process.
///
/// Two processes that use the same store do not share staged changes: each process sends or
/// discards its own. After a process has ended, the next process that opens the store takes over
/// its changes. Each change is a file in the format of changes that are queued for a server; see
/// ``PendingArchive``.
///
///     staged/%2fhome%2fada%2fworld%2esonde/pending/…        staged changes of one process
///     staged/%2fhome%2fada%2fworld%2esonde/pending.lock     locked while it runs
///     staged/%2fhome%2fada%2fworld%2esonde/pending-1/…      … another
public actor StagedArchive {
  private let folder: String
  private let earlier: EarlierStagedChanges
  private var places: PendingQueueDirectories
  private var stored: [MutationID: PendingMutation] = [:]

  /// Creates an archive of the staged changes of one store.
  /// - Parameters:
  ///   - folder: The folder of the program's state; it is created for the first staged change.
  ///   - store: Identifies the store. It must be the same however the store is opened.
  public init(folder: String, store: String) {
    self.folder = folder + "/staged/" + FileName.name(of: store)
    earlier = EarlierStagedChanges(folder: folder, store: store)
    places = PendingQueueDirectories(in: self.folder)
  }

  /// The changes in order, in groups. The changes of one group may have been sent as a single
  /// transaction with the group's id.
  package typealias Groups = [(id: MutationID?, parts: [StagedChange.Part])]

  /// Returns the changes of ended processes, and the number of unreadable changes. Unreadable
  /// changes stay on disk.
  package func restore() async throws(DataSourceError) -> (groups: Groups, unreadable: Int) {
    var unreadable = try await moveEarlier()
    // Most stores never had staged changes, so the folder usually does not exist.
    guard try FileSystem().stamp(of: folder) != nil else { return ([], unreadable) }
    var groups: Groups = []
    for place in try places.unread() {
      let found = try await place.mutations.restore()
      place.isUnread = false
      unreadable += found.unreadable
      places.record(found.0, in: place)
      for mutation in found.0.mutations { stored[mutation.id] = mutation }
      groups += Self.groups(of: found.0.mutations)
    }
    return (groups, unreadable)
  }

  /// Returns stored changes, grouped by the transaction in which they were sent.
  package static func groups(of mutations: [PendingMutation]) -> Groups {
    var groups: Groups = []
    for mutation in mutations {
      let part = StagedChange.Part(
        number: 0, id: mutation.id, transaction: mutation.transaction,
        summary: mutation.staging?.summary ?? "")
      let batch = mutation.staging?.batch
      if let batch, let last = groups.last, last.id == batch {
        groups[groups.count - 1].parts.append(part)
      } else {
        groups.append((batch, [part]))
      }
    }
    return groups
  }

  /// Stores all staged changes on disk, including changes that are being sent.
  package func save(_ table: StagedChanges) async throws(DataSourceError) {
    let records = Dictionary(
      table.stagedRecords.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let new = records.values.filter { stored[$0.id]?.isStored(as: $0) != true }
    let ended = stored.keys.filter { records[$0] == nil }
    if new.isEmpty, ended.isEmpty { return }
    for (place, ids) in try places.places(of: new.map(\.id)) {
      try await place.mutations.save(new.filter { ids.contains($0.id) })
    }
    for (place, ids) in try places.places(of: ended) { try await place.mutations.forget(ids) }
    stored = records
  }

  /// Releases the folders of this process, because the store is closed.
  ///
  /// The next process that opens the store takes over the changes; it may be this process again.
  package func release() {
    places.release()
    stored = [:]
  }

  /// Converts the changes that earlier versions of the program stored.
  /// - Returns: The number of changes that cannot be read; they remain where they are.
  private func moveEarlier() async throws(DataSourceError) -> Int {
    guard let found = try await earlier.find() else { return 0 }
    for (place, ids) in try places.places(of: found.changes.map(\.id)) {
      try await place.mutations.save(found.changes.filter { ids.contains($0.id) })
    }
    try await earlier.remove(found)
    return found.unreadable
  }
}

extension StagedChanges {
  /// The changes that must survive the end of the process, in order, in the form in which they are
  /// stored.
  package var stagedRecords: [PendingMutation] {
    changes.filter { $0.wasStaged && ($0.isStaged || $0.isSending) }.flatMap { change in
      change.parts.map { part in
        PendingMutation(
          part.transaction, id: part.id, order: part.number, created: 0,
          staging: PendingMutation.Staging(
            summary: part.summary,
            batch: change.isSending || change.mayHaveArrived ? change.id : nil))
      }
    }
  }
}

extension PendingMutation {
  /// Returns whether both mutations have the same stored form.
  fileprivate func isStored(as other: PendingMutation) -> Bool {
    transaction == other.transaction && order == other.order && staging == other.staging
  }
}
