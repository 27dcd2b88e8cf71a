import Foundation

/// The demos with fewer cities: loading all 26,184 takes a debug build three seconds, in each of the
/// hundred programs that only need some store.
enum SmallDemos {
  /// How many cities there are, as the explorer shows it.
  static let cities = "1,200"
  private static let count = 1_200

  /// The folder for `SONDE_SHARE`: one for each run of the tests.
  ///
  /// - Throws: The error that prevented the folder from being written, in each test that needs it.
  static var share: String { get throws { try written.get() } }

  private static let written = Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sonde-share-\(UUID().uuidString)")
    try write(to: folder)
    atexit {
      if let share = try? SmallDemos.share { try? FileManager.default.removeItem(atPath: share) }
    }
    return folder.path
  }

  private static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let demos = folder.appending(path: "demo-data")
    try FileManager.default.copyItem(
      at: URL(filePath: Program.checkout).appending(path: "demo-data"), to: demos)
    let world = demos.appending(path: "world")
    let file = world.appending(path: "cities.json")
    let cities = largest(
      try objects(in: file), capitals: try objects(in: world.appending(path: "countries.json")))
    try JSONSerialization.data(withJSONObject: cities, options: .sortedKeys).write(to: file)
  }

  /// All capitals, which countries name, and the largest other cities.
  private static func largest(
    _ cities: [[String: Any]], capitals countries: [[String: Any]]
  ) -> [[String: Any]] {
    var chosen = Set(countries.compactMap { $0["capital"] as? String })
    for city in cities where chosen.count < count {
      if let key = city["key"] as? String { chosen.insert(key) }
    }
    return cities.filter { chosen.contains($0["key"] as? String ?? "") }.map { city in
      var city = city
      city["nearby"] = (city["nearby"] as? [String])?.filter { chosen.contains($0) }
      return city
    }
  }

  private static func objects(in file: URL) throws -> [[String: Any]] {
    let content = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
    return content as? [[String: Any]] ?? []
  }
}
