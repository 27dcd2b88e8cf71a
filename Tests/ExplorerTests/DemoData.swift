import Foundation
import Triples

/// The bundled demo data.
enum DemoData {
  static func store(_ name: String = "world") throws -> TripleStore {
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
