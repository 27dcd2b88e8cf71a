package import DataSources
import Triples

/// Keeps pending mutations where they survive the process, each under its id.
///
/// Each is written by itself, so that many that wait cost no more than one, and one that is damaged
/// holds back no other.
package struct PendingArchive: Sendable {
  private let source: any KeyValueDataSource<[UInt8]>

  /// - Parameter source: Holds nothing else. What it returns from writing is safe.
  package init(_ source: any KeyValueDataSource<[UInt8]>) {
    self.source = source
  }

  /// Returns when the mutations are safe.
  package func keep(_ mutations: [PendingMutation]) async throws(DataSourceError) {
    try await source.apply(
      mutations.map { .set($0.id.text, .one(JSONWriter.bytes($0.json))) })
  }

  package func forget(_ ids: [MutationID]) async throws(DataSourceError) {
    guard !ids.isEmpty else { return }
    try await source.apply(ids.map { .remove($0.text) })
  }

  /// All that are kept, and how many more there are that cannot be read; those stay where they are.
  package func restore() async throws(DataSourceError) -> (PendingMutations, unreadable: Int) {
    var pending = PendingMutations()
    var unreadable = 0
    for entry in try await source.entries() {
      for bytes in entry.objects {
        if let json = try? JSONReader.value(of: bytes), let mutation = PendingMutation(json: json) {
          pending.insert(mutation)
        } else {
          unreadable += 1
        }
      }
    }
    return (pending, unreadable)
  }
}
