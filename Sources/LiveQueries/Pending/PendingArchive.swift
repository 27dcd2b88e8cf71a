package import DataSources
import Synchronization
package import Triples

/// Stores pending mutations persistently, each under its id.
///
/// Each mutation is written separately. So the time of a write does not depend on how many
/// mutations are queued, and a damaged mutation does not affect the others.
package struct PendingArchive: Sendable {
  private let bytes: AnyDataSource<[UInt8]>

  /// Creates an archive.
  /// - Parameter source: A source that only this archive uses, and whose writes are durable when
  ///   they return.
  package init(_ source: some KeyValueDataSource<[UInt8]>) {
    bytes = AnyDataSource(source)
  }

  /// Decodes the stored bytes as mutations. If a mutation cannot be decoded, it stays in the
  /// archive, and its error is reported.
  private func mutations(
    unreadable: @escaping @Sendable (DataSourceError) -> Void = { _ in }
  ) -> some DataSource<PendingMutation> {
    bytes.mapped(
      to: Mapper { bytes throws(DataSourceError) in
        guard let json = try? JSONReader.value(of: bytes),
          let mutation = PendingMutation(json: json)
        else { throw .dataSerialization("Not a valid pending change.") }
        return mutation
      },
      from: Mapper { mutation throws(DataSourceError) in JSONWriter.bytes(mutation.json) },
      onElementError: .skip(report: unreadable))
  }

  /// Stores the mutations durably.
  package func save(_ mutations: [PendingMutation]) async throws(DataSourceError) {
    try await self.mutations().putAll(mutations, ids: mutations.map(\.id.text))
  }

  package func forget(_ ids: [MutationID]) async throws(DataSourceError) {
    guard !ids.isEmpty else { return }
    try await bytes.delete(ids: ids.map(\.text))
  }

  /// Returns all stored mutations, and the number of unreadable mutations. Unreadable mutations
  /// stay in the archive.
  package func restore() async throws(DataSourceError) -> (PendingMutations, unreadable: Int) {
    let unreadable = Mutex(0)
    let kept = mutations { _ in unreadable.withLock { $0 += 1 } }
    var pending = PendingMutations()
    for mutation in try await kept.getAll(AllObjectsQuery()) { pending.insert(mutation) }
    return (pending, unreadable.withLock(\.self))
  }
}
