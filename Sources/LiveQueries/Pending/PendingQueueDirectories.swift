package import DataSources
package import Triples

/// The folders in which processes that share one archive store their pending changes.
///
/// Each process has its own folder while it runs; see ``ProcessPlaces``. The first process that
/// reads the archive takes over the changes of ended processes, so that no two processes handle the
/// same changes.
package struct PendingQueueDirectories {
  /// A folder of mutations that this process must either send or drop.
  package final class Directory {
    package let mutations: PendingArchive
    /// The lock on the folder, which this object holds as long as it exists. Nil when no other
    /// process can use the folder.
    private let place: ProcessPlaces.Place?
    /// Whether the earlier content of the folder has not been read yet.
    package var isUnread = true

    init(_ mutations: PendingArchive, _ place: ProcessPlaces.Place?) {
      self.mutations = mutations
      self.place = place
    }
  }

  /// The folders of all processes that use the archive; nil when no other process can use it.
  private var shared: ProcessPlaces?
  private var places: [Int: Directory] = [:]
  /// For each mutation of another process, the folder in which it was found.
  private var homes: [MutationID: Directory] = [:]

  /// Creates the queue directories in `folder`. The folder is created with the first directory.
  package init(in folder: String) {
    shared = ProcessPlaces(in: folder, named: "pending")
  }

  /// Creates a single directory that only this process uses.
  package init(_ mutations: PendingArchive) {
    places[0] = Directory(mutations, nil)
  }

  /// Returns the directory of each mutation: the one in which it was found, or else this process's
  /// own.
  ///
  /// - Throws: An error if no directory can be locked.
  package mutating func places(of ids: [MutationID]) throws(DataSourceError) -> [(
    Directory, [MutationID]
  )] {
    let own = try claimOwn()
    let groups = Dictionary(grouping: ids) { ObjectIdentifier(homes[$0] ?? own) }
    return groups.values.compactMap { ids in ids.first.map { (homes[$0] ?? own, ids) } }
  }

  /// Returns the directories with unread content, including directories of ended processes.
  package mutating func unread() throws(DataSourceError) -> [Directory] {
    try takeOver()
    return places.sorted { $0.key < $1.key }.map(\.value).filter(\.isUnread)
  }

  /// Records the directory in which mutations were found.
  package mutating func record(_ found: PendingMutations, in place: Directory) {
    for mutation in found.mutations { homes[mutation.id] = place }
  }

  /// Unlocks all directories. They are locked and read again when they are used next.
  package mutating func release() {
    guard let folder = shared?.folder else { return }
    self = PendingQueueDirectories(in: folder)
  }

  /// Returns the directory for this process's own changes. The first call locks it.
  private mutating func claimOwn() throws(DataSourceError) -> Directory {
    let number = try shared?.claimOwn().number ?? 0
    try takeOver()
    guard let own = places[number] else {
      throw .failed("Cannot create a folder for queued changes.")
    }
    return own
  }

  /// Takes over the directories of ended processes.
  private mutating func takeOver() throws(DataSourceError) {
    for place in try shared?.takeOver() ?? [] where places[place.number] == nil {
      places[place.number] = Directory(
        PendingArchive(FileSystemStorageDataSource(folder: place.path)), place)
    }
  }
}
