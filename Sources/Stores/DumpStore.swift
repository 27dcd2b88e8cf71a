public import DataSources
import LiveQueries
public import Triples

/// A triple dump, a JSON file with `attrs` and `triples`, as a read-only store in memory.
public struct DumpStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// The signal of changes, which never rings, as a dump does not change.
  public let changed = ChangeSignal()

  /// Reads the whole file.
  ///
  /// - Throws: ``StoreError`` if it cannot be read or is not a dump.
  public static func open(file: String) throws(StoreError) -> DumpStore {
    DumpStore(content: StoreSnapshot(try load(file: file).store))
  }

  /// The triples of the file, and a report of skipped ones.
  ///
  /// - Throws: ``StoreError`` if it cannot be read or is not a dump.
  public static func load(
    file: String, _ options: DatasetOptions = DatasetOptions()
  ) throws(StoreError) -> FileReading {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.bytes(of: file)
    } catch {
      throw .unreadable(path: file, reason: error.reason)
    }
    do throws(DatasetError) {
      let reading = try TripleDump.read(bytes, file: file, options)
      return FileReading(reading.store, ReadReport(reading.report) { $0.message })
    } catch {
      throw .broken(path: error.message)
    }
  }

  public func snapshot() -> StoreSnapshot { content }

  var refusal: String { ReadOnlyReason.dump }
}
