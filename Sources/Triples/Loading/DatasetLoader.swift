/// Loads the files of a dataset into a store.
struct DatasetLoader {
  var store = TripleStore()
  /// The report of skipped and changed data.
  private(set) var report: LoadReport
  /// The entities whose ids are derived from their content.
  private(set) var contentRows = RowSet()
  let files: [DatasetFile]
  let parts: [DatasetPart]
  let options: DatasetOptions
  let schema: DatasetSchema
  var spaces: [NamespaceLoader] = []
  private var numbers: [String: Int] = [:]
  /// For each namespace, the information for resolving links to its entities.
  private(set) var targets: [Target] = []
  /// Links to entities that are not loaded yet.
  var pending: [PendingLink] = []
  /// Maps the id derived from a key to the entity with that key, if the entity has another id. It
  /// is used to resolve links that refer to the key.
  private(set) var aliases: [UUIDBits: EntityHandle] = [:]
  /// The number of rows with equal content, keyed by the id of the first such row. There is an
  /// entry only for content that occurs several times.
  private var occurrences: [UUIDBits: Int] = [:]
  private var clock: Int64
  private var recent = RecentTargets()
  /// A separate buffer for hashing a row while another buffer still contains the row's id or key.
  let contentScratch = TextScratch()
  private let progress: (Int) -> Void
  /// The total size of the files before the current one, in bytes.
  private var bytesBefore = 0
  /// The position whose line number was computed last.
  private var lineMark = (file: -1, offset: 0, line: 1)

  struct Target {
    var name: String
    var membership: Int
    var prefix: DerivedID
  }

  struct PendingLink {
    var space: Int
    var field: Int
    var file: Int
    var source: EntityHandle
    var target: EntityHandle
    var value: String
    var offset: Int
  }

  /// The maximum number of labels. More labels indicate that values were written as labels.
  static let maximumAttributes = 4_096
  /// The maximum length of a label. A longer label is probably a value in the wrong place. Output
  /// would repeat it in every row.
  private static let maxLabelBytes = 4_096

  /// Creates a loader for the parts of files.
  ///
  /// - Parameters:
  ///   - parts: Parts with unique names, which are their namespaces.
  ///   - progress: Called regularly with the number of bytes read so far.
  init(
    _ schema: DatasetSchema, _ files: [DatasetFile], _ parts: [DatasetPart],
    _ options: DatasetOptions, _ report: LoadReport, progress: @escaping (Int) -> Void
  ) {
    self.schema = schema
    self.files = files
    self.options = options
    self.report = report
    self.progress = progress
    clock = options.firstTime
    var places: [String: Int] = [:]
    for (place, entity) in schema.entities.enumerated() { places[entity.name] = place }
    self.parts = parts.enumerated().sorted {
      let (one, other) = (places[$0.element.name] ?? .max, places[$1.element.name] ?? .max)
      return one == other ? $0.offset < $1.offset : one < other
    }.map(\.element)
    for entity in schema.entities {
      addSpace(entity.name, entity)
    }
    let linked = schema.links.flatMap { [$0.namespace, $0.reverse?.namespace ?? $0.namespace] }
    for name in self.parts.map(\.name) + linked where numbers[name] == nil {
      addSpace(name, nil)
    }
    for link in schema.links { addLink(link) }
    for entity in schema.entities {
      if let label = entity.label { store.schema.setLabel(label, of: entity.name) }
    }
  }

