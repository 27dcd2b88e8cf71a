import Foundation

/// All recorded states of one scene, each with a heading.
///
/// The first is recorded completely; others of the same size only with the lines that differ.
struct SceneRecord: Equatable {
  var sections: [(heading: String, text: String)]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Screens/panes")

  init(_ sections: [(heading: String, text: String)]) {
    self.sections = sections.map { ($0.heading, $0.text.trimmingCharacters(in: .newlines)) }
  }

  /// Reads the record of a name.
  init(named name: String) throws {
    let text = try String(contentsOf: Self.file(name), encoding: .utf8)
    let parts = text.components(separatedBy: "\n## ").dropFirst()
    self.init(
      parts.map { part in
        let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
      })
  }

  /// The names of all records.
  static func names() throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Set(files.map { ($0 as NSString).deletingPathExtension })
  }

  func write(named name: String, title: String) throws {
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    let text = sections.map { "\n## \($0.heading)\n\n\($0.text)\n" }.joined()
    try Data(("# \(title)\n" + text).utf8).write(to: Self.file(name))
  }

  private static func file(_ name: String) -> URL { folder.appending(path: name + ".txt") }

  static func == (a: SceneRecord, b: SceneRecord) -> Bool {
    a.sections.elementsEqual(b.sections) { $0.heading == $1.heading && $0.text == $1.text }
  }
}
