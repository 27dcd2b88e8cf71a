import DataSources
import LiveQueries
import Triples

/// Where the processes that share one archive keep their pending mutations: each in a folder of its
/// own, beside a lock that it holds for as long as it lives.
///
/// What lies beside a lock that somebody holds, they send themselves. What the dead have left is
/// taken over, lock and all, by the first who looks, so that it is sent once.
struct PendingPlaces {
  /// A folder of mutations for which this process answers.
  final class Place {
    let mutations: PendingArchive
    /// Nil where no other process can come.
    private let lock: FileLock?
    /// What lies there from before is not known here yet.
    var isUnread = true

    init(_ mutations: PendingArchive, _ lock: consuming FileLock?) {
      self.mutations = mutations
      self.lock = lock
    }
  }

  /// So many processes may have one archive open at once.
  private static let most = 64

  private let folder: String?
  private var places: [Int: Place] = [:]
  /// Where this process keeps what it makes itself.
  private var own: Place?
  /// Of what others left: where it lies.
  private var homes: [MutationID: Place] = [:]

  /// Places in folders of `folder`, which is made when the first is taken.
  init(in folder: String) {
    self.folder = folder
  }

  /// One place that no other process knows.
  init(_ mutations: PendingArchive) {
    folder = nil
    places[0] = Place(mutations, nil)
  }

  /// The place of each mutation: where it was found, or else this process's own.
  ///
  /// - Throws: when no place can be taken.
  mutating func places(of ids: [MutationID]) throws(DataSourceError) -> [(Place, [MutationID])] {
    let own = try takeOwn()
    let groups = Dictionary(grouping: ids) { ObjectIdentifier(homes[$0] ?? own) }
    return groups.values.compactMap { ids in ids.first.map { (homes[$0] ?? own, ids) } }
  }

  /// Places of which nobody looked what lies there, those of the dead among them.
  mutating func unread() throws(DataSourceError) -> [Place] {
    try takeOver()
    return places.sorted { $0.key < $1.key }.map(\.value).filter(\.isUnread)
  }

  /// Notes what was found in a place.
  mutating func note(_ found: PendingMutations, in place: Place) {
    for mutation in found.mutations { homes[mutation.id] = place }
  }

  /// Once taken it stays the same, whatever is taken over later.
  private mutating func takeOwn() throws(DataSourceError) -> Place {
    if let own { return own }
    if places.isEmpty { try takeOver() }
    own = places.min { $0.key < $1.key }?.value
    guard let own else {
      throw .failed(
        "More than \(Self.most) programs have \(folder ?? "the archive") open; close some of them.")
    }
    return own
  }

  /// Takes every lock that nobody holds; a new one only when there is none.
  private mutating func takeOver() throws(DataSourceError) {
    guard let folder else { return }
    let disk = Disk()
    try disk.makeFolder(folder)
    for number in 0..<Self.most where places[number] == nil {
      let path = folder + "/pending" + (number == 0 ? "" : "-\(number)")
      // Places are made one after the other: after the first that was never made there are none.
      if !places.isEmpty, try disk.stamp(of: path + ".lock") == nil { return }
      guard let lock = try FileLock(beside: path) else { continue }
      places[number] = Place(PendingArchive(FileSystemStorageDataSource(folder: path)), lock)
    }
  }
}
