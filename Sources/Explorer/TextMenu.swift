import InstaQL
import Triples

/// Texts that can be had from where one is: to be copied, or to be shown and changed outside.
struct TextMenu {
  private let use: TextUse
  private var entries: [MenuPane.Entry] = []

  init(_ use: TextUse) { self.use = use }

  var pane: MenuPane {
    switch use {
    case .copying: MenuPane("Copy", entries)
    case .outside: MenuPane("Open in the pager or the editor", entries)
    }
  }

  /// A text that is at hand.
  mutating func add(_ key: Character, _ label: String, _ text: String) {
    switch use {
    case .copying: add(key, label, in: Self.preview(text), [.effect(.copy(text))])
    case .outside: add(key, label, in: "pager", [.effect(.page(text))])
    }
  }

  /// A text that is made when it is chosen.
  mutating func add(_ key: Character, _ label: String, _ text: TextOrder) {
    let place =
      switch use {
      case .copying: text.beginning.map(Self.preview) ?? ""
      case .outside: "pager"
      }
    add(key, label, in: place, [.prepare(.text(text))])
  }

  /// Rows, which are too many for a clipboard.
  mutating func addTooMany(_ key: Character, _ label: String, _ rows: Int) {
    add(key, label, in: "too long for a clipboard", [.say(.tooManyRowsToCopy(rows))])
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
    let alone = catalog.answer(of: entity, plan)
    if case .link(let link)? = source, let alone,
      (catalog.targets(of: entity, link)?.entities.count ?? 0) > Self.mostAtHand
    {
      add("c", label, TextOrder(link, of: alone, in: catalog, for: use))
    } else if case .attribute(let attribute)? = source, let alone,
      catalog.store.value(entity, attribute.id)?.isCountOfBytes == true
    {
      add("c", label, TextOrder(attribute, of: alone, in: catalog, for: use))
    } else if let source {
      add("c", label, catalog.text(of: entity, source))
    }
    if let alone {
      add("e", "entity as JSON", TextOrder(.object, of: alone, in: catalog, for: use))
    }
    let id = catalog.store.id(of: entity)
    switch use {
    case .copying:
      if let alone {
        add("r", "entity as CSV", TextOrder(.csv, of: alone, in: catalog, for: use))
        add("n", "entity as INSERT", TextOrder(insertionOf: alone, in: catalog, for: use))
      }
      let key = catalog.key(of: entity, in: namespace)
      add("k", key == nil ? "its id" : "its key", key ?? id.text)
    case .outside:
      guard case .attribute(let attribute)? = source, attribute.label != "id" else { return }
      let target = EditTarget(entity: id, namespace: namespace, source: source)
      add("v", attribute.label, in: "editor", [.edit(.edit, target), .editPrompt])
    }
  }

  /// What a link leads to is not written down before it is wanted, where there is more of it.
  private static let mostAtHand = 200

  private static func preview(_ text: String) -> String {
    let line = text.prefix(longestPreview).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.dropFirst(longestPreview).isEmpty ? "" : "…")
  }

  private static let longestPreview = 40
}

extension EntityPane {
  func menu(_ use: TextUse, in context: PaneContext) -> MenuPane {
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
