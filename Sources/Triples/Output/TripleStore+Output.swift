/// Cells written as JSON without making values of them.
extension TripleStore {
  /// Writes what an entity has in a column; of a many-valued attribute the last value, of a link
  /// the id of its end.
  ///
  /// - Returns: false, and nothing written, when there is nothing.
  package func write(
    _ entity: EntityHandle, column: Int, into output: inout JSONOutput
  ) -> Bool {
    with(column) { column in
      switch column.pointee.cell(entity.row) {
      case .missing: return false
      case .null where column.pointee.kind == .membership: writeID(entity, into: &output)
      case .null: output.append("null")
      case .integer(let value): output.write(value)
      case .double(let value): output.write(value)
      case .boolean(let value): output.write(value)
      case .text(let code):
        column.pointee.texts.withBytes(of: code) { output.write($0, isPlain: $1) }
      case .target(let target): writeID(EntityHandle(row: target), into: &output)
      case .other(let value): output.write(value)
      }
      return true
    }
  }

  /// Writes an entity's id, in quotes.
  package func writeID(_ entity: EntityHandle, into output: inout JSONOutput) {
    if let bits = entities.content.uuidBits(entity.row) {
      output.writeUUID(high: bits.high, low: bits.low)
    } else {
      output.write(entities.content.id(entity.row).text)
    }
  }
}

extension JSONOutput {
  package mutating func write(_ value: Double) {
    guard value.isFinite else { return append("null") }
    var text = value.description
    text.withUTF8 { append($0) }
  }

  package mutating func write(_ value: Value) {
    switch value {
    case .null: append("null")
    case .bool(let value): write(value)
    case .integer(let value): write(value)
    case .double(let value): write(value)
    case .text(let text): write(text)
    case .array(let values):
      append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { append(UInt8(ascii: ",")) }
        write(value)
      }
      append(UInt8(ascii: "]"))
    case .object(let object):
      append(UInt8(ascii: "{"))
      for (place, member) in object.members.enumerated() {
        if place > 0 { append(UInt8(ascii: ",")) }
        write(member.key)
        append(UInt8(ascii: ":"))
        write(member.value)
      }
      append(UInt8(ascii: "}"))
    }
  }
}
