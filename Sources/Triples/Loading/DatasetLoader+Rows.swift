/// The entity of a row, and its time as columns keep it.
struct RowStart {
  var entity: EntityHandle
  var time: Int64
}

// What rows of JSON and records of CSV have in common.
extension DatasetLoader {
  /// Makes the entity that `id` or `key` names.
  mutating func begin(
    id: DatasetScalar?, key: DatasetScalar?, keyBits: UUIDBits?, in space: inout DatasetSpace,
    _ file: SourceFile, at offset: Int, time: Int64?
  ) throws(DatasetError) -> RowStart {
    var bits: UUIDBits
    var name = key
    var keyFromID: DatasetScalar?
    if let id, !id.isNull {
      guard id.isKey else { throw file.fault(.badKey(label: "id", kind: id.kindName), at: offset) }
      bits = id.identity(after: space.prefix)
      if !id.isUUID {
        guard key == nil else {
          throw file.fault(.idAndKey(key: keyLabel(of: space)), at: offset)
        }
        keyFromID = id
      }
      name = id
    } else if let key {
      guard let keyBits else {
        throw file.fault(.badKey(label: keyLabel(of: space), kind: key.kindName), at: offset)
      }
      bits = keyBits
    } else {
      if space.isKeyDeclared { throw file.fault(.noKey(label: keyLabel(of: space)), at: offset) }
      var hash = space.prefix
      for byte in "#\(space.rowCount)".utf8 { hash.add(byte) }
      bits = hash.bits
    }
    guard let start = begin(bits, alias: keyBits, in: &space, time: time) else {
      let name = name?.text ?? UUIDText.text(high: bits.high, low: bits.low)
      throw file.fault(.duplicateEntity(entity: name, namespace: space.name), at: offset)
    }
    if let keyFromID {
      let place: Int
      if let known = space.key {
        place = known
      } else {
        place = try addField("key", to: &space, file: file, at: offset)
      }
      _ = space.note(place)
      try load(keyFromID, at: place, of: start, in: &space, file, offset: offset)
    }
    return start
  }

  private func keyLabel(of space: DatasetSpace) -> String {
    space.key.map { space.attributes[$0].label } ?? "key"
  }

  /// Puts a value into its column.
  @inline(__always)
  mutating func load(
    _ scalar: DatasetScalar, at place: Int, of row: RowStart, in space: inout DatasetSpace,
    _ file: SourceFile, offset: Int
  ) throws(DatasetError) {
    let field = space.fields[place]
    if let type = field.checkedType, !scalar.passes(type) {
      let found = type == .date && scalar.isKey ? "'\(scalar.text)'" : scalar.kindName
      throw file.fault(
        .wrongType(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          expected: type, found: found), at: offset)
    }
    if field.isRequired, scalar.isNull {
      throw file.fault(
        .missing(label: space.attributes[place].label, of: name(of: row.entity, in: space)),
        at: offset)
    }
    space.see(scalar.seen, at: place)
    load(scalar, of: row.entity, column: field.column, at: row.time)
  }

  /// Puts a link into its column; null is none.
  @inline(__always)
  mutating func link(
    _ scalar: DatasetScalar, at place: Int, of row: RowStart, in space: inout DatasetSpace,
    _ file: SourceFile, offset: Int
  ) throws(DatasetError) {
    if scalar.isNull { return }
    guard scalar.isKey else {
      throw file.fault(
        .notALink(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          kind: scalar.kindName), at: offset)
    }
    let isFree = link(
      scalar, of: row.entity, in: &space, at: place, file: file, offset: offset, time: row.time)
    guard isFree else {
      throw file.fault(
        .targetTaken(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          value: scalar.text), at: offset)
    }
  }

  /// Sees that a row has all that it must have.
  @inline(__always)
  func checkRequired(
    of entity: EntityHandle, in space: DatasetSpace, _ file: SourceFile, at offset: Int
  ) throws(DatasetError) {
    guard space.requiredCount > 0 else { return }
    for place in space.fields.indices
    where space.fields[place].isRequired && space.fields[place].row != space.rowCount {
      throw file.fault(
        .missing(label: space.attributes[place].label, of: name(of: entity, in: space)),
        at: offset)
    }
  }
}
