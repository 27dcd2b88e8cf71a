import DataSources
import Triples

/// The staged changes that earlier versions of the program stored, in either of two formats.
///
///     unsent/%2fhome%2fada%2fworld%2esonde/changes    all changes of one process
///     notebook                                        the older format, under the key `unsent`
struct EarlierStagedChanges: Sendable {
  fileprivate struct Content: Codable, Sendable {
    struct Change: Codable, Sendable {
      let sentence: String
      /// The transaction of a change, as JSON.
      let steps: String
      /// The values that the user saw before the change, as JSON.
      let seen: String?
    }

    /// An id that is unique for each file.
    var id: String?
    var changes: [Change]
    /// The ids of files whose content was moved to this file. Those files are outdated.
    var moved: [String]?
  }

  /// The changes found, in the current storage format.
  struct Found {
    var changes: [PendingMutation] = []
    var unreadable = 0
    fileprivate var files: [(path: String, rest: Content)] = []
    fileprivate var isInNotebook = false
    /// The directories of ended processes. They stay locked until all changes are moved.
    fileprivate var places: ProcessPlaces?
    fileprivate var lock: FileLockBox?
  }

  /// A reference to a file lock, so that a copyable value can contain it.
  fileprivate final class FileLockBox {
    private let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
  }

  private let folder: String
  private let store: String
  private let notebook: DeviceStorageDataSource<Content>
  private let notebookPath: String

  init(folder: String, store: String) {
    self.folder = folder + "/unsent/" + FileName.name(of: store)
    self.store = store
    notebookPath = folder + "/notebook"
    notebook = DeviceStorageDataSource(
      StateFile(path: notebookPath), layout: .prefix("unsent"))
  }

  /// Returns the staged changes that processes of earlier versions left behind; nil when there are
  /// no such changes.
  func find() async throws(DataSourceError) -> Found? {
    var found = Found()
    try await readNotebook(into: &found)
    try readFolder(into: &found)
    return found.files.isEmpty && !found.isInNotebook ? nil : found
  }

  /// Removes the files of the found changes. Changes that cannot be read stay in their files.
  func remove(_ found: Found) async throws(DataSourceError) {
    for (path, rest) in found.files {
      if rest.changes.isEmpty {
        try FileSystem().remove(path)
      } else {
        try FileSystem().replace(
          path, with: try JSONCoding.standard.write(rest, "Cannot encode the staged changes."))
      }
    }
    if found.isInNotebook { try await notebook.delete(id: store) }
  }

  private func readNotebook(into found: inout Found) async throws(DataSourceError) {
    // Most state files never contained staged changes, so a text search avoids parsing them.
    guard let bytes = try FileSystem().read(notebookPath),
      bytes.contains(Array(#""unsent."#.utf8)), try await notebookContent() != nil
    else { return }
    try FileSystem().makeFolder(folder)
    guard let lock = try FileLock(beside: folder + "/shared") else { return }
    found.lock = FileLockBox(lock)
    // Another process may have moved the changes before it released the lock.
    guard let content = try await notebookContent() else { return }
    found.isInNotebook = true
    _ = add(content, called: "notebook", to: &found)
  }

  private func notebookContent() async throws(DataSourceError) -> Content? {
    do throws(DataSourceError) {
      return try await notebook.get(id: store)
    } catch  where error ~= .notFound {
      return nil
    }
  }

  private func readFolder(into found: inout Found) throws(DataSourceError) {
    let names = try FileSystem().names(in: folder) ?? []
    guard names.contains(where: { $0.hasPrefix("changes") && !$0.hasSuffix(".lock") }) else {
      return
    }
    var places = ProcessPlaces(in: folder, named: "changes")
    var contents: [(path: String, content: Content)] = []
    for place in try places.takeOver() {
      guard let bytes = try FileSystem().read(place.path) else { continue }
      let content: Content = try JSONCoding.standard.read(
        from: bytes,
        "Cannot read the staged changes in \(place.path). Move the file away to continue.")
      contents.append((place.path, content))
    }
    found.places = places
    let moved = Set(contents.flatMap { $0.content.moved ?? [] })
    for (path, content) in contents {
      var rest = content
      rest.changes = []
      if let id = content.id, !moved.contains(id) {
        rest.changes = add(content, called: id, to: &found)
      }
      found.files.append((path, rest))
    }
  }

  /// Adds the changes of a file. The ids of the changes are derived from the file. So each change
  /// is added only once, even if the process ends before it removes the file.
  /// - Returns: The changes that cannot be read.
  private func add(
    _ content: Content, called name: String, to found: inout Found
  ) -> [Content.Change] {
    var unreadable: [Content.Change] = []
    for (place, change) in content.changes.enumerated() {
      guard let json = try? JSONReader.value(of: change.steps),
        var transaction = try? Transaction(json: json)
      else {
        unreadable.append(change)
        continue
      }
      if let seen = change.seen { transaction.restoreSeen(from: try? JSONReader.value(of: seen)) }
      found.changes.append(
        PendingMutation(
          transaction, id: MutationID("\(name)-\(place)"), order: found.changes.count, created: 0,
          staging: PendingMutation.Staging(summary: change.sentence)))
    }
    found.unreadable += unreadable.count
    return unreadable
  }
}
