/// Puts the files of a dataset into a store.
struct DatasetLoader {
  private(set) var store = TripleStore()
  /// What was taken in otherwise than it was written.
  private(set) var warnings: [DatasetError] = []
  let files: [DatasetFile]
  private let schema: DatasetSchema
  private var spaces: [DatasetSpace] = []
  private var numbers: [String: Int] = [:]
  /// What links have to know of each namespace.
  private(set) var targets: [Target] = []
  /// Links to entities that had not been read yet.
  private var pending: [PendingLink] = []
  /// The entities whose id is not the one derived from their key, by the latter.
  private var aliases: [UUIDBits: EntityHandle] = [:]
  private var clock: Int64 = 0
  private var recent = RecentTargets()
  private let progress: (Int) -> Void
  /// Of the files before the one that is being read.
  private var bytesBefore = 0

  struct Target {
    var name: String
    var membership: Int
    var prefix: DerivedID
  }

  private struct PendingLink {
    var space: Int
    var field: Int
    var file: Int
    var source: EntityHandle
    var target: EntityHandle
    var value: String
    var offset: Int
  }

  /// More labels than this are data in the wrong place, and would make columns of one value each.
  static let maximumAttributes = 4_096
  /// A longer label is data in the wrong place as well, and would be written in every row.
  private static let longestLabel = 4_096

  /// - Parameter progress: Told now and then how many bytes have been read.
  init(
    _ schema: DatasetSchema, files: [DatasetFile], progress: @escaping (Int) -> Void = { _ in }
  ) {
    self.schema = schema
    self.progress = progress
    let declared = schema.entities.map(\.name)
    var places: [String: Int] = [:]
    for (place, name) in declared.enumerated() { places[name] = place }
    self.files = files.sorted {
      (places[$0.namespace] ?? .max) < (places[$1.namespace] ?? .max)
    }
    for entity in schema.entities {
      addSpace(entity.name, entity)
    }
    for file in self.files where numbers[file.namespace] == nil {
      addSpace(file.namespace, nil)
    }
    for link in schema.links { addLink(link) }
    for entity in schema.entities {
      if let label = entity.label { store.schema.setLabel(label, of: entity.name) }
    }
  }

  private mutating func addSpace(_ name: String, _ entity: DatasetSchema.Entity?) {
    let number = spaces.count
    var space = DatasetSpace(
      name, number: number, isDeclared: entity != nil, isKeyDeclared: entity?.key != nil)
    let id = Attribute.derived(name, "id", isUnique: true, isIndexed: true)
    let membership = addColumn(id)
    space.add(id, DatasetSpace.Field(kind: .identity, column: membership))
    for attribute in entity?.attributes ?? [] {
      let field = DatasetSpace.Field(
        kind: .value, column: addColumn(attribute), checkedType: attribute.checkedType,
        isRequired: attribute.isRequired)
      space.add(attribute, field)
    }
    space.key = space.place(of: entity?.key ?? "key")
    numbers[name] = number
    targets.append(Target(name: name, membership: membership, prefix: space.prefix))
    spaces.append(space)
  }

  private mutating func addLink(_ attribute: Attribute) {
    guard let from = numbers[attribute.namespace], let reverse = attribute.reverse,
      let to = numbers[reverse.namespace]
    else { return }
    let kind = DatasetSpace.Field.Kind.link(
      isMany: attribute.cardinality == .many, isUnique: attribute.isUnique, target: to)
    let field = DatasetSpace.Field(
      kind: kind, column: addColumn(attribute), isRequired: attribute.isRequired)
    spaces[from].add(attribute, field)
  }

  private mutating func addColumn(_ attribute: Attribute) -> Int {
    store.addAttribute(attribute)
    return store.column(of: attribute.id).unsafelyUnwrapped
  }

  // MARK: All of it

  mutating func loadAll() throws(DatasetError) {
    // An entity takes some 170 bytes in files like these; a wrong guess costs little.
    store.reserve(entities: files.reduce(0) { $0 + $1.bytes.count } / 170)
    for number in files.indices {
      guard let place = numbers[files[number].namespace] else { continue }
      // The namespace is taken out meanwhile, so that nobody else holds its arrays.
      var space = spaces[place]
      spaces[place] = DatasetSpace("", number: place, isDeclared: false, isKeyDeclared: false)
      if let key = space.key {
        let column = space.fields[key].column
        store.columns[column].content.reserve(texts: files[number].bytes.count / 170)
      }
      try load(number, into: &space)
      spaces[place] = space
      bytesBefore += files[number].bytes.count
      progress(bytesBefore)
    }
    try settlePending()
    for space in spaces {
      noteTypes(of: space)
      try checkUnique(space)
    }
  }

