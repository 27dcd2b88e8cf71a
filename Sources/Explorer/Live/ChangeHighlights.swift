import InstaQL
import TerminalUI
import Triples

/// The highlights of recently changed cells and new rows.
///
/// This type reads no clock: a highlight begins at the first tick after it was added.
struct ChangeHighlights: Sendable, Equatable {
  /// The stage of a highlight that fades.
  enum Stage: Sendable {
    /// The highlight has a background color.
    case fresh
    /// The highlight has a text color only.
    case fading
  }

  struct CellID: Hashable, Sendable {
    let entity: EntityHandle
    let attribute: AttributeID
  }

  private struct Batch: Sendable, Equatable {
    var cells: Set<CellID> = []
    var inserted: Set<EntityHandle> = []
    /// The time when the highlights began; nil until the first tick.
    var begun: ContinuousClock.Instant?
    var stage = Stage.fresh

    init() {}

    init(_ changes: ChangeSet, in store: TripleStore) {
      for change in changes.changes.prefix(ChangeHighlights.maxCells) {
        guard let attribute = store.schema.attribute(change.attribute) else { continue }
        cells.insert(CellID(entity: change.entity, attribute: change.attribute))
        if attribute.isIdentity, change.old == nil { inserted.insert(change.entity) }
        // The entity at the other end of a link changed as well.
        if attribute.valueType == .ref {
          for value in [change.old, change.new] {
            if case .text(let id)? = value, let other = store.handle(of: EntityID(id)) {
              cells.insert(CellID(entity: other, attribute: change.attribute))
            }
          }
        }
      }
    }
  }

  /// Whether highlights fade or stay.
  enum Style: Sendable {
    /// Highlights fade and disappear.
    case fading
    /// Highlights stay until the next change or until they are cleared, so that nothing on the
    /// screen changes by itself.
    case steady
  }

  private var batches: [Batch] = []
  private var style = Style.fading

  static let freshFor = Duration.milliseconds(700)
  static let fadingFor = Duration.milliseconds(1_100)
  /// The maximum number of highlighted cells. It is more than a screen shows.
  private static let maxCells = 20_000
  private static let maxBatches = 20

  var isEmpty: Bool { batches.isEmpty }

  /// Highlights the rows and cells that differ from the previous answer.
  ///
  /// - Parameter all: All changes of the store, including links outside the query; nil if they are
  ///   unknown.
  mutating func add(
    _ changes: AnswerChanges, among all: ChangeSet?, of answer: Answer, _ style: Style
  ) {
    var batch = all.map { Batch($0, in: answer.store) } ?? Batch()
    for placed in changes.inserted.prefix(Self.maxCells) {
      if let entity = answer.store.handle(of: placed.entity) { batch.inserted.insert(entity) }
    }
    let schema = answer.store.schema
    for cell in changes.cells.prefix(Self.maxCells) where all == nil {
      let namespace = answer.plan.namespace
      let attribute =
        schema.attribute(namespace, cell.label) ?? schema.link(namespace, cell.label)?.attribute
      guard let attribute, let entity = answer.store.handle(of: cell.entity) else { continue }
      batch.cells.insert(CellID(entity: entity, attribute: attribute.id))
    }
    add(batch, style)
  }

  /// Highlights the cells that changed between two snapshots.
  mutating func add(_ changes: ChangeSet, in store: TripleStore, _ style: Style) {
    add(Batch(changes, in: store), style)
  }

  private mutating func add(_ batch: Batch, _ style: Style) {
    if batch.cells.isEmpty && batch.inserted.isEmpty { return }
    self.style = style
    if style == .steady { batches = [] }
    batches.append(batch)
    if batches.count > Self.maxBatches { batches.removeFirst() }
  }

  mutating func clear() { batches = [] }

  /// Whether any highlights will fade.
  var isMoving: Bool { style == .fading && !batches.isEmpty }

  /// Whether any highlights stay until they are cleared.
  var isSteady: Bool { style == .steady && !batches.isEmpty }

  /// Advances the time, so that older highlights fade and then disappear.
  mutating func tick(_ now: ContinuousClock.Instant) {
    guard style == .fading else { return }
    for index in batches.indices {
      guard let begun = batches[index].begun else {
        batches[index].begun = now
        continue
      }
      batches[index].stage = now >= begun + Self.freshFor ? .fading : .fresh
    }
    batches.removeAll { batch in
      batch.begun.map { now >= $0 + Self.freshFor + Self.fadingFor } ?? false
    }
  }

  /// The time at which a highlight next changes; nil if none will change.
  var deadline: ContinuousClock.Instant? {
    guard style == .fading else { return nil }
    return batches.compactMap { batch in
      batch.begun.map {
        $0 + Self.freshFor + (batch.stage == .fading ? Self.fadingFor : .zero)
      }
    }.min()
  }

  func stage(of entity: EntityHandle, _ attribute: AttributeID) -> Stage? {
    let cell = CellID(entity: entity, attribute: attribute)
    return batches.last { $0.cells.contains(cell) }?.stage
  }

  func insertion(of entity: EntityHandle) -> Stage? {
    batches.last { $0.inserted.contains(entity) }?.stage
  }

  /// Highlights a cell if its value changed recently or its entity is new.
  ///
  /// - Parameter isOnGround: Whether the cursor is in the cell. If so, the cell keeps the cursor's
  ///   background.
  func mark(
    _ entity: EntityHandle, _ attribute: AttributeID?, into frame: inout Frame, place: Rect,
    isOnGround: Bool
  ) {
    if isEmpty { return }
    let role: Role
    let stage: Stage
    if let inserted = insertion(of: entity) {
      (role, stage) = (.inserted, inserted)
    } else if let changed = attribute.flatMap({ self.stage(of: entity, $0) }) {
      (role, stage) = (.changed, changed)
    } else {
      return
    }
    frame.repaint(place, ink: role)
    if stage == .fresh, !isOnGround { frame.repaint(place, ground: role) }
  }
}
