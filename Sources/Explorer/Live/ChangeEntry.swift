import Triples

/// A change of one value or link, or of a whole entity.
struct ChangeEntry: Sendable, Equatable {
  enum Kind: Sendable {
    case inserted, updated, deleted, linked, unlinked
    /// The row moved to another position in the answer.
    case moved

    /// The symbol for this kind of change, at the start of its line.
    var sign: String {
      switch self {
      case .inserted: "+"
      case .updated: "~"
      case .deleted: "-"
      case .linked: "→"
      case .unlinked: "×"
      case .moved: "↕"
      }
    }
  }

  /// The number of the transaction; nil if the change does not belong to a single transaction.
  let transaction: Int?
  let kind: Kind
  let entity: EntityID
  let namespace: String
  /// The entity's label at the time of the change.
  let name: String
  /// The label of the attribute, or what happened to a row of the answer; empty if the whole entity
  /// was created or deleted.
  let label: String
  let old: CellText?
  let new: CellText?

  /// The maximum length of a value in characters; longer values are cut.
  static let maxValueLength = 120
}
