import TerminalUI
import Triples
import Widgets

/// The lines that show an entity: its values and its id, then its links in both directions.
struct EntityLines {
  private(set) var lines: [EntityPane.Line] = []
  private let entity: EntityHandle
  private let catalog: Catalog
  /// The width of the names before the values, in columns.
  let labelWidth: Int
  /// The width that remains for the values, in columns.
  private let width: Int
  /// The table on the screen, whose digit grouping the numbers have; nil if there is none.
  private let table: ResultTable?
  /// Whether the lines are for a preview, in which nested values are not expanded.
  private let isPreview: Bool
  private let folds: RecordFolds
  /// The number of lines that are visible at once.
  private let page: Int
  /// Whether the value that was added last has further lines, which were not counted.
  private var isCut = false

  init(
    of entity: EntityHandle, in namespace: String, catalog: Catalog, table: ResultTable?,
    size: Size, folds: RecordFolds, isPreview: Bool
  ) {
    self.entity = entity
    self.catalog = catalog
    self.table = table
    self.isPreview = isPreview
    self.folds = folds
    page = size.rows
    let fields = catalog.recordFields(of: namespace)
    let links = fields.links
    labelWidth = Self.labelWidth(upTo: fields.maxLabelWidth, in: size.columns)
    width = size.columns - labelWidth - Self.gaps
    let values = fields.attributes.map { add($0) }
    let targets = links.map { catalog.targets(of: entity, $0) }
    // A line that says that there are more counts as one target.
    let counts = zip(links, targets).map { link, targets in
      link.cardinality == .one
        ? 0 : (targets?.entities.count ?? 0) + (targets?.isCut == true ? 1 : 0)
    }
    let limits = Self.limits(
      values.map { _ in Self.minValueLines - 1 } + links.map { _ in Self.maxFolded },
      of: values.map(\.further) + counts, room: page)
    shorten(values, to: limits)
    for (place, limit) in limits.dropFirst(values.count).enumerated() {
      let isWhole = folds.listed.contains(links[place])
      add(links[place], targets[place], limit: isWhole ? Self.maxUnfolded : limit)
    }
  }

  /// Returns how many further lines each value has, and how many targets of each link are listed: as
  /// many as `limits` allow, and more if there is room.
  ///
  /// - Parameters:
  ///   - counts: The number of lines after each value's first line, and the number of each link's
  ///     targets; 0 for a link to one.
  ///   - room: The number of lines for all of them.
  private static func limits(_ limits: [Int], of counts: [Int], room: Int) -> [Int] {
    var limits = limits
    let used = zip(limits, counts).reduce(0) { $0 + 1 + min($1.0 + 1, $1.1) }
    for _ in 0..<max(0, room - used) {
      let cut = limits.indices.filter { limits[$0] + 1 < counts[$0] }
      guard let shortest = cut.min(by: { limits[$0] < limits[$1] }) else { break }
      limits[shortest] += 1
    }
    return limits
  }

  /// Returns the width for the names before the values. Very long names are cut if space is scarce.
  ///
  /// - Parameter longest: The width of the longest name, in columns.
  private static func labelWidth(upTo longest: Int, in width: Int) -> Int {
    max(min(24, max(10, width / 4)), min(longest, width * 2 / 5, 32))
  }

  /// The number of columns that separate names, values and borders.
  private static let gaps = 3
  private static let maxFolded = 5
  private static let maxUnfolded = 500
  /// The number of lines that a long value keeps if there is no room for more.
  private static let minValueLines = 5
  private static let maxTextLines = 2_000
  private static let maxNestedTextLines = 200
  /// The maximum size of a text whose lines are counted, in bytes.
  private static let maxCountedBytes = 20_000

  /// The lines of a value.
  private struct ValueLines {
    let label: String
    let range: Range<Int>
    /// Whether the value has lines beyond `range`.
    let isCut: Bool

    /// The number of lines after the first one.
    var further: Int { isCut ? .max : range.count - 1 }
  }

  /// Adds all lines of an attribute, and returns their place.
  private mutating func add(_ field: RecordFields.Field) -> ValueLines {
    let start = lines.count
    isCut = false
    addValue(of: field)
    return ValueLines(label: field.attribute.label, range: start..<lines.count, isCut: isCut)
  }

