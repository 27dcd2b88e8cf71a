public import DataSources
import LiveQueries
public import Triples

/// A triple dump, a JSON file of `attrs` and `triples`, as a store in memory that cannot be written.
public struct DumpStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// Never rung: a dump does not change.
  public let changed = ChangeSignal()

  /// Reads the whole file.
  /// - Throws: ``StoreError`` when it cannot be read or is no dump.
  public static func open(file: String) throws(StoreError) -> DumpStore {
    DumpStore(content: StoreSnapshot(try load(file: file)))
  }

  /// The triples of the file.
  /// - Throws: ``StoreError`` when it cannot be read or is no dump.
  public static func load(file: String) throws(StoreError) -> TripleStore {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.bytes(of: file)
    } catch {
      throw .unreadable(path: file, reason: error.reason)
    }
    do throws(DatasetError) {
      return try TripleDump.load(bytes)
    } catch {
      throw .broken(path: file + ": " + error.message)
    }
  }

  public func snapshot() -> StoreSnapshot { content }

  var refusal: String {
    "A triple dump is read-only: import it into a .sonde file to change it."
  }
}
