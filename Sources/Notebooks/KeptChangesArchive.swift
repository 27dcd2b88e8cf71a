package import DataSources

/// Stores staged changes, separately for each process.
///
/// Two processes that use the same store do not share staged changes: each sends or discards its
/// own. The next process that opens the store takes over what an ended process left.
///
///     unsent/%2fhome%2fada%2fworld%2esonde/changes         staged changes of one process
///     unsent/%2fhome%2fada%2fworld%2esonde/changes.lock    locked while it runs
///     unsent/%2fhome%2fada%2fworld%2esonde/changes-1       … another
package actor KeptChangesArchive {
  /// The content of one file.
  private struct Content: Codable {
    /// A random id, unique for each file.
    let id: String
    var changes: [KeptChanges.Change]
    /// The ids of files whose content was moved here; if such a file still exists, it is
    /// outdated.
    var moved: [String] = []
  }

  private let folder: String?
  /// The storage of earlier versions, shared by all processes.
  private let shared: any DataSource<KeptChanges>
  private var places: [String: ProcessPlaces] = [:]

  /// - Parameters:
  ///   - folder: Created for the first staged change.
  ///   - shared: The storage of earlier versions; its content moves into the folder, store by
  /// store.
  package init(folder: String, shared: any DataSource<KeptChanges>) {
    self.folder = folder
    self.shared = shared
  }

  /// An archive in memory.
  package init() {
    folder = nil
    shared = InMemoryDataSource()
  }

  /// The staged changes of this process in a store, including those taken over from ended
  /// processes.
  func changes(in store: String) async throws(DataSourceError) -> KeptChanges {
    guard let folder = folder(of: store) else {
      return try await shared.kept(store) ?? KeptChanges()
    }
    let old = try await shared.kept(store)
    // Most stores never had staged changes.
    if old == nil, try FileSystem().stamp(of: folder) == nil { return KeptChanges() }
    var places = places[store] ?? ProcessPlaces(in: folder, named: "changes")
    let own = try places.takeOwn()
    let held = try places.takeOver()
    self.places[store] = places

    var found: [(place: ProcessPlaces.Place, content: Content)] = []
    for place in held {
      if let content = try read(place) { found.append((place, content)) }
    }
    let moved = Set(found.flatMap(\.content.moved))
    let current = found.filter { !moved.contains($0.content.id) }
    var all = Content(id: Self.newID(), changes: current.flatMap(\.content.changes))
    if current.contains(where: { $0.place !== own }) || found.count > current.count {
      all.moved = found.map(\.content.id)
      try write(all, to: own)
      for (place, _) in found where place !== own { try FileSystem().remove(place.path) }
    }
    if let old { try await take(old, of: store, to: &all, at: own, in: folder) }
    return KeptChanges(changes: all.changes)
  }

  /// Replaces this process's staged changes of the store.
  func keep(_ changes: KeptChanges, in store: String) async throws(DataSourceError) {
    guard let folder = folder(of: store) else {
      if changes.changes.isEmpty { return try await shared.delete(id: store) }
      try await shared.put(changes, id: store)
      return
    }
    if changes.changes.isEmpty, places[store] == nil { return }
    var places = places[store] ?? ProcessPlaces(in: folder, named: "changes")
    let own = try places.takeOwn()
    self.places[store] = places
    if changes.changes.isEmpty {
      try FileSystem().remove(own.path)
    } else {
      try write(Content(id: Self.newID(), changes: changes.changes), to: own)
    }
  }

  /// Moves the changes stored by an earlier version; a lock ensures that one process does so.
  private func take(
    _ old: KeptChanges, of store: String, to all: inout Content, at own: ProcessPlaces.Place,
    in folder: String
  ) async throws(DataSourceError) {
    guard let lock = try FileLock(beside: folder + "/shared") else { return }
    // Another process may have moved them already, or this one may have ended between the two
    // steps.
    guard let old = try await shared.kept(store) else { return }
    let mark = "shared " + old.changes.map(\.steps).joined()
    if try read(own)?.moved.contains(mark) != true {
      all.changes = old.changes + all.changes
      all.moved.append(mark)
      try write(all, to: own)
    }
    try await shared.delete(id: store)
    _ = consume lock
  }

  /// Reads the storage of earlier versions.
  /// - Throws: When it cannot be read.
  func check() async throws(DataSourceError) {
    _ = try await shared.getAll(AllObjectsQuery())
  }

  // MARK: Files

  private func folder(of store: String) -> String? {
    folder.map { $0 + "/" + FileName.name(of: store) }
  }

  private static func newID() -> String {
    String(UInt64.random(in: .min ... .max), radix: 16)
  }

  private func read(_ place: ProcessPlaces.Place) throws(DataSourceError) -> Content? {
    guard let bytes = try FileSystem().read(place.path) else { return nil }
    return try JSONCoding.read(
      from: bytes,
      "Cannot read the staged changes in \(place.path). Move the file away to continue.")
  }

  private func write(_ content: Content, to place: ProcessPlaces.Place) throws(DataSourceError) {
    try FileSystem().replace(
      place.path,
      with: try JSONCoding.write(content, "Cannot encode the staged changes."))
  }
}
