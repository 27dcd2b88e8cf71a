public import DataSources
import LiveQueries
public import Triples

/// A triple dump as a read-only store in memory: a JSON file with `attrs` and `triples`.
public struct DumpStore: ReadOnlyStore {
  private let content: StoreSnapshot
  /// A change signal that never fires, since a dump does not change.
  public let changed = ChangeSignal()

  /// Reads the whole file.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read or is not a dump.
  public static func open(file: String) throws(StoreError) -> DumpStore {
    DumpStore(content: StoreSnapshot(try load(file: file).store))
  }

  /// Loads the triples of a file, and reports skipped triples.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read or is not a dump.
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
