/// The entity of a row, and the creation time of its triples in the form that columns store.
struct RowStart {
  var entity: EntityHandle
  var time: Int64
}

/// The values that identify a row's entity, if the row contains them.
struct RowIdentifiers {
  /// The value of `id`; `idBits` is the id derived from it.
  var id: DatasetScalar?
  var idBits: UUIDBits?
  /// The value of the key; `keyBits` is the id derived from it.
  var key: DatasetScalar?
  var keyBits: UUIDBits?
  /// Whether `id` is the name of the row in an object of rows, instead of a value in the row.
  var isIDOutside = false
  /// The creation time in milliseconds since 1970.
  var time: Int64?
}

// Loads rows of JSON and records of CSV.
extension DatasetLoader {
  /// Creates the entity of a row. Its id comes from `id` or the key; a row with neither gets a new
  /// id.
  ///
  /// - Returns: Nil when the row is skipped.
  mutating func begin(
    _ name: RowIdentifiers, in space: inout NamespaceLoader, _ file: SourceFile, at offset: Int,
    content: () -> ContentHash
  ) throws(DatasetError) -> RowStart? {
    guard rowCount < options.maxRows else {
      throw file.fault(.tooManyRows(limit: options.maxRows), at: offset)
    }
    let id = name.id?.isNull == true ? nil : name.id
    let bits = try bits(of: name, in: space, file, at: offset)
    var start: RowStart
    if let bits {
      if let first = begin(bits, alias: name.keyBits, in: &space, time: name.time) {
        start = first
      } else {
        let isKept = id?.isUUID != true
        let text = (id.flatMap { $0.isKey ? $0 : nil } ?? name.key)?.text
        try complain(
          .duplicateEntity(
            entity: text ?? UUIDText.text(high: bits.high, low: bits.low), namespace: space.name),
          isKept ? .bothKept : .rowLeftOut, file, at: offset)
        if !isKept { return nil }
        space.repeatsKey = true
        start = beginUnnamed(alias: nil, in: &space, time: name.time, content: content)
      }
    } else {
      start = beginUnnamed(alias: name.keyBits, in: &space, time: name.time, content: content)
    }
    if let id {
      if id.isUUID { space.hasUUIDs = true }
      let place =
        try id.isUUID
        ? 0 : storeID(id, isBesideKey: name.key != nil, of: start, in: &space, file, at: offset)
      if let place, !name.isIDOutside { space.recordFileID(at: place) }
    }
    return start
  }

  /// Returns the id that `id` or the key of the row determines; nil if the row has neither.
  private mutating func bits(
    of name: RowIdentifiers, in space: NamespaceLoader, _ file: SourceFile, at offset: Int
  ) throws(DatasetError) -> UUIDBits? {
    if let id = name.id, !id.isNull {
      if id.isKey { return name.idBits }
      try complain(.badKey(label: "id", kind: id.kindName), .rowKept, file, at: offset)
    }
    if let key = name.key {
      if let bits = name.keyBits { return bits }
      try complain(
        .badKey(label: keyLabel(of: space), kind: key.kindName), .rowKept, file, at: offset)
    } else if space.isKeyDeclared {
      try complain(.noKey(label: keyLabel(of: space)), .rowKept, file, at: offset)
    }
    return nil
  }

  /// Stores a value of `id` that is not a UUID, either as the key or in a separate field.
  ///
  /// - Returns: The field; nil if the value is skipped.
  private mutating func storeID(
    _ id: DatasetScalar, isBesideKey: Bool, of start: RowStart, in space: inout NamespaceLoader,
    _ file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int? {
    let place: Int?
    if isBesideKey {
      if options.isStrict { throw file.fault(.idAndKey(key: keyLabel(of: space)), at: offset) }
      place = try idField(of: &space, file, at: offset)
      space.repeatsKey = true
    } else {
      place =
        if let key = space.key { key } else {
          try addField("key", to: &space, file: file, at: offset)
        }
    }
    guard let place else { return nil }
    _ = space.markField(place)
    try load(id, at: place, of: start, in: &space, file, offset: offset)
    return place
  }

  /// Returns the field for values of `id` that are not UUIDs, and creates the field if necessary.
  mutating func idField(
    of space: inout NamespaceLoader, _ file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int? {
    if let place = space.idField { return place }
    var label = "id_"
    while space.place(of: label) != nil { label += "_" }
    space.idField = try addField(label, to: &space, file: file, at: offset)
    warn(.idBesideKey(label: label), file, at: offset)
    return space.idField
  }

  private func keyLabel(of space: NamespaceLoader) -> String {
    space.key.map { space.attributes[$0].label } ?? "key"
  }

  /// Loads a value into its column.
  @inline(__always)
  mutating func load(
    _ scalar: DatasetScalar, at place: Int, of row: RowStart, in space: inout NamespaceLoader,
    _ file: SourceFile, offset: Int
  ) throws(DatasetError) {
    let field = space.fields[place]
    if let type = field.checkedType, !scalar.passes(type) {
      let found = type == .date && scalar.isKey ? "'\(scalar.text)'" : scalar.kindName
      try complain(
        .wrongType(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          expected: type, found: found), .valueKept, file, at: offset)
    }
    if field.isRequired, scalar.isNull {
      try complain(
        .missing(label: space.attributes[place].label, of: name(of: row.entity, in: space)),
        .rowKept, file, at: offset)
    }
    space.addKinds(scalar.seen, at: place)
    load(scalar, of: row.entity, column: field.column, at: row.time)
  }

  /// Loads a link into its column. Null has no effect.
  @inline(__always)
  mutating func link(
    _ scalar: DatasetScalar, at place: Int, of row: RowStart, in space: inout NamespaceLoader,
    _ file: SourceFile, offset: Int
  ) throws(DatasetError) {
    if scalar.isNull { return }
    guard scalar.isKey else {
      return try complain(
        .notALink(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          kind: scalar.kindName), .linkLeftOut, file, at: offset)
    }
    let isFree = link(
      scalar, of: row.entity, in: &space, at: place, file: file, offset: offset, time: row.time)
    if !isFree {
      try complain(
        .targetTaken(
          label: space.attributes[place].label, of: name(of: row.entity, in: space),
          value: scalar.text), .linkLeftOut, file, at: offset)
    }
  }

  /// Checks that a row has a value for every required attribute.
  @inline(__always)
  mutating func checkRequired(
    of entity: EntityHandle, in space: NamespaceLoader, _ file: SourceFile, at offset: Int
  ) throws(DatasetError) {
    guard space.requiredCount > 0 else { return }
    for place in space.fields.indices
    where space.fields[place].isRequired && space.fields[place].row != space.rowCount {
      try complain(
        .missing(label: space.attributes[place].label, of: name(of: entity, in: space)), .rowKept,
        file, at: offset)
    }
  }
}
