import DataSources
import LiveQueries
import Stores
import Triples

/// Where a store is: turns what was typed for STORE into an open store.
enum StoreLocation: Equatable {
  case demo(name: String, folder: String)
  case folder(String)
  case tripleDump(String)

  /// The demo that opens when nothing is named.
  static let standard = "world"

  /// Reads an address: a path when it looks like one or exists, else the name of a bundled demo.
  init(_ address: String) throws(Failure) {
    let kind = Files.kind(of: address)
    if !address.isEmpty, !address.contains("/"), kind != .folder,
      let demos = ResourceFinder.folder("demo-data"),
      Files.kind(of: demos + "/" + address) == .folder
    {
      self = .demo(name: address, folder: demos + "/" + address)
      return
    }
    switch kind {
    case .folder: self = .folder(address)
    case .file where address.hasSuffix(".json"): self = .tripleDump(address)
    case .file: throw Failure(StoreError.unknownKind(path: address))
    case .other: throw Failure(StoreError.unknownKind(path: address))
    case nil: throw Failure(StoreError.missing(path: address))
    }
  }

  /// What the screen calls the store.
  var name: String {
    switch self {
    case .demo(let name, _): name
    case .folder(let path), .tripleDump(let path):
      Files.name(of: path)
    }
  }

  func open() async throws(StoreError) -> any StoreDataSource {
    switch self {
    case .demo(_, let folder), .folder(let folder): try await FolderStore.open(folder: folder)
    case .tripleDump(let path): try DumpStore.open(file: path)
    }
  }

  /// Opens the store and takes its present snapshot.
  func snapshot() async throws(Failure) -> StoreSnapshot {
    try await openOrFail().snapshotOrFail()
  }

  /// Opens the store, with a failure for the command line.
  func openOrFail() async throws(Failure) -> any StoreDataSource {
    do throws(StoreError) {
      return try await open()
    } catch {
      throw Failure(error)
    }
  }

  /// What every command says of its STORE.
  static let help: String = "A demo's name, a folder or a triple dump."
}

extension StoreDataSource {
  /// The present snapshot, with a failure for the command line.
  func snapshotOrFail() async throws(Failure) -> StoreSnapshot {
    do throws(DataSourceError) {
      return try await get(AllObjectsQuery())
    } catch {
      throw Failure(error)
    }
  }
}
