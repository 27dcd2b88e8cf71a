import Foundation

/// A page of the documentation: the README, or a file of `docs`.
struct DocumentationPage: CustomStringConvertible {
  /// Its path in the checkout.
  let path: String
  let lines: [String]

  var description: String { path }
  var isQueryReference: Bool { path == "docs/queries.md" }

  /// The README, the other pages next to it, and the files of `docs`.
  static let all: [DocumentationPage] = {
    let checkout = URL(filePath: Program.checkout)
    let files = FileManager.default
    let top = (try? files.contentsOfDirectory(atPath: checkout.path)) ?? []
    let docs = (try? files.contentsOfDirectory(atPath: checkout.path + "/docs")) ?? []
    let paths = top + docs.map { "docs/" + $0 }
    return paths.filter { $0.hasSuffix(".md") }.sorted().compactMap { path in
      let text = try? String(contentsOf: checkout.appending(path: path), encoding: .utf8)
      return text.map {
        DocumentationPage(
          path: path,
          lines: $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      }
    }
  }()

  /// The lines of indented blocks of code.
  var code: [String] {
    var isFenced = false
    return lines.compactMap { line in
      if line.hasPrefix("```") { isFenced.toggle() }
      guard !isFenced, line.hasPrefix("    ") else { return nil }
      return line.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The lines that call the program, without the comments behind them.
  var commands: [String] {
    code.filter { $0.contains(/(^|\| |; )sonde( |$)/) }
      .map { $0.replacing(#/\s{2,}#.*/#, with: "") }
  }

  /// Those lines that name things of the reader's, in capitals, and cannot run as they are.
  static func isPattern(_ command: String) -> Bool {
    command.contains(/\b(URL|APP|HOST|STORE|COMMAND|ADDRESS|NAME|FILE)\b/)
  }

  /// The queries that are shown by themselves, with the demo that answers each.
  var queries: [(store: String, text: String)] {
    code.compactMap { line in
      let word = line.prefix { $0.isLetter || $0 == "{" }
      let store = Self.demos.first { $0.namespaces.contains(String(word)) }?.store
      return store.map { ($0, line) }
    }
  }

  private static let demos: [(store: String, namespaces: [String])] = [
    ("world", ["continents", "countries", "cities", "languages", "{"]),
    ("goals", ["goals", "todos", "people", "tags"]),
    ("company", ["departments", "employees", "projects", "offices"]),
  ]

  /// The targets of its links, except those on the web.
  var links: [String] {
    lines.joined(separator: "\n").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
      .filter { !$0.contains("://") }
  }

  /// The names by which links find its headings.
  var anchors: Set<String> {
    Set(
      lines.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
          .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      })
  }
}