  private mutating func load(
    _ number: Int, into space: inout DatasetSpace
  ) throws(DatasetError) {
    let file = files[number]
    try file.bytes.withUnsafeBufferPointer { source throws(DatasetError) in
      let lent = SourceFile(number: number, name: file.name, source: source)
      if source.starts(with: [0xFF, 0xFE]) || source.starts(with: [0xFE, 0xFF]) {
        throw lent.fault(.encoding("UTF-16"), at: 0)
      }
      switch file.format {
      case .json: try loadArray(lent, into: &space)
      case .jsonl: try loadLines(lent, into: &space)
      case .csv: try loadRecords(lent, .commas, into: &space)
      case .tsv: try loadRecords(lent, .tabs, into: &space)
      case nil: break
      }
    }
  }

  /// Tells how far the file has been read, every few thousand rows.
  @inline(__always)
  func tell(_ offset: Int) {
    if clock & 0xFFF == 0 { progress(bytesBefore + offset) }
  }

  mutating func warn(_ warning: DatasetError) { warnings.append(warning) }

  mutating func note(_ numbers: InexactNumbers, in file: SourceFile) {
    for (place, number) in numbers.first.enumerated() {
      let isLast = place == numbers.first.count - 1
      warnings.append(
        file.fault(
          .inexact(number.text, others: isLast ? numbers.count - numbers.first.count : 0),
          at: number.offset))
    }
  }

  // MARK: Rows

  /// Makes the entity of a row belong to its namespace.
  @inline(__always)
  mutating func begin(
    _ bits: UUIDBits, alias: UUIDBits?, in space: inout DatasetSpace, time: Int64?
  ) -> RowStart? {
    clock += 1
    let entity = store.loadEntity(high: bits.high, low: bits.low, in: space.name)
    let membership = targets[space.number].membership
    if store.columns[membership].with({ $0.pointee.isPresent(entity.row) }) { return nil }
    let relative = store.relative(time ?? clock, to: entity.row)
    store.columns[membership].content.mark(entity.row, time: relative)
    if let alias, alias != bits { aliases[alias] = entity }
    return RowStart(entity: entity, time: relative)
  }

