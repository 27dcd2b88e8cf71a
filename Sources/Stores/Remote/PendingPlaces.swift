import DataSources
import LiveQueries
import Triples

/// Where the processes that share one archive keep their pending mutations: each in a folder of its
/// own, as long as it lives; see ``ProcessPlaces``. What the dead have left is sent once, by the first
/// who looks.
struct PendingPlaces {
  /// A folder of mutations for which this process answers.
  final class Place {
    let mutations: PendingArchive
    /// Held as long as this is; nil where no other process can come.
    private let place: ProcessPlaces.Place?
    /// What lies there from before is not known here yet.
    var isUnread = true

    init(_ mutations: PendingArchive, _ place: ProcessPlaces.Place?) {
      self.mutations = mutations
      self.place = place
    }
  }

  /// Nil where no other process can come.
  private var shared: ProcessPlaces?
  private var places: [Int: Place] = [:]
  /// Of what others left: where it lies.
  private var homes: [MutationID: Place] = [:]

  /// Places in folders of `folder`, which is made when the first is taken.
  init(in folder: String) {
    shared = ProcessPlaces(in: folder, named: "pending")
  }

  /// One place that no other process knows.
  init(_ mutations: PendingArchive) {
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

  /// Where this process keeps what it makes itself.
  private mutating func takeOwn() throws(DataSourceError) -> Place {
    let number = try shared?.takeOwn().number ?? 0
    try takeOver()
    guard let own = places[number] else { throw .failed("There is no place for changes.") }
    return own
  }

  /// Takes over what the dead have left.
  private mutating func takeOver() throws(DataSourceError) {
    for place in try shared?.takeOver() ?? [] where places[place.number] == nil {
      places[place.number] = Place(
        PendingArchive(FileSystemStorageDataSource(folder: place.path)), place)
    }
  }
}
