/// Where keys stand in a file, as the parser does not tell.
package struct TOMLLines {
  private var lines: [String: Int] = [:]

  package init(_ text: String) {
    var section = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      if bare.first == "[" {
        // `[roles.title]` is a section of its own, and a key of the one above it.
        section = ""
        for part in Self.parts(bare.dropFirst()) {
          note(section, part, index + 1)
          section += section.isEmpty ? part : "." + part
        }
        note("", section, index + 1)
      } else {
        var inside = section
        for part in Self.parts(bare) {
          note(inside, part, index + 1)
          inside += inside.isEmpty ? part : "." + part
        }
      }
    }
  }

  /// From 1; the line of the section when the key is not found, 1 when there is none.
  package func line(of key: String, in section: String) -> Int {
    lines[section + "." + key] ?? lines["." + section] ?? 1
  }

  private mutating func note(_ section: String, _ key: String, _ line: Int) {
    let name = section + "." + key
    if lines[name] == nil { lines[name] = line }
  }

  /// The parts of a name at the beginning of a text: `stores."a.b"` has two.
  private static func parts(_ text: Substring) -> [String] {
    var (parts, rest) = ([String](), text)
    while let first = rest.first {
      let part: Substring
      if first == "\"" || first == "'" {
        part = rest.dropFirst().prefix { $0 != first }
        rest = rest.dropFirst(part.count + 2)
      } else {
        part = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        rest = rest.dropFirst(part.count)
      }
      parts.append(String(part))
      guard rest.first == "." else { break }
      rest = rest.dropFirst()
    }
    return parts
  }
}
