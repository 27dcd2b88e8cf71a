import InstaQL
import LiveQueries
import Stores
import Triples

/// The rows that a transaction deletes although they do not exist.
///
/// Such a transaction succeeds, so that it can be executed again.
struct MissingDeletions {
  /// The maximum number of deletions for which the rows are looked up.
  private static let maxChecked = 100

  /// The number of rows that the transaction deletes.
  private var count = 0
  /// A description of each row that does not exist.
  private var missing: [String] = []

  /// Looks up the rows before the transaction is executed.
  ///
  /// No row counts as missing if the transaction deletes too many rows, or if a server would have to
  /// answer.
  init(_ transaction: Transaction, in store: any StoreDataSource, _ schema: Schema) async {
    var deletions: [(entity: EntityReference, namespace: String)] = []
    var written: Set<EntityReference> = []
    for step in transaction.steps {
      switch step {
      case .deleteEntity(let entity, let namespace?) where !written.contains(entity):
        deletions.append((entity, namespace))
      case .addTriple(let entity, _, _, _), .deepMergeTriple(let entity, _, _, _):
        written.insert(entity)
      default: break
      }
    }
    guard !(store is RemoteStore), deletions.count <= Self.maxChecked else { return }
    count = deletions.count
    for (entity, namespace) in deletions {
      guard let row = Self.row(entity, of: namespace, schema) else { continue }
      let plan = QueryPlan(namespace, condition: row.condition).fields([]).limit(1)
      let isMissing =
        if schema.namespaces.contains(namespace) {
          (try? await store.completeAnswer(to: plan).rows.isEmpty) ?? false
        } else {
          true
        }
      if isMissing { missing.append("\(namespace) has no row with \(row.text)") }
    }
  }

  /// A sentence about the missing rows; nil if there are none.
  var remark: String? {
    if missing.isEmpty { return nil }
    if missing.count < count {
      return "\(missing.count) of the \(count) rows to delete "
        + (missing.count == 1 ? "does not exist." : "do not exist.")
    }
    return "Nothing was deleted: "
      + (count == 1 ? "\(missing[0])." : "none of the \(count) rows exists.")
  }

  /// Returns a condition that selects the row, and its description. Nil if the row is named by a
  /// link.
  private static func row(
    _ entity: EntityReference, of namespace: String, _ schema: Schema
  ) -> (condition: ConditionNode, text: String)? {
    switch entity {
    case .id(let id):
      let path = schema.identityPath(from: namespace)
      return (.compare(path, .equal, .text(id.text)), "the id \(id.text)")
    case .lookup(let id, let value):
      guard let attribute = schema.attribute(id), attribute.valueType == .blob else { return nil }
      return (
        .compare(AttributePath([attribute.label]), .equal, value),
        "\(attribute.label) = \(JSONWriter.text(value))"
      )
    }
  }
}
