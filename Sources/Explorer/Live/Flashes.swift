import InstaQL
import TerminalUI
import Triples

/// The cells that changed a moment ago, and for how long they still look so.
///
/// Nothing here looks at a clock: what was added gets its moment at the next tick.
struct Flashes: Sendable, Equatable {
  /// How much of the mark is left.
  enum Stage: Sendable {
    /// The ground is marked.
    case fresh
    /// Only the ink is.
    case fading
  }

  struct CellID: Hashable, Sendable {
    let entity: EntityHandle
    let attribute: AttributeID
  }

  private struct Batch: Sendable, Equatable {
    var cells: Set<CellID> = []
    var inserted: Set<EntityHandle> = []
    /// Nil until the first tick.
    var begun: ContinuousClock.Instant?
    var stage = Stage.fresh

    init() {}

    init(_ changes: ChangeSet, in store: TripleStore) {
      for change in changes.changes.prefix(Flashes.mostCells) {
        guard let attribute = store.schema.attribute(change.attribute) else { continue }
        cells.insert(CellID(entity: change.entity, attribute: change.attribute))
        if attribute.isIdentity, change.old == nil { inserted.insert(change.entity) }
        // The other end of a link shows it as well.
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

  /// How long marks stay.
  enum Pace: Sendable {
    /// They fade, and go by themselves.
    case fading
    /// They look the same until the next change, or until they are cleared: nothing moves on the screen
    /// that nobody has moved.
    case steady
  }

  private var batches: [Batch] = []
  private var pace = Pace.fading

  static let freshFor = Duration.milliseconds(700)
  static let fadingFor = Duration.milliseconds(1_100)
  /// More than a screen shows are not kept.
  private static let mostCells = 20_000
  private static let mostBatches = 20

  var isEmpty: Bool { batches.isEmpty }

  /// Marks what changed between two answers.
  ///
  /// - Parameter all: What changed in the whole store, which also says how the links look that the
  ///   query does not follow; nil when that is not known.
  mutating func add(
    _ changes: AnswerChanges, among all: ChangeSet?, of answer: Answer, _ pace: Pace
  ) {
    var batch = all.map { Batch($0, in: answer.store) } ?? Batch()
    for placed in changes.inserted.prefix(Self.mostCells) {
      if let entity = answer.store.handle(of: placed.entity) { batch.inserted.insert(entity) }
    }
    let schema = answer.store.schema
    for cell in changes.cells.prefix(Self.mostCells) where all == nil {
      let namespace = answer.plan.namespace
      let attribute =
        schema.attribute(namespace, cell.label) ?? schema.link(namespace, cell.label)?.attribute
      guard let attribute, let entity = answer.store.handle(of: cell.entity) else { continue }
      batch.cells.insert(CellID(entity: entity, attribute: attribute.id))
    }
    add(batch, pace)
  }

  /// Marks what changed between two snapshots.
  mutating func add(_ changes: ChangeSet, in store: TripleStore, _ pace: Pace) {
    add(Batch(changes, in: store), pace)
  }

  private mutating func add(_ batch: Batch, _ pace: Pace) {
    if batch.cells.isEmpty && batch.inserted.isEmpty { return }
    self.pace = pace
    if pace == .steady { batches = [] }
    batches.append(batch)
    if batches.count > Self.mostBatches { batches.removeFirst() }
  }

  mutating func clear() { batches = [] }

  /// Whether marks will look different by themselves.
  var isMoving: Bool { pace == .fading && !batches.isEmpty }

  /// Whether marks stay until somebody does something.
  var isSteady: Bool { pace == .steady && !batches.isEmpty }

  /// Time has come to `now`: marks fade and go.
  mutating func tick(_ now: ContinuousClock.Instant) {
    guard pace == .fading else { return }
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

  /// When something next looks different; nil when nothing will.
  var deadline: ContinuousClock.Instant? {
    guard pace == .fading else { return nil }
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
}

extension Flashes {
  /// Shows on the screen that a value is another one, or its whole entity new.
  ///
  /// - Parameter isOnGround: Whether the cursor is there, whose ground stays what it is.
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