  private mutating func addSpace(_ name: String, _ entity: DatasetSchema.Entity?) {
    let number = spaces.count
    var space = NamespaceLoader(
      name, number: number, isDeclared: entity != nil, isKeyDeclared: entity?.key != nil)
    let id = Attribute.derived(name, "id", isUnique: true, isIndexed: true)
    let membership = addColumn(id)
    space.add(id, NamespaceLoader.Field(kind: .identity, column: membership))
    for attribute in entity?.attributes ?? [] {
      let field = NamespaceLoader.Field(
        kind: .value, column: addColumn(attribute), checkedType: attribute.checkedType,
        isRequired: attribute.isRequired,
        cells: entity?.cells[attribute.label])
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
    let kind = NamespaceLoader.Field.Kind.link(
      isMany: attribute.cardinality == .many, isUnique: attribute.isUnique, target: to)
    let field = NamespaceLoader.Field(
      kind: kind, column: addColumn(attribute), isRequired: attribute.isRequired)
    spaces[from].add(attribute, field)
  }

  private mutating func addColumn(_ attribute: Attribute) -> Int {
    store.addAttribute(attribute)
    return store.column(of: attribute.id).unsafelyUnwrapped
  }

  // MARK: Files

  mutating func loadAll() throws(DatasetError) {
    // Entities take about 170 bytes in such files. Reserving too little or too much costs little
    // time.
    store.reserve(entities: files.reduce(0) { $0 + $1.bytes.count } / 170)
    for (number, part) in parts.enumerated() {
      guard let place = numbers[part.name] else { continue }
      let size = files[part.file].bytes.count
      // The namespace is moved out of the array, so that its own arrays are uniquely referenced.
      var space = spaces[place]
      spaces[place] = NamespaceLoader("", number: place, isDeclared: false, isKeyDeclared: false)
      if let key = space.key, part.offset == 0 {
        let column = space.fields[key].column
        store.columns[column].content.reserve(texts: size / 170)
      }
      try load(part, into: &space)
      spaces[place] = space
      if number + 1 == parts.count || parts[number + 1].file != part.file { bytesBefore += size }
      progress(bytesBefore)
    }
    try resolvePendingLinks()
    try checkLabels()
    for space in spaces { inferTypes(of: space) }
    for space in spaces {
      if let own = space.attributeOfFileID { store.schema.setFileID(own.id, of: space.name) }
      if !space.hasUUIDs { store.schema.setHasDerivedIDs(space.name) }
    }
    for space in spaces { try checkUnique(space) }
  }

  private mutating func load(
    _ part: DatasetPart, into space: inout NamespaceLoader
  ) throws(DatasetError) {
    let file = files[part.file]
    try file.bytes.withUnsafeBufferPointer { source throws(DatasetError) in
      let lent = SourceFile(number: part.file, name: file.name, source: source)
      switch part.layout {
      case .array, .features: try loadArray(lent, part, into: &space)
      case .lines: try loadLines(lent, part, into: &space)
      case .map: try loadMap(lent, part, into: &space)
      case .single: try loadSingle(lent, part, into: &space)
      case .records(let form): try loadRecords(lent, form, into: &space)
      }
    }
  }

  /// Reports progress every few thousand rows.
  @inline(__always)
  func reportProgress(_ offset: Int) {
    if clock & 0xFFF == 0 { progress(bytesBefore + offset) }
  }

  // MARK: Errors

  /// Throws the error if options are strict. Otherwise adds it to the report, with the outcome.
  @inline(never)
  mutating func complain(
    _ problem: DatasetError.Problem, _ outcome: DatasetError.Outcome?, _ file: SourceFile,
    at offset: Int
  ) throws(DatasetError) {
    if options.isStrict { throw file.fault(problem, at: offset) }
    warn(problem, file, at: offset, outcome: outcome)
  }

  /// Adds changed data to the report, even if options are strict.
  mutating func warn(
    _ problem: DatasetError.Problem, _ file: SourceFile, at offset: Int,
    outcome: DatasetError.Outcome? = nil
  ) {
    guard report.keepsNext(of: file.name) else { return report.skip() }
    var error = DatasetError(problem, file: file.name, line: line(of: offset, in: file))
    error.outcome = outcome
    report.add(error)
  }

  mutating func warn(_ error: DatasetError) { report.add(error) }

  /// Returns the line of an offset. It continues at the previously computed line, since offsets
  /// usually increase.
  private mutating func line(of offset: Int, in file: SourceFile) -> Int {
    if lineMark.file != file.number || lineMark.offset > offset { lineMark = (file.number, 0, 1) }
    let between = UnsafeBufferPointer(rebasing: file.source[lineMark.offset..<offset])
    var line = lineMark.line
    for byte in between where byte == UInt8(ascii: "\n") { line += 1 }
    lineMark = (file.number, offset, line)
    return line
  }

  mutating func warn(of numbers: InexactNumbers, in file: SourceFile) {
    for (place, number) in numbers.first.enumerated() {
      let isLast = place == numbers.first.count - 1
      warn(
        .inexact(number.text, others: isLast ? numbers.count - numbers.first.count : 0), file,
        at: number.offset)
    }
  }

  // MARK: Rows

  /// The number of rows loaded from all files.
  var rowCount: Int { Int(clock - options.firstTime) }

  /// Adds the entity of a row to its namespace.
  @inline(__always)
  mutating func begin(
    _ bits: UUIDBits, alias: UUIDBits?, in space: inout NamespaceLoader, time: Int64?
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

  /// Creates the entity of a row that contains neither an id nor a key.
  mutating func beginUnnamed(
    alias: UUIDBits?, in space: inout NamespaceLoader, time: Int64?, content: () -> ContentHash
  ) -> RowStart {
    guard case .content(let earlier) = options.identity else {
      var hash = space.prefix
      for byte in "#\(space.rowCount)".utf8 { hash.add(byte) }
      var bits = hash.bits
      while true {
        if let start = begin(bits, alias: alias, in: &space, time: time) { return start }
        bits.low &+= 1
      }
    }
    let hash = content()
    let first = hash.identity(in: space.prefix, occurrence: 0)
    var number = occurrences[first] ?? 0
    while true {
      let bits = hash.identity(in: space.prefix, occurrence: number)
      number += 1
      let isTaken = earlier.handle(of: EntityID(high: bits.high, low: bits.low)).map {
        earlier.contains($0, in: space.name)
      }
      guard isTaken != true, let start = begin(bits, alias: alias, in: &space, time: time) else {
        continue
      }
      if number > 1 { occurrences[first] = number }
      contentRows.insert(start.entity)
      return start
    }
  }

  /// Returns the field of a label, and creates it if necessary. Nil when its values are skipped.
  mutating func field(
    _ label: String, of space: inout NamespaceLoader, _ file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int? {
    if let place = space.place(of: label) { return place }
    return try addField(label, to: &space, file: file, at: offset)
  }

  /// Creates an attribute for an unknown label. Returns nil when its values are skipped.
  mutating func addField(
    _ label: String, to space: inout NamespaceLoader, file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int? {
    if let link = store.schema.link(space.name, label), link.direction == .reverse {
      try complain(
        .reverseLink(label: label, forward: "\(link.target).\(link.otherLabel)"), .valueLeftOut,
        file, at: offset)
      return nil
    }
    guard label.utf8.count <= Self.maxLabelBytes else {
      try complain(
        .expected(
          "a name of at most \(Self.maxLabelBytes) bytes, found one of \(label.utf8.count)"),
        .valueLeftOut, file, at: offset)
      return nil
    }
    if label.utf8.contains(UInt8(ascii: ".")) {
      return try addDotted(label, to: &space, file: file, at: offset)
    }
    guard space.fields.count < Self.maximumAttributes else {
      try complain(
        .expected("at most \(Self.maximumAttributes) attributes in one namespace"),
        .valueLeftOut, file, at: offset)
      return nil
    }
    let isKey = label == "key" && space.key == nil
    let attribute = Attribute.derived(space.name, label, isUnique: isKey, isIndexed: isKey)
    space.add(
      attribute,
      NamespaceLoader.Field(
        kind: .value, column: addColumn(attribute),
        isInferred: schema.infersTypes || !space.isDeclared))
    let place = space.fields.count - 1
    if isKey { space.key = place }
    return place
  }

  /// Replaces the dots in a label, because dots are path separators in queries.
  private mutating func addDotted(
    _ label: String, to space: inout NamespaceLoader, file: SourceFile, at offset: Int
  ) throws(DatasetError) -> Int? {
    let plain = String(label.map { $0 == "." ? "_" : $0 })
    guard let place = try field(plain, of: &space, file, at: offset) else { return nil }
    space.add(alias: label, of: place)
    warn(.dotted(label: label, plain: plain), file, at: offset)
    return place
  }

  /// Writes a value directly to a column; `time` is in the form that columns store.
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

  /// Links to the entity that a text or number identifies.
  ///
  /// - Returns: False when the target allows only one entity to link to it, and another entity
  ///   already does.
  @inline(__always)
  mutating func link(
    _ scalar: DatasetScalar, of entity: EntityHandle, in space: inout NamespaceLoader,
    at place: Int,
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
}
