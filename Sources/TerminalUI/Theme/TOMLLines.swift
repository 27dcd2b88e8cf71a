/// Where keys stand in a file, as the parser does not tell.
package struct TOMLLines {
  private var lines: [String: Int] = [:]

  package init(_ text: String) {
    var section = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let bare = line.drop { $0 == " " || $0 == "\t" }
      if bare.first == "[" {
        section = Self.word(bare.dropFirst())
        note("", section, index + 1)
      } else {
        let key = Self.word(bare)
        note(section, key, index + 1)
        let rest = bare.dropFirst(key.count)
        if rest.first == "." { note(key, Self.word(rest.dropFirst()), index + 1) }
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
    // `[roles.title]` is a section of its own.
    if let dot = key.firstIndex(of: "."), section.isEmpty {
      lines[key] = lines[key] ?? line
      lines["." + key[..<dot]] = lines["." + key[..<dot]] ?? line
    }
  }

  private static func word(_ text: Substring) -> String {
    let isQuoted = text.first == "\"" || text.first == "'"
    let body = isQuoted ? text.dropFirst() : text
    return String(body.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "." })
  }
}
