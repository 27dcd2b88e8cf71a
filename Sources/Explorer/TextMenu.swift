import InstaQL
import Triples

/// Texts that can be had from where one is: to be copied, or to be shown and changed outside.
struct TextMenu {
  enum Use: Sendable {
    case copying, outside
  }

  private let use: Use
  private var entries: [MenuPane.Entry] = []

  init(_ use: Use) { self.use = use }

  var pane: MenuPane {
    switch use {
    case .copying: MenuPane("Copy", entries)
    case .outside: MenuPane("Open in the pager or the editor", entries)
    }
  }

  /// - Parameter text: nil where there is nothing of this kind.
  mutating func add(_ key: Character, _ label: String, _ text: String?) {
    guard let text else { return }
    switch use {
    case .copying: add(key, label, in: Self.preview(text), [.effect(.copy(text))])
    case .outside: add(key, label, in: "pager", [.effect(.page(text))])
    }
  }

  /// The same of rows, which may be too many for a clipboard: then that is said.
  mutating func addRows(_ key: Character, _ label: String, _ text: String?, of rows: Int) {
    if let text { return add(key, label, text) }
    let count = NumberText.grouped(rows)
    add(
      key, label, in: "too long: E writes it",
      [.say("More than a clipboard takes, with \(count) rows: E writes it to a file")])
  }

  /// - Parameter place: Where it opens, or how it begins.
  mutating func add(_ key: Character, _ label: String, in place: String, _ wishes: [Wish]) {
    entries.append(MenuPane.Entry(key: key, label: label, detail: place, wishes: wishes))
  }

  /// An entity, as text after text.
  ///
  /// - Parameters:
  ///   - source: The cell that the cursor is on; nil where it is on none.
  ///   - plan: What the entity is nested with.
  mutating func addEntity(
    _ entity: EntityHandle, of namespace: String, _ source: TableColumn.Source?,
    called label: String,
    _ plan: QueryPlan, in catalog: Catalog
  ) {
    if let source { add("c", label, catalog.text(of: entity, source)) }
    add("e", "entity as JSON", catalog.json(of: entity, plan))
    let id = catalog.store.id(of: entity)
    switch use {
    case .copying:
      add("r", "entity as CSV", catalog.csv(of: [entity], plan))
      add("n", "entity as INSERT", catalog.insertion(of: entity, namespace))
      add("k", "its id", id.text)
    case .outside:
      guard case .attribute(let attribute)? = source, attribute.label != "id" else { return }
      let target = EditTarget(entity: id, namespace: namespace, source: source)
      add("v", attribute.label, in: "editor", [.edit(.edit, target), .editPrompt])
    }
  }

  private static func preview(_ text: String) -> String {
    let line = text.prefix(longestPreview).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.count > longestPreview ? "…" : "")
  }

  private static let longestPreview = 40
}

extension EntityPane {
  func menu(_ use: TextMenu.Use, in context: PaneContext) -> MenuPane {
    var menu = TextMenu(use)
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entity) else {
      return menu.pane
    }
    var source: TableColumn.Source?
    if case .attribute(let attribute)? = chosen?.content { source = .attribute(attribute) }
    menu.addEntity(
      handle, of: namespace, source, called: source?.label ?? "", QueryPlan(namespace), in: catalog)
    return menu.pane
  }
}

extension Model {
  /// The entity under the cursor as text, in the standing panes.
  func addChosen(to menu: inout TextMenu) {
    guard tab.focus == .results, let table = tab.results.table,
      let chosen = tab.results.chosenEntity
    else {
      return
    }
    menu.addEntity(
      chosen.entity, of: chosen.namespace, tab.results.chosenColumn?.source, called: "cell",
      tab.results.blockHere?.plan ?? table.answer.plan, in: table.catalog)
  }
}