  /// Collapses long values to their first lines, except those that the user expanded.
  ///
  /// - Parameter limits: The maximum numbers of lines after the first one.
  private mutating func shorten(_ values: [ValueLines], to limits: [Int]) {
    // In place of a line that says "1 more line", that line is shown.
    guard zip(values, limits).contains(where: { $0.further > $1 + 1 }) else { return }
    let all = lines
    lines = []
    for (value, limit) in zip(values, limits) {
      let shown = all[value.range]
      guard value.further > limit + 1 else {
        lines += shown
        continue
      }
      let path = [value.label]
      let isCollapsed = isPreview || folds.long.collapses(path)
      let start = lines.count
      lines += isCollapsed ? shown.prefix(limit + 1) : shown
      if isCollapsed {
        let hidden = NumberText.grouped(value.further - limit)
        let rest = value.isCut ? "… more" : "… \(hidden) more lines"
        addPlain("", CellText(text: rest, role: .dim))
      }
      for place in lines.indices.dropFirst(start) { lines[place].long = path }
    }
  }

  private mutating func addValue(of field: RecordFields.Field) {
    let attribute = field.attribute
    let value =
      attribute.isIdentity
      ? .text(catalog.store.id(of: entity).text) : catalog.store.value(entity, attribute.id)
    let notes = value == nil ? [field.type] : field.notes
    switch value {
    case .text(let text) where text.isBlank:
      add(.attribute(attribute), attribute.label, CellText(value, of: attribute), notes)
    case .text(let text):
      if attribute.checkedType != .date, let document = Self.document(in: text) {
        addTree(of: document, attribute, notes)
      } else {
        addText(text, attribute, notes)
      }
    case .integer(let number) where attribute.checkedType == .date:
      let text = InstantText.utc(milliseconds: number) + "  (\(number))"
      add(.attribute(attribute), attribute.label, CellText(text: text, role: .date), notes)
    case .array(let elements): addTree(of: .array(elements), attribute, notes)
    case .object(let object) where attribute.blobSize(of: value) == nil:
      addTree(of: .object(object), attribute, notes)
    case .object, .integer, .double, .bool, .null, nil:
      let cell = table?.cell(value, of: attribute) ?? CellText(value, of: attribute)
      add(.attribute(attribute), attribute.label, cell, notes)
    }
  }

  /// Returns the JSON document that a text contains; nil for any other text. Databases without lists
  /// store documents as texts.
  static func document(in text: String) -> Value? {
    switch (text.utf8.first, text.utf8.last) {
    case (UInt8(ascii: "{"), UInt8(ascii: "}")), (UInt8(ascii: "["), UInt8(ascii: "]")): break
    default: return nil
    }
    guard text.utf8.count <= maxDocumentBytes else { return nil }
    return try? JSONReader.value(of: text)
  }

  /// The maximum size of a JSON document that is shown as a tree, in bytes. Longer texts are shown
  /// unchanged.
  private static let maxDocumentBytes = 100_000

  private mutating func addText(_ text: String, _ attribute: Attribute, _ notes: [String]) {
    // If only one character does not fit, this character takes the place of the margin.
    let isCounted = text.utf8.count <= Self.maxCountedBytes
    let isWhole = isCounted && TextWidth.columns(of: text) == width + 1
    let room = max(8, isWhole ? width + 1 : width)
    // In a preview, an id stays on one line. The record shows all of it.
    if isPreview, attribute.isIdentity || attribute.keyOf != nil || EntityID(text).isUUID {
      let text = TextWidth.shortened(text, to: room)
      return add(.attribute(attribute), attribute.label, CellText(text: text, role: .string), notes)
    }
    let isCollapsed = !isCounted && (isPreview || folds.long.collapses([attribute.label]))
    let limit = isCollapsed ? page + Self.minValueLines : Self.maxTextLines
    let parts = TextLines.wrapped(text, width: room, limit: limit)
    isCut = parts.count == limit
    let role: Role = attribute.checkedType == .date ? .date : .string
    add(
      .attribute(attribute), attribute.label, CellText(text: parts.first ?? "", role: role), notes)
    for part in parts.dropFirst() { addPlain("", CellText(text: part, role: role)) }
  }

