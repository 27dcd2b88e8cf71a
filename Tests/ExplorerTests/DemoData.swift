import Foundation
import Synchronization
import Triples

/// The bundled demo data.
enum DemoData {
  /// Each store is loaded once, because the tests change only copies of it.
  private static let loaded = Mutex<[String: TripleStore]>([:])

  static func store(_ name: String = "world") throws -> TripleStore {
    try loaded.withLock { stores in
      if let store = stores[name] { return store }
      let store = try load(name)
      stores[name] = store
      return store
    }
  }

  private static func load(_ name: String) throws -> TripleStore {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "demo-data/\(name)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") }
    var store = try Dataset.load(
      names.sorted().map { name in
        (name: name, bytes: Array(try Data(contentsOf: folder.appending(path: name))))
      })
    store.transactionID = 1
    return store
  }
}
