/// A sort key for rows: a column, the type of its values, and a direction.
///
/// The column and the entities are references, since keys are copied and used in every comparison.
struct ColumnSortKey {
  private let boxed: Boxed<Column>?
  private let entities: Boxed<Entities>
  let checkedType: CheckedType?
  let isDescending: Bool

  init(
    _ column: Boxed<Column>?, _ checkedType: CheckedType?, _ entities: Boxed<Entities>,
    isDescending: Bool
  ) {
    boxed = column
    self.entities = entities
    self.checkedType = checkedType
    self.isDescending = isDescending
  }

  var column: Column? { boxed?.content }

  var isDate: Bool { checkedType == .date }

  func compare(_ a: UInt32, _ b: UInt32) -> Int {
    guard let boxed else { return 0 }
    return boxed.with { column in
      let order =
        column.pointee.kind == .membership
        ? compare(created(a, column), created(b, column))
        : compare(
          part(column.pointee.cell(a), column), part(column.pointee.cell(b), column), column)
      return isDescending ? -order : order
    }
  }

  private func created(_ row: UInt32, _ column: UnsafePointer<Column>) -> Int64 {
    guard column.pointee.isPresent(row) else { return .min }
    let time = column.pointee.time(row)
    return time == Chunk.asEntity ? entities.with { $0.pointee.birth(row) } : time
  }

  /// Returns whether a row has a value for this key.
  func hasValue(_ row: UInt32) -> Bool {
    guard let boxed else { return false }
    return boxed.with { column in
      if column.pointee.kind == .membership { return column.pointee.isPresent(row) }
      if case .nothing = part(column.pointee.cell(row), column) { return false }
      return true
    }
  }

  /// The content of a cell, as it is compared. Cells of different kinds are sorted by `rank`.
  private enum Part {
    case nothing
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case text(UInt32)
    case string(String)
    case composite

    var rank: Int {
      switch self {
      case .nothing: 0
      case .boolean: 1
      case .integer, .double: 2
      case .text, .string: 3
      case .composite: 4
      }
    }
  }

  private func part(_ cell: ColumnCell, _ column: UnsafePointer<Column>) -> Part {
    if isDate {
      return column.pointee.value(of: cell).flatMap { Instant($0) }.map {
        .integer($0.milliseconds)
      }
        ?? .nothing
    }
    switch cell {
    case .missing, .null: return .nothing
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .double(let value): return .double(value)
    case .text(let code): return .text(code)
    case .target(let row): return .string(entities.content.id(row).text)
    case .other(.bool(let value)): return .boolean(value)
    case .other(.integer(let value)): return .integer(value)
    case .other(.double(let value)): return .double(value)
    case .other(.text(let text)): return .string(text)
    case .other(.null): return .nothing
    case .other(.array), .other(.object): return .composite
    }
  }

  private func compare(_ a: Part, _ b: Part, _ column: UnsafePointer<Column>) -> Int {
    switch (a, b) {
    case (.boolean(let a), .boolean(let b)): return (a ? 1 : 0) - (b ? 1 : 0)
    case (.integer(let a), .integer(let b)): return compare(a, b)
    case (.double(let a), .double(let b)): return compare(a, b)
    case (.integer(let a), .double(let b)): return compare(Double(a), b)
    case (.double(let a), .integer(let b)): return compare(a, Double(b))
    case (.text(let a), .text(let b)):
      return column.pointee.texts.compare(a, b, isCollated: checkedType == .string)
    case (.text, .string), (.string, .text), (.string, .string):
      return compare(string(a, column), string(b, column))
    default: return a.rank - b.rank
    }
  }

  private func compare(_ a: String, _ b: String) -> Int {
    if checkedType == .string { return Collation.compare(a, b) }
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in Bytes.compareAsUTF16(a, b) } }
  }

  private func string(_ part: Part, _ column: UnsafePointer<Column>) -> String {
    switch part {
    case .text(let code): column.pointee.texts.text(code)
    case .string(let text): text
    default: ""
    }
  }

  private func compare<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
    a < b ? -1 : a > b ? 1 : 0
  }
}

extension TextDictionary {
  /// Compares the texts of two codes by collation, or by UTF-16 code units.
  @inline(__always)
  func compare(_ a: UInt32, _ b: UInt32, isCollated: Bool) -> Int {
    if isCollated { return compare(a, b) }
    if a == b { return 0 }
    return withBytes(of: a) { a, _ in withBytes(of: b) { b, _ in Bytes.compareAsUTF16(a, b) } }
  }
}
