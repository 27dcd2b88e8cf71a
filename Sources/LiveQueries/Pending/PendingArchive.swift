package import DataSources
import Synchronization
package import Triples

/// Keeps pending mutations where they survive the process, each under its id.
///
/// Each is written by itself, so that many that wait cost no more than one, and one that is damaged
/// holds back no other.
package struct PendingArchive: Sendable {
  private let bytes: AnyDataSource<[UInt8]>

  /// - Parameter source: Holds nothing else. What it returns from writing is safe.
  package init(_ source: some KeyValueDataSource<[UInt8]>) {
    bytes = AnyDataSource(source)
  }

  /// The bytes as mutations; those that cannot be read stay where they are and are told.
  private func mutations(
    unreadable: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) -> some DataSource<PendingMutation> {
    bytes.mapped(
      to: Mapper { bytes throws(DataSourceError) in
        guard let json = try? JSONReader.value(of: bytes),
          let mutation = PendingMutation(json: json)
        else { throw .dataSerialization("What is kept is no change.") }
        return mutation
      },
      from: Mapper { mutation throws(DataSourceError) in JSONWriter.bytes(mutation.json) },
      onElementError: .skip(report: unreadable))
  }

  /// Returns when the mutations are safe.
  package func keep(_ mutations: [PendingMutation]) async throws(DataSourceError) {
    try await self.mutations().putAll(mutations, ids: mutations.map(\.id.text))
  }

  package func forget(_ ids: [MutationID]) async throws(DataSourceError) {
    guard !ids.isEmpty else { return }
    try await bytes.delete(ids: ids.map(\.text))
  }

  /// All that are kept, and how many more there are that cannot be read; those stay where they are.
  package func restore() async throws(DataSourceError) -> (PendingMutations, unreadable: Int) {
    let unreadable = Mutex(0)
    let kept = mutations { _ in unreadable.withLock { $0 += 1 } }
    var pending = PendingMutations()
    for mutation in try await kept.getAll(AllObjectsQuery()) { pending.insert(mutation) }
    return (pending, unreadable.withLock(\.self))
  }
}
