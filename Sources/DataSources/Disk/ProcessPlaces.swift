/// Places in a folder that processes share: each has one of its own, beside a lock that it holds for
/// as long as it lives.
///
/// What lies beside a lock that somebody holds is theirs. The places of the dead are taken over, lock
/// and all, by the first who looks, so that what they left is found once.
package struct ProcessPlaces {
  package final class Place {
    package let number: Int
    /// A file or a folder may stand here.
    package let path: String
    private let lock: FileLock

    fileprivate init(_ number: Int, _ path: String, _ lock: consuming FileLock) {
      self.number = number
      self.path = path
      self.lock = lock
    }
  }

  /// So many processes may have places in one folder at once.
  package static let maxPlaces = 64

  package let folder: String
  private let name: String
  private let disk = Disk()
  /// Those that this process holds, by their numbers.
  private var held: [Int: Place] = [:]
  private var own: Place?

  /// - Parameters:
  ///   - folder: Made when the first place is taken.
  ///   - name: What the first place is called; the others have a number behind it.
  package init(in folder: String, named name: String) {
    self.folder = folder
    self.name = name
  }

  /// All that this process holds, those of the dead among them.
  ///
  /// A new place is made only when there is none to take over.
  package mutating func takeOver() throws(DataSourceError) -> [Place] {
    try disk.makeFolder(folder)
    for number in 0..<Self.maxPlaces where held[number] == nil {
      let path = folder + "/" + name + (number == 0 ? "" : "-\(number)")
      // Places are made one after the other: after the first that was never made there are none.
      if !held.isEmpty, try disk.stamp(of: path + ".lock") == nil { break }
      guard let lock = try FileLock(beside: path) else { continue }
      held[number] = Place(number, path, lock)
    }
    return held.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Where this process keeps what it makes itself. Once taken it stays the same, whatever is taken
  /// over later.
  package mutating func takeOwn() throws(DataSourceError) -> Place {
    if let own { return own }
    let places = try takeOver()
    own = places.first
    if let own { return own }
    throw .failed(
      "More than \(Self.maxPlaces) programs have \(folder) open; close some of them.")
  }
}
