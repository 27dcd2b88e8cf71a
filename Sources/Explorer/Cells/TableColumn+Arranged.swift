import InstaQL
import Notebooks
import Triples

extension TableColumn {
  /// The minimum and maximum width that a user can set for a column, in terminal columns.
  static let minWidth = 2
  static let maxUserWidth = 200

  /// Returns the visible columns of a query as the user arranged them.
  ///
  /// If all columns are hidden, the first one is shown.
  ///
  /// - Parameter moved: The columns to move next to the label, among those that the query uses.
  static func shown(
    of plan: QueryPlan, in catalog: Catalog, by settings: ColumnSettings, moving moved: Set<String>
  ) -> [TableColumn] {
    let all = onScreen(of: plan, in: catalog, by: settings, moving: moved)
    let hidden = Set(settings.hidden)
    let shown = all.filter { !hidden.contains($0.label) }
    return shown.isEmpty ? Array(all.prefix(1)) : shown
  }

  /// Returns all columns of a query in the order of the screen, including hidden ones.
  static func onScreen(
    of plan: QueryPlan, in catalog: Catalog, by settings: ColumnSettings, moving moved: Set<String>
  ) -> [TableColumn] {
    // Columns that the user did not move follow in the order of the schema.
    forward(
      sorted(all(of: plan, in: catalog), by: settings.frozen + settings.order),
      labels(usedBy: plan, settings).filter(moved.contains), by: settings)
  }

  /// Returns the labels of the columns that a query sorts or filters by. They can move next to the
  /// label.
  ///
  /// Empty if the user or the query defines an order of the columns, which takes precedence.
  static func labels(usedBy plan: QueryPlan, _ settings: ColumnSettings) -> [String] {
    guard plan.fields == nil, settings.order.isEmpty else { return [] }
    var labels = plan.order.compactMap(\.path.labels.first)
    // Rows opened through a link all have the same target, so a condition on the target's id does
    // not count.
    plan.condition?.forEachPath { path in
      if let label = path.labels.first, path.isOwn || path.label != "id" { labels.append(label) }
    }
    return labels
  }

  /// Returns attributes in the order of their columns: the label, the others, and keys that say
  /// little.
  ///
  /// - Parameter label: The attribute that labels the entities; nil if there is none.
  static func inColumnOrder(
    _ attributes: [Attribute], label: Attribute?, _ catalog: Catalog
  ) -> [Attribute] {
    var attributes = attributes
    let labelIndex = attributes.firstIndex { $0.id == label?.id }
    if let labelIndex { attributes.insert(attributes.remove(at: labelIndex), at: 0) }
    var (others, keys, opaque): ([Attribute], [Attribute], [Attribute]) = ([], [], [])
    for attribute in attributes.dropFirst() {
      if attribute.label == keyLabel {
        keys.append(attribute)
      } else if labelIndex != nil, catalog.isOpaqueKey(attribute) {
        opaque.append(attribute)
      } else {
        others.append(attribute)
      }
    }
    return Array(attributes.prefix(1)) + others + keys + opaque
  }

  /// The label of the attribute by which other files reference the entity.
  private static let keyLabel = "key"

  /// Returns the columns with those of `labels` directly after the label and the frozen columns.
  private static func forward(
    _ columns: [TableColumn], _ labels: [String], by settings: ColumnSettings
  ) -> [TableColumn] {
    guard !labels.isEmpty else { return columns }
    let first = settings.frozenCount(of: columns)
    return columns.prefix(first) + sorted(columns.dropFirst(first), by: labels)
  }

  /// Returns the columns with those of `labels` first, in that order.
  private static func sorted(
    _ columns: some Sequence<TableColumn>, by labels: [String]
  ) -> [TableColumn] {
    let rank = Dictionary(zip(labels, 0...), uniquingKeysWith: min)
    return columns.enumerated().sorted {
      (rank[$0.element.label] ?? .max, $0.offset) < (rank[$1.element.label] ?? .max, $1.offset)
    }.map(\.element)
  }
}

extension ColumnSettings {
  /// Returns the number of columns that stay in view while others scroll; at least one.
  func frozenCount(of columns: [TableColumn]) -> Int {
    max(1, columns.prefix { frozen.contains($0.label) }.count)
  }

  /// Moves a column past its next visible neighbor, and past the hidden columns before that.
  ///
  /// Frozen columns stay to the left of the others. `labels` is the current order of all columns.
  mutating func move(_ label: String, by step: Int, among labels: [String]) {
    guard let place = labels.firstIndex(of: label) else { return }
    let end = step < 0 ? 0 : labels.count - 1
    let goal = stride(from: place + step, through: end, by: step).first {
      !hidden.contains(labels[$0]) || hidden.contains(label)
    }
    guard let goal, frozen.contains(labels[goal]) == frozen.contains(label) else { return }
    var labels = labels
    labels.insert(labels.remove(at: place), at: goal)
    let frozen = self.frozen
    self.frozen = labels.filter { frozen.contains($0) }
    order = labels
  }

  /// Returns whether two settings have the same columns in the same order.
  func differsOnlyInWidths(from other: ColumnSettings) -> Bool {
    var same = other
    same.widths = widths
    return self == same
  }

  mutating func widen(_ label: String, from width: Int, by step: Int) {
    widths[label] = min(max(TableColumn.minWidth, width + step), TableColumn.maxUserWidth)
  }
}
