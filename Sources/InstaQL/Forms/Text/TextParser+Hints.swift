import Triples

/// Creates the hints in syntax errors.
extension TextParser {
  /// Returns whether a path ends with a link (`country`), and not with the id of its target
  /// (`country.id`).
  func isLink(_ path: AttributePath) -> Bool {
    path.label != ConditionNode.idStartsWithKey && path.label != idLabel(at: path)
  }

  /// Returns a hint for a comparison of a link: "'country' is a link; use 'country.name = …'."
  func linkHint(
    _ path: AttributePath, _ comparison: Comparison? = nil, _ value: Value = .null
  ) -> String {
    let written = path.labels.map(Words.written).joined(separator: ".")
    guard let label = schema.flatMap({ nameLabel(at: path, $0) }) else {
      return "'\(written)' is a link; compare it with an id."
    }
    var instead = written + "." + Words.written(label)
    if let comparison { instead += " \(comparison.spelling) \(JSONWriter.text(value))" }
    return "'\(written)' is a link; use '\(instead)'."
  }

  /// Returns the label of the attribute that best names the entities at the end of a path.
  ///
  /// This is the namespace's display label if it has one, or else an attribute such as `name` or
  /// `title`.
  private func nameLabel(at path: AttributePath, _ schema: Schema) -> String? {
    guard let place = target(of: path.labels[...], schema) else { return nil }
    if let label = schema.label(of: place) { return label }
    let texts = schema.attributes(of: place).filter { !$0.isIdentity }
      .filter { $0.checkedType == .string || $0.checkedType == nil }.map(\.label)
    let named = ["name", "title", "label"]
    return named.first(where: texts.contains)
      ?? texts.first { text in named.contains { text.lowercased().hasSuffix($0) } } ?? texts.first
  }

  /// Returns the label of the attribute that names the entities at the end of a path. Nil if its
  /// values are not unique.
  func uniqueName(at path: AttributePath) -> String? {
    guard let schema, let place = target(of: path.labels[...], schema),
      let label = nameLabel(at: path, schema),
      schema.attribute(place, label)?.isUnique == true
    else { return nil }
    return label
  }

  /// Returns the namespace to which links lead, which is their own if there are none; nil if a name
  /// is not a link.
  private func target(of links: ArraySlice<String>, _ schema: Schema) -> String? {
    (lastField?.namespace ?? namespace).flatMap { schema.namespace(from: $0, along: links) }
  }

  /// Returns the label of the id attribute with which the path may end.
  private func idLabel(at path: AttributePath) -> String {
    guard let schema,
      let owner = target(of: path.links, schema)
    else { return "id" }
    return schema.identityLabel(of: owner)
  }

  /// Returns the attribute with the ids of a file that are not UUIDs, for a path to the ids that the
  /// store derived from them; nil if there is none.
  func originalIDs(at path: AttributePath) -> Attribute? {
    guard let schema, path.label != ConditionNode.idStartsWithKey, !isLink(path),
      let owner = target(of: path.links, schema)
    else { return nil }
    return ["id_", "key"].lazy.compactMap { schema.attribute(owner, $0) }
      .first { $0.isUnique && !$0.isIdentity && $0.valueType == .blob }
  }

  /// Returns whether a path leads to a database's column of numbers that may contain a text such as
  /// `NaN`.
  func mayContain(_ text: Value, _ path: AttributePath) -> Bool {
    guard text.isNonFiniteNumber, let schema,
      let owner = target(of: path.links, schema),
      let attribute = schema.attribute(owner, path.label)
    else { return false }
    return attribute.isColumn && attribute.checkedType == .number
  }

  /// Returns a hint with the known name that is most similar to an unknown one; nil if errors get
  /// no hints.
  func suggestion(_ name: String, among known: @autoclosure () -> [String]) -> String? {
    givesHints ? NearestName.suggestion(name, among: known()) : nil
  }