  /// Adds a list or an object: the number of its members, then a line for each.
  private mutating func addTree(of value: Value, _ attribute: Attribute, _ notes: [String]) {
    let count = value.memberCount
    let size = if case .array = value { "[\(count)]" } else { "{\(count)}" }
    let path = [attribute.label]
    let isCollapsed = folds.nested.collapses(path)
    let mark = value.isNested ? JSONLines.mark(isCollapsed: isCollapsed) : ""
    add(.attribute(attribute), attribute.label, CellText(text: mark + size, role: .dim), notes)
    guard value.isNested else { return }
    lines[lines.count - 1].node = path
    if isCollapsed { return }
    // A preview lists only the first level.
    let folds = isPreview ? NodeFolds(isCollapsed: true) : folds.nested
    for line in JSONLines(value, folds: folds, at: path).lines {
      let parts =
        line.cell.role == .string
        ? TextLines.wrapped(
          line.cell.text, width: max(8, width),
          limit: isPreview ? Self.minValueLines : Self.maxNestedTextLines)
        : [line.cell.text]
      for (number, part) in parts.enumerated() {
        var cell = line.cell
        cell.text = part
        addPlain(number == 0 ? line.key : "", cell, indent: 2 + line.depth * 2, role: .documentKey)
        lines[lines.count - 1].node = line.node
        lines[lines.count - 1].parent = line.parent
      }
    }
  }

  private mutating func add(_ link: Link, _ found: LinkTargets?, limit: Int) {
    let (label, notes) = (link.sign + link.label, [link.sign + link.target])
    // If no target is known, its query may not have included the link.
    let isPartial =
      catalog.isServed && !catalog.knowsLinks && !catalog.hasNullKey(entity, link)
      && !catalog.hasLoaded(link, of: entity)
    guard let found, !found.entities.isEmpty || !isPartial else {
      return add(.link(link, count: 0), label, CellText(text: "…", role: .dim), notes)
    }
    func list(_ targets: some Sequence<EntityHandle>, _ label: String = "", _ notes: [String] = [])
    {
      let targets = Array(targets)
      for (target, name) in zip(targets, found.catalog.labels(of: targets, in: link.target)) {
        add(
          .linked(link, found.catalog.store.id(of: target)), label,
          CellText(text: name, role: .link), notes)
      }
    }
    if link.cardinality == .one, !found.entities.isEmpty {
      return list(found.entities.prefix(1), label, notes)
    }
    if found.entities.isEmpty {
      return add(
        .link(link, count: 0), label, catalog.danglingReference(of: entity, link) ?? .missing, notes
      )
    }
    let count = found.entities.count
    add(
      .link(link, count: count), label, CellText(text: found.countText, role: .linkCount), notes)
    // Instead of a line that says "1 more", that one target is listed.
    let shown = count == limit + 1 && !found.isCut ? count : min(limit, count)
    list(found.entities.prefix(shown))
    if shown < count || found.isCut {
      let rest = found.isCut ? "… more" : "… \(NumberText.grouped(count - shown)) more"
      add(.more(link), "", CellText(text: rest, role: .dim))
    }
  }

  /// Adds a line with the first of `notes` that fits after the value.
  private mutating func add(
    _ content: EntityPane.Line.Content, _ label: String, _ cell: CellText, _ notes: [String] = []
  ) {
    var cell = cell
    let room = width - TextWidth.columns(of: cell.text) - 2
    let note = notes.first { TextWidth.columns(of: $0) <= room } ?? notes.last ?? ""
    cell.isRightAligned = false
    let isLink = if case .attribute = content { false } else { true }
    lines.append(
      EntityPane.Line(
        content: content, label: label, labelRole: isLink ? .link : .attribute, cell: cell,
        note: note))
  }

  private mutating func addPlain(
    _ label: String, _ cell: CellText, indent: Int = 0, role: Role = .dim
  ) {
    lines.append(
      EntityPane.Line(content: .plain, label: label, labelRole: role, indent: indent, cell: cell))
  }
}
