import InstaQL
import TerminalUI
import Triples
import Widgets

/// The record of an entity: a line for each value and each link, in both directions.
struct EntityPane: ListPane {
  struct Line: Sendable, Equatable {
    enum Content: Sendable, Equatable {
      case attribute(Attribute)
      /// The first line of a link, with the number of its targets.
      case link(Link, count: Int)
      case linked(Link, EntityID)
      /// The line that counts the targets of a link that are not listed.
      case more(Link)
      case plain
    }

    var content: Content
    var label = ""
    var labelRole = Role.attribute
    var indent = 0
    var cell: CellText
    /// A note after the value: the type of the attribute, or the target namespace of the link.
    var note = ""
    /// The path of the nested value that the line shows; nil for other lines.
    var node: NodePath?
    /// The path of the nested value that contains the line's value; nil for other lines.
    var parent: NodePath?
    /// The path of the attribute, if its value has more lines than fit; nil for other lines.
    var long: NodePath?

    /// The attribute or link that the line belongs to; nil for other lines.
    var source: ColumnSource? {
      switch content {
      case .attribute(let attribute): .attribute(attribute)
      case .link(let link, _), .linked(let link, _), .more(let link): .link(link)
      case .plain: nil
      }
    }

    /// The attribute that stores the line's value or link; nil for other lines.
    var attribute: Attribute? { source?.storedAttribute }
  }

  let entity: EntityID
  let namespace: String
  private(set) var lines: [Line] = []
  /// The width of the names before the values.
  private var labelWidth = 0
  var cursor = ListCursor()
  private(set) var name = ""
  private(set) var isGone = false
  var folds = RecordFolds()

  /// The attribute or link to which the cursor moves as soon as its line exists.
  private var wanted: ColumnSource?
  /// Whether the record follows the cursor of the results. A preview has no cursor and shows nested
  /// values collapsed.
  private var isPreview = false

  /// Opens an entity.
  ///
  /// - Parameters:
  ///   - source: The attribute or link to which the cursor moves. All targets of a link are listed.
  ///   - name: The entity's label where the user selected it. It is used if the entity was deleted.
  init(
    _ entity: EntityID, in namespace: String, at source: ColumnSource? = nil,
    called name: String = ""
  ) {
    self.entity = entity
    self.namespace = namespace
    self.name = name
    wanted = source
    if case .link(let link)? = source { folds.listed = [link] }
  }

  /// Creates a preview: a record that follows the cursor of the results.
  init(previewOf entity: EntityID, in namespace: String, at link: Link? = nil) {
    self.init(entity, in: namespace, at: link.map { .link($0) })
    isPreview = true
  }

  var traits: PaneTraits { .entity }

  func query(in catalog: Catalog) -> QueryPlan? {
    if catalog.schema.identity(of: namespace)?.isPosition == true { return nil }
    return catalog.nesting(
      QueryPlan(namespace).filter(catalog.schema.condition(matching: entity, in: namespace)),
      along: catalog.schema.links(of: namespace))
  }

  func title(in context: PaneContext) -> String { isGone && name.isEmpty ? "Deleted" : name }
  func remark(in context: PaneContext) -> String {
    if isGone { return "deleted from " + namespace }
    switch context.catalog?.snapshot.pending.mark(of: entity) {
    case .staged?, .deletion?: return "± staged · " + namespace
    case .sending?: return "↑ not confirmed · " + namespace
    case nil: return namespace
    }
  }

  func hints(in context: PaneContext) -> [Command] {
    if isGone { return [.back] }
    switch chosen?.content {
    case .link, .linked, .more: return [.open, .expand, .filterByCell, .add, .delete, .copy, .back]
    case .attribute(let attribute):
      let isFollowed = context.catalog.flatMap { follow(attribute, in: $0) } != nil
      return (isFollowed ? [.open] : []) + [.edit, .filterByCell] + foldHints
        + [.delete, .copy, .back]
    case .plain, nil: return foldHints + [.edit, .delete, .copy, .back]
    }
  }

  /// The command that expands or collapses the value at the cursor; empty if there is none.
  private var foldHints: [Command] {
    guard let chosen, chosen.node != nil || chosen.long != nil else { return [] }
    return [isCollapsed(chosen) ? .expand : .fold]
  }

  func lineCount(in context: PaneContext) -> Int { isGone ? 0 : lines.count }

  var chosen: Line? { cursor.item(in: lines) }

  mutating func handle(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    guard isGone else { return moveOrPerform(command, in: context) }
    // The cursor and the folds stay as they are, since the entity may be restored.
    var copy = self
    return copy.moveOrPerform(command, in: context).map { _ in [.show(.entityGone)] }
  }