  /// A hint for a condition or `*` without its clause, as in `cities population > 5`.
  var hintOnMissingClause: String? {
    if token.isSign(.star), lastClause == nil { return "Write the clause: fields *." }
    if endedWithCondition { return nil }
    if case .sign(let sign) = token.kind, sign.comparison != nil, sign != .colon {
      return "Write a condition as a clause: filter FIELD \(sign.rawValue) VALUE."
    }
    guard let name = token.name, let schema, let namespace,
      schema.attribute(namespace, name) != nil || schema.link(namespace, name) != nil,
      let next = try? peek()
    else { return nil }
    var isCompared = next.word.map(Words.comparisons.contains) ?? false
    if case .sign(let sign) = next.kind { isCompared = sign.comparison != nil }
    return isCompared ? "Write the clause: filter \(Words.written(name)) …" : nil
  }

  /// Returns a hint for a link to many entities that is compared with a number; nil for any other
  /// comparison.
  func hintOnCount(_ path: AttributePath, _ value: Value) -> String? {
    guard case .integer = value, let schema, let owner = target(of: path.links, schema),
      schema.link(owner, path.label)?.cardinality == .many
    else { return nil }
    let written = path.labels.map(Words.written).joined(separator: ".")
    return "To compare the number of linked entities, write count(\(written))."
  }

  /// Returns a hint for a query that includes the number of a link's entities beside other columns of
  /// the link.
  static func hintOnIncludedCount(_ links: some Sequence<Token>) -> String {
    let written = links.compactMap(\.name).map(Words.written).joined(separator: ".")
    return "With other columns of \(Words.quoted(written)), write its number as count(\(written))."
  }

  /// Returns a hint for a link that is not compared, as in `cities filter country`; nil for any
  /// other path.
  func hintOnBareLink(_ path: AttributePath, _ kind: ValueKind?) -> String? {
    guard kind == .link, isLink(path), let schema, let owner = target(of: path.links, schema),
      let link = schema.link(owner, path.label)
    else { return nil }
    let written = path.labels.map(Words.written).joined(separator: ".")
    return link.cardinality == .many
      ? "Write: count(\(written)) > 0." : "Write: \(written) is not null."
  }

  /// Returns a hint for a query that begins like SQL: it names the namespace after FROM, or else the
  /// first one. Nil for any other query.
  func hintOnSQL(_ start: Token, _ schema: Schema) -> String? {
    guard start.word == "select" else { return nil }
    let words = String(decoding: lexer.bytes, as: UTF8.self).split { " \t\n;".contains($0) }
    let named = words.firstIndex { $0.lowercased() == "from" }.map { words[($0 + 1)...] }?.first
    let known = schema.namespaces.first { $0 == named.map(String.init) } ?? schema.namespaces.first
    return known.map {
      "Write the namespace first, without SELECT: \(Words.written($0)) filter … order … limit …"
    }
  }

  /// Adds a hint to the error if the text at its position is a known name that needs backquotes.
  func naming(_ error: QueryError) -> QueryError {
    guard givesHints, case .syntax(var fault) = error,
      let name = nameInNeed(around: fault.offset)
    else { return error }
    fault.hint = "Put the name in backquotes: \(Words.written(name))."
    return .syntax(fault)
  }

  /// Returns the longest known name that needs backquotes and is in the text around this position.
  private func nameInNeed(around offset: Int) -> String? {
    guard let schema else { return nil }
    var longest: String?
    func consider(_ name: String) {
      guard !Words.isWord(name), stands(name, around: offset) else { return }
      if let known = longest, (known.utf8.count, known) >= (name.utf8.count, name) { return }
      longest = name
    }
    for partition in schema.partitions.keys { consider(partition) }
    for namespace in schema.namespaces {
      consider(namespace)
      for attribute in schema.attributes(of: namespace) { consider(attribute.label) }
      for link in schema.links(of: namespace) { consider(link.label) }
    }
    return longest
  }

  private func stands(_ name: String, around offset: Int) -> Bool {
    let name = Array(name.lowercased().utf8)
    guard !name.isEmpty else { return false }
    let first = max(0, offset - name.count + 1)
    return (first...max(first, offset)).contains { start in
      guard start + name.count <= lexer.bytes.count else { return false }
      let piece = String(decoding: lexer.bytes[start..<start + name.count], as: UTF8.self)
      let before = start == 0 ? UInt8(ascii: " ") : lexer.bytes[start - 1]
      return Array(piece.lowercased().utf8) == name
        && !Words.continues(Unicode.Scalar(before)) && !#"`"'"#.utf8.contains(before)
    }
  }
}