  /// A label that the schema does not know becomes an attribute of any type.
  mutating func addField(
    _ label: String, to space: inout DatasetSpace, file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int {
    if let link = store.schema.link(space.name, label), link.direction == .reverse {
      throw file.fault(
        .reverseLink(label: label, forward: "\(link.target).\(link.otherLabel)"), at: offset)
    }
    guard label.utf8.count <= Self.longestLabel else {
      throw file.fault(
        .expected("a name of at most \(Self.longestLabel) bytes, found \(label.utf8.count)"),
        at: offset)
    }
    if label.utf8.contains(UInt8(ascii: ".")) {
      return try addDotted(label, to: &space, file: file, at: offset)
    }
    guard space.fields.count < Self.maximumAttributes else {
      throw file.fault(
        .expected("no more than \(Self.maximumAttributes) attributes in one namespace"), at: offset)
    }
    let isKey = label == "key" && space.key == nil
    let attribute = Attribute.derived(space.name, label, isUnique: isKey, isIndexed: isKey)
    space.add(attribute, DatasetSpace.Field(kind: .value, column: addColumn(attribute)))
    let place = space.fields.count - 1
    if isKey { space.key = place }
    return place
  }

  /// In a query a dot leads to another entity: a label that has one could never be asked for.
  private mutating func addDotted(
    _ label: String, to space: inout DatasetSpace, file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int {
    let plain = String(label.map { $0 == "." ? "_" : $0 })
    let place: Int
    if let known = space.place(of: plain) {
      place = known
    } else {
      place = try addField(plain, to: &space, file: file, at: offset)
    }
    space.add(alias: label, of: place)
    warnings.append(file.fault(.dotted(label: label, plain: plain), at: offset))
    return place
  }

  /// Writes to the column itself; `time` is relative to the entity.
  @inline(__always)
  mutating func load(
    _ scalar: DatasetScalar, of entity: EntityHandle, column: Int, at time: Int64
  ) {
    let row = entity.row
    switch scalar {
    case .null: store.columns[column].content.setNull(at: row, time: time)
    case .boolean(let value): store.columns[column].content.setBoolean(value, at: row, time: time)
    case .integer(let value): store.columns[column].content.setInteger(value, at: row, time: time)
    case .double(let value): store.columns[column].content.setDouble(value, at: row, time: time)
    case .text(let bytes): store.columns[column].content.setText(bytes, at: row, time: time)
    case .json(let node): store.columns[column].content.set(node.value, at: row, time: time)
    }
  }

  /// Links to the entity that a text or a number names.
  ///
  /// - Returns: false when only one may have that target, and one has it.
  @inline(__always)
  mutating func link(
    _ scalar: DatasetScalar, of entity: EntityHandle, in space: inout DatasetSpace, at place: Int,
    file: SourceFile, offset: Int, time: Int64
  ) -> Bool {
    guard case .link(let isMany, let isUnique, let number) = space.fields[place].kind else {
      return true
    }
    let bits = scalar.identity(after: targets[number].prefix)
    var target: EntityHandle
    if let known = recent[bits, in: number] {
      target = known
    } else {
      target = store.loadEntity(high: bits.high, low: bits.low, in: targets[number].name)
      let membership = targets[number].membership
      if store.columns[membership].with({ $0.pointee.isPresent(target.row) }) {
        recent[bits, in: number] = target
      } else if let other = aliases[bits] {
        target = other
      } else {
        pending.append(
          PendingLink(
            space: space.number, field: place, file: file.number, source: entity, target: target,
            value: scalar.text, offset: offset))
      }
    }
    if isUnique, !space.taken[place, default: []].insert(target.row).inserted { return false }
    let column = space.fields[place].column
    if isMany {
      _ = store.columns[column].content.addTarget(target.row, at: entity.row, time: time)
    } else {
      store.columns[column].content.setTarget(target.row, at: entity.row, time: time)
    }
    return true
  }

  // MARK: At the end

  /// All links must lead to entities now.
  private mutating func settlePending() throws(DatasetError) {
    for link in pending {
      let field = spaces[link.space].fields[link.field]
      guard case .link(_, _, let number) = field.kind else { continue }
      if store.columns[targets[number].membership].content.isPresent(link.target.row) { continue }
      let attribute = spaces[link.space].attributes[link.field]
      if let other = alias(of: link.target) {
        let time = store.createdAt(link.source.row, column: field.column) ?? 0
        store.retract(target: link.target, of: link.source, attribute.id)
        _ = store.insert(target: other, of: link.source, column: field.column, at: time)
      } else if !schema.allowsDanglingLinks {
        let problem = DatasetError.Problem.dangling(
          label: attribute.label, of: name(of: link.source, in: spaces[link.space]),
          value: link.value, namespace: targets[number].name)
        throw files[link.file].bytes.withUnsafeBufferPointer {
          DatasetError(problem, file: files[link.file].name, at: link.offset, in: $0)
        }
      }
    }
    pending = []
  }

  /// The entity whose key gives the id of this one.
  private func alias(of entity: EntityHandle) -> EntityHandle? {
    // Asking the entity's id for its bits is shorter, and makes the optimiser of Swift 6.3 fail.
    guard let bits = store.entities.content.uuidBits(entity.row) else { return nil }
    return aliases[UUIDBits(high: bits.high, low: bits.low)]
  }

  /// What a sentence calls an entity: its key, or its id.
  func name(of entity: EntityHandle, in space: DatasetSpace) -> String {
    if let key = space.key, let value = store.value(entity, column: space.fields[key].column) {
      return value.textValue ?? JSONWriter.text(value)
    }
    return store.id(of: entity).text
  }

  private mutating func noteTypes(of space: DatasetSpace) {
    for (field, old) in zip(space.fields, space.attributes) {
      guard case .value = field.kind, field.seen != 0 else { continue }
      let seen = SeenKinds(rawValue: field.seen)
      var attribute = old
      attribute.inferredTypes = seen.names
      if !space.isDeclared {
        attribute.checkedType = seen.onlyType
        attribute.isIndexed = true
      }
      store.addAttribute(attribute)
    }
  }

  private func checkUnique(_ space: DatasetSpace) throws(DatasetError) {
    for (place, attribute) in space.attributes.enumerated()
    where attribute.isUnique && place != space.key {
      guard case .value = space.fields[place].kind else { continue }
      var seen: Set<Value> = []
      for entity in store.rows(of: space.name).handles {
        guard let value = store.value(entity, column: space.fields[place].column),
          value != .null, !seen.insert(value).inserted
        else { continue }
        let file = files.first { $0.namespace == space.name }?.name ?? ""
        throw DatasetError(
          .notUnique(
            label: attribute.label, of: name(of: entity, in: space),
            value: value.textValue ?? JSONWriter.text(value)), file: file)
      }
    }
  }
}