  mutating func perform(_ command: Command, in context: PaneContext) -> [PaneAction]? {
    switch command {
    case .open: return open(in: context)
    case .expand, .right: return unfold(true, in: context)
    case .fold, .left: return unfold(false, in: context)
    case .expandAll: return expandAll(in: context)
    case .edit, .add, .delete: return [.edit(command, target)]
    case .filterByCell: return [.filter(target)]
    case .copy: return [.open(Overlay(menu(.copying, in: context)))]
    case .explain: return [.explain(entity)]
    case .outside: return [.open(Overlay(menu(.outside, in: context)))]
    default: return nil
    }
  }

  /// The entity and the field at the cursor.
  private var target: EditTarget {
    EditTarget(entity: entity, namespace: namespace, source: chosen?.source)
  }

  /// Opens the linked entity at the cursor, or all targets of the link.
  private func open(in context: PaneContext) -> [PaneAction] {
    guard let catalog = context.catalog, let chosen else { return [.show(.entityGone)] }
    switch chosen.content {
    case .linked(let link, let id):
      return [.open(Overlay(EntityPane(id, in: link.target)))]
    case .more(let link), .link(let link, _):
      guard let handle = catalog.store.handle(of: entity) else { return [.show(.entityGone)] }
      return [.drillDown(Relations.plan(of: link, from: handle, in: catalog))]
    case .attribute(let attribute):
      return follow(attribute, in: catalog) ?? [.show(.notALink)]
    case .plain: return [.show(.notALink)]
    }
  }

  /// Opens the target of the link that an attribute's name suggests. Returns nil if it suggests no
  /// link.
  private func follow(_ attribute: Attribute, in catalog: Catalog) -> [PaneAction]? {
    guard let handle = catalog.store.handle(of: entity),
      let plan = catalog.inferredTargets(of: handle, at: attribute)
    else { return nil }
    return [.drillDown(plan), .show(.inferredLink(attribute.label, to: plan.namespace))]
  }

  /// Rebuilds the lines from the current store. The cursor stays on its field.
  mutating func refresh(in context: PaneContext) {
    let before = isPreview ? nil : chosen?.content
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entity),
      catalog.store.contains(handle, in: namespace)
    else {
      isGone = true
      return
    }
    isGone = false
    name = catalog.label(of: handle, in: namespace)
    let made = EntityLines(
      of: handle, in: namespace, catalog: catalog, table: context.table,
      size: Size(columns: context.width, rows: context.page), folds: folds, isPreview: isPreview)
    (lines, labelWidth) = (made.lines, made.labelWidth)
    let line = before.flatMap { content in
      content == chosen?.content ? nil : lines.firstIndex { $0.content == content }
    }
    cursor.move(to: line ?? cursor.index, of: lines.count, page: context.page)
    goToWanted(in: context)
  }

  /// Moves the cursor to the requested field, as soon as the targets of a requested link are known.
  private mutating func goToWanted(in context: PaneContext) {
    guard let wanted else { return }
    let line = lines.firstIndex {
      switch ($0.content, wanted) {
      case (.link(let link, let count), .link(let other)): link == other && count > 0
      case (.attribute(let attribute), .attribute(let other)): attribute.id == other.id
      default: false
      }
    }
    guard let line else { return }
    if case .link = wanted {
      cursor.move(to: lines.count - 1, of: lines.count, page: context.page)
    }
    cursor.move(to: line, of: lines.count, page: context.page)
    self.wanted = nil
  }

  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    if isGone {
      frame.writeNotice(.entityGone, context.keys, in: area, role: .deleted)
      return
    }
    let handle = context.highlights.isEmpty ? nil : context.catalog?.store.handle(of: entity)
    let chosen: Role = isPreview ? .text : .selection
    cursor.draw(lines.count, in: area, chosen: chosen, into: &frame) { place, frame in
      let line = lines[place.index]
      draw(line, in: place, into: &frame)
      guard let handle, let attribute = line.attribute else { return }
      let room = place.area.split(columns: labelWidth + 2).right
      let value = room.split(columns: TextWidth.columns(of: line.cell.text)).left
      context.highlights.mark(
        handle, attribute.id, into: &frame, place: value, isOnGround: place.ground == .selection)
    }
  }

  private func draw(_ line: Line, in place: ListLine, into frame: inout Frame) {
    frame.write(
      line.label, line.labelRole, in: place, at: 1 + line.indent,
      width: max(0, labelWidth - line.indent))
    let room = place.area.columns - labelWidth - 3
    let width = TextWidth.columns(of: line.cell.text)
    // A text that is one column too long uses the column of the margin.
    frame.write(
      line.cell.text, row: place.area.row, column: place.area.column + labelWidth + 2,
      width: max(0, width == room + 1 ? width : room),
      paint: Paint(line.cell.role, on: place.ground))
    if !line.note.isEmpty, width + TextWidth.columns(of: line.note) + 2 <= room {
      frame.writeAtEnd(line.note, .attributeType, in: place)
    }
  }
}

extension PaneTraits {
  package static let entity = PaneTraits(
    title: "Record",
    about: "One row: all its values, and its links in both directions."
  ) {
    $0.command = .paneEntity
  }
}
