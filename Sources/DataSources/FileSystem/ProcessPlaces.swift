/// Numbered paths in a folder that several processes share. Each running process locks at least one
/// of these paths.
///
/// The files next to a locked path belong to the process that holds the lock. After a process has
/// ended, the next process that calls ``takeOver()`` locks its path. So exactly one process handles
/// the files that the ended process left.
package struct ProcessPlaces {
  package final class Place {
    package let number: Int
    /// The path of a file or folder.
    package let path: String
    private let lock: FileLock

    fileprivate init(_ number: Int, _ path: String, _ lock: consuming FileLock) {
      self.number = number
      self.path = path
      self.lock = lock
    }
  }

  /// The maximum number of processes that can lock a path in one folder at the same time.
  package static let maxPlaces = 64

  package let folder: String
  private let name: String
  private let disk = FileSystem()
  /// The paths that this process has locked, keyed by number.
  private var held: [Int: Place] = [:]
  private var own: Place?

  /// Creates the numbered paths of `folder`.
  /// - Parameters:
  ///   - folder: The folder. It is created when the first path is taken.
  ///   - name: The file name of the first path. Further paths append a number.
  package init(in folder: String, named name: String) {
    self.folder = folder
    self.name = name
  }

  /// Locks the paths of ended processes, and returns all paths that this process has locked.
  ///
  /// It creates a new path only if this process has none and there is none to take over.
  package mutating func takeOver() throws(DataSourceError) -> [Place] {
    try disk.makeFolder(folder)
    for number in 0..<Self.maxPlaces where held[number] == nil {
      let path = folder + "/" + name + (number == 0 ? "" : "-\(number)")
      // Paths are created in sequence. If one is missing, no later one exists.
      if !held.isEmpty, try disk.stamp(of: path + ".lock") == nil { break }
      guard let lock = try FileLock(beside: path) else { continue }
      held[number] = Place(number, path, lock)
    }
    return held.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the path for this process's own files. It stays the same when the process takes over
  /// more paths.
  package mutating func claimOwn() throws(DataSourceError) -> Place {
    if let own { return own }
    let places = try takeOver()
    own = places.first
    if let own { return own }
    throw .failed(
      "More than \(Self.maxPlaces) processes use \(folder). Close some of them.")
  }
}
