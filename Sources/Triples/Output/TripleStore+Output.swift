/// Writes cells as JSON without creating values.
extension TripleStore {
  /// Writes an entity's value in a column. Of several values it writes the last one, and for a link
  /// the target's id.
  ///
  /// - Returns: False when there is no value and nothing was written.
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

  /// Writes an entity's id with quotes.
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
    let hundredths = (value * 100).rounded()
    if hundredths.magnitude < 1e14, hundredths != 0, hundredths / 100 == value {
      return write(hundredths: Int64(hundredths))
    }
    var text = value.description
    text.withUTF8 { append($0) }
  }

  /// Writes a number, given in hundredths, with one or two decimal places. If it has at most 15
  /// digits, the result is the shortest form of its double.
  private mutating func write(hundredths: Int64) {
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    if hundredths < 0 { append(UInt8(ascii: "-")) }
    write(Int64(whole))
    append(UInt8(ascii: "."))
    append(0x30 | UInt8(rest / 10))
    if rest % 10 != 0 { append(0x30 | UInt8(rest % 10)) }
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
