/// Stores objects, such as settings and history, in a state file on this device.
///
/// Several sources can share one file if each has its own layout:
///
/// ```swift
/// let file = StateFile(path: stateFolder + "/sonde.state")
/// let settings = DeviceStorageDataSource<String>(file, layout: .prefix("settings"))
/// let windows = DeviceStorageDataSource<Window>(file, layout: .table("windows"))
/// ```
///
/// Listings are sorted by key, as strings compare. Reading an entry whose object is not an `Object`
/// throws `dataSerialization`. Writes of other processes become visible at the next call to this
/// source, which then also notifies the watchers in this process.
///
/// - Complexity: O(size of the file) for a write, and for a read after the file has changed.
public struct DeviceStorageDataSource<Object: Codable & Sendable>: KeyValueDataSource {
  /// How the file stores the keys of a source.
  public enum Layout: Sendable, Hashable {
    /// Stores the key unchanged. A listing contains every entry that does not belong to a table.
    case flat
    /// Stores the key as `prefix.key`. For example, the prefix `a` does not include the entry
    /// `ab.key`.
    case prefix(String)
    /// Stores the entry in a separate table that no other layout uses.
    case table(String)
  }

  private let file: StateFile
  private let layout: Layout
  private let coding: JSONCoding

  /// Creates a source of the entries in a file.
  /// - Parameters:
  ///   - layout: How the file stores the keys. Sources with different layouts can share a file.
  ///   - coding: How objects are written as JSON. Each object must be written on one line.
  public init(_ file: StateFile, layout: Layout = .flat, coding: JSONCoding = .standard) {
    self.file = file
    self.layout = layout
    self.coding = coding
  }

  public var changes: ChangeSignal { file.changes }

  public func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<Object>?] {
    let content = try await file.read()
    var entries: [DataEntry<Object>?] = []
    for key in keys {
      entries.append(
        try content.entry(at: place(of: key), of: Object.self, path: file.path, coding: coding))
    }
    return entries
  }

  public func entries() async throws(DataSourceError) -> [DataEntry<Object>] {
    let content = try await file.read()
    var entries: [DataEntry<Object>] = []
    for place in content.lines.map(\.place) where isOurs(place) {
      let entry = try content.entry(
        at: place, of: Object.self, path: file.path, coding: coding)
      if let entry { entries.append(entry) }
    }
    return entries
  }

  public func apply(_ changes: [DataChange<Object>]) async throws(DataSourceError) {
    var edits: [StateContent.Edit] = []
    for change in changes {
      switch change {
      case .set(let key, let entry):
        edits.append(try .setting(entry, at: place(of: key), coding: coding))
      case .remove(let key): edits.append(.remove(place(of: key)))
      case .removeAll: edits.append(.removeAll(isOurs))
      }
    }
    try await file.update(edits)
  }

  private func place(of key: String) -> StateContent.Place {
    switch layout {
    case .flat, .prefix(""): StateContent.Place(table: nil, key: key)
    case .prefix(let prefix): StateContent.Place(table: nil, key: prefix + "." + key)
    case .table(let table): StateContent.Place(table: table, key: key)
    }
  }

  private func isOurs(_ place: StateContent.Place) -> Bool {
    switch layout {
    case .flat, .prefix(""): place.table == nil
    case .prefix(let prefix):
      place.table == nil && place.key.utf8.starts(with: (prefix + ".").utf8)
    case .table(let table): place.table == table
    }
  }
}
