import Triples

/// Collects the members of JSON objects. Attributes that follow each other are written together.
struct MemberBuilder {
  private enum Part {
    case fields([Attribute])
    case other(PreparedMember)
  }

  /// Whether null is written for a missing value of an indexed attribute.
  let showsMissing: Bool
  private var parts: [Part] = []

  init(showsMissing: Bool) { self.showsMissing = showsMissing }

  mutating func add(_ fields: [Attribute]) {
    if case .fields(let before)? = parts.last {
      parts[parts.count - 1] = .fields(before + fields)
    } else {
      parts.append(.fields(fields))
    }
  }

  mutating func add(_ member: PreparedMember) { parts.append(.other(member)) }

  /// Returns the members, with the attributes that the query does not name, such as the id, after
  /// the last attribute.
  func members(adding others: [Attribute]) -> [PreparedMember] {
    var parts = parts
    let last = parts.lastIndex { if case .fields = $0 { true } else { false } }
    if let last, case .fields(let before) = parts[last] {
      parts[last] = .fields(before + others)
    } else {
      parts.insert(.fields(others), at: 0)
    }
    return parts.map { part in
      switch part {
      case .other(let member): return member
      case .fields(let fields):
        let showsMissing = showsMissing
        return .fields(
          FieldKeys(fields) { showsMissing && $0.isIndexed && $0.valueType == .blob })
      }
    }
  }
}
