package import DataSources

/// Changes that are kept back, of each process in a place of its own.
///
/// Two programs that have one store open know nothing of each other's: what one of them sends or
/// throws away is its own. What a program leaves when it ends, however it ends, the next that opens the
/// store takes up.
///
///     unsent/%2fhome%2fada%2fworld%2esonde/changes         what one program keeps back
///     unsent/%2fhome%2fada%2fworld%2esonde/changes.lock    held while it lives
///     unsent/%2fhome%2fada%2fworld%2esonde/changes-1       … another
package actor KeptChangesArchive {
  /// What lies in one place.
  private struct Content: Codable {
    /// Drawn anew for each.
    let id: String
    var changes: [KeptChanges.Change]
    /// The ids of what was moved here: found elsewhere still, it is left over and counts no more.
    var moved: [String] = []
  }

  private let folder: String?
  /// Where older programs kept the changes of all processes together.
  private let shared: any DataSource<KeptChanges>
  private var places: [String: ProcessPlaces] = [:]

  /// - Parameters:
  ///   - folder: Made when something is kept.
  ///   - shared: What an older program left; it moves into the folder, a store at a time.
  package init(folder: String, shared: any DataSource<KeptChanges>) {
    self.folder = folder
    self.shared = shared
  }

  /// An archive for this run only.
  package init() {
    folder = nil
    shared = InMemoryDataSource()
  }

  /// Takes up what this process keeps back of a store, and what those left that live no more.
  func changes(in store: String) async throws(DataSourceError) -> KeptChanges {
    guard let folder = folder(of: store) else {
      return try await shared.kept(store) ?? KeptChanges()
    }
    let old = try await shared.kept(store)
    // Nothing was ever kept back of most stores.
    if old == nil, try Disk().stamp(of: folder) == nil { return KeptChanges() }
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
      for (place, _) in found where place !== own { try Disk().remove(place.path) }
    }
    if let old { try await take(old, of: store, to: &all, at: own, in: folder) }
    return KeptChanges(changes: all.changes)
  }

  /// Keeps these in place of all that this process kept back of the store before.
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
      try Disk().remove(own.path)
    } else {
      try write(Content(id: Self.newID(), changes: changes.changes), to: own)
    }
  }

  /// What an older program kept: only one process may move it.
  private func take(
    _ old: KeptChanges, of store: String, to all: inout Content, at own: ProcessPlaces.Place,
    in folder: String
  ) async throws(DataSourceError) {
    guard let lock = try FileLock(beside: folder + "/shared") else { return }
    // Another process may have been there in between, or this one may have ended between the two steps.
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

  /// Reads what an older program left.
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
    guard let bytes = try Disk().read(place.path) else { return nil }
    return try JSONCoding.read(
      from: bytes,
      "The changes kept back in \(place.path) cannot be read. Move the file away to go on.")
  }

  private func write(_ content: Content, to place: ProcessPlaces.Place) throws(DataSourceError) {
    try Disk().replace(
      place.path,
      with: try JSONCoding.write(content, "The changes kept back cannot be written down."))
  }
}
