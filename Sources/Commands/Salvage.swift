import LiveQueries
import Stores
import Triples

/// `sonde export --salvage`: recovers the readable data of a damaged store file.
enum Salvage {
  /// Reads the readable data, and lists the damage on standard error.
  ///
  /// - Parameter beforeListing: Called before the list is written.
  static func content(
    of location: StoreLocation, _ progress: ProgressReport, beforeListing: () -> Void
  ) async throws(Failure) -> WholeStore {
    guard case .storeFile(let path) = location else {
      throw Failure.notSalvageable(location.name)
    }
    do throws(StoreError) {
      let found = try await StoreSalvage.read(file: path, progress: progress)
      if found.damage.count > 0 {
        beforeListing()
        list(found.damage, of: path)
      }
      return WholeStore(
        found.store, attachments: LocalStore.attachments(among: found.documents))
    } catch {
      throw Failure(error)
    }
  }

  private static func list(_ damage: DamageList, of path: String) {
    let parts = damage.count == 1 ? "1 part" : "\(damage.count) parts"
    StandardError.write("\(parts) of \(path) cannot be read and will be missing from the export:")
    for finding in damage.findings { StandardError.write("  " + finding.line) }
    let more = damage.count - damage.findings.count
    if more > 0 { StandardError.write("  … and \(more) more") }
  }
}
