import Foundation

/// The Swift files of a target, as far as a test of their structure needs them.
struct SourceFolder {
  struct File {
    let path: String
    let lines: [Substring]
    /// Types declared at the top level.
    let types: Set<String>
    /// Every name with a capital letter outside comments and literals.
    let names: Set<String>
  }

  let files: [File]

  /// - Parameter target: Its folder within Sources.
  init(_ target: String) throws {
    let root = URL(filePath: #filePath).appending(path: "../../../../Sources/\(target)")
      .standardizedFileURL
    let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let urls = (found?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    files = try urls.map { url in
      let text = try String(contentsOf: url, encoding: .utf8)
      let code = SourceCode(text)
      return File(
        path: String(url.path.dropFirst(root.path.count + 1)),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false),
        types: code.types, names: code.names)
    }
  }

  /// The files of the largest dependency cycle by type names. Members of extensions are not
  /// followed, so this is a lower bound.
  var largestCircle: [String] {
    var home: [String: Int] = [:]
    for (index, file) in files.enumerated() {
      for type in file.types where home[type] == nil { home[type] = index }
    }
    let next = files.enumerated().map { index, file in
      Set(file.names.compactMap { home[$0] }).subtracting([index])
    }
    // A cycle consists of the files that a file reaches and is reached by.
    let reached = files.indices.map { Self.reachable(from: $0, along: next) }
    var largest: [Int] = []
    for index in files.indices where !largest.contains(index) {
      let circle = reached[index].filter { reached[$0].contains(index) }
      if circle.count > largest.count { largest = circle.sorted() }
    }
    return largest.map { files[$0].path }
  }

  private static func reachable(from start: Int, along next: [Set<Int>]) -> Set<Int> {
    var seen = next[start]
    var waiting = Array(seen)
    while let index = waiting.popLast() {
      for other in next[index] where seen.insert(other).inserted { waiting.append(other) }
    }
    return seen
  }
}

/// A file without its comments and the text of its literals.
private struct SourceCode {
  private(set) var types: Set<String> = []
  private(set) var names: Set<String> = []

  private static let keywords: Set<String> = [
    "struct", "enum", "class", "protocol", "actor", "typealias",
  ]

  init(_ text: String) {
    var isComment = false
    var isLongText = false
    for line in text.split(separator: "\n") {
      let parts = line.components(separatedBy: "\"\"\"")
      if parts.count == 2 || isLongText {
        if parts.count == 2 { isLongText.toggle() }
        continue
      }
      if line.contains("/*") { isComment = true }
      defer { if line.contains("*/") { isComment = false } }
      if isComment { continue }
      read(Self.code(of: line), isTopLevel: line.first.map { !$0.isWhitespace } ?? false)
    }
  }

  private mutating func read(_ words: [String], isTopLevel: Bool) {
    names.formUnion(words.filter { $0.first?.isUppercase == true })
    guard isTopLevel, let keyword = words.firstIndex(where: Self.keywords.contains),
      words.indices.contains(keyword + 1), !words.prefix(keyword).contains("extension")
    else { return }
    types.insert(words[keyword + 1])
  }

  /// The words of a line, without those in literals and behind `//`.
  private static func code(of line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var isText = false
    var before: Character = " "
    func isEnd(_ character: Character) -> Bool {
      !(character.isLetter || character.isNumber || character == "_")
    }
    for character in line {
      if isText {
        if character == "\"", before != "\\" { isText = false }
      } else if isEnd(character) {
        if !word.isEmpty { words.append(word) }
        word = ""
        if character == "\"" { isText = true }
        if character == "/", before == "/" { return words }
      } else {
        word.append(character)
      }
      before = character
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}
