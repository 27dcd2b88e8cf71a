import InstaQL
import Triples

/// A menu of texts about the row at the cursor and the results. The user can copy them or open them
/// in the pager.
struct TextMenu {
  private let use: TextSink
  private var entries: [MenuPane.Entry] = []

  init(_ use: TextSink) { self.use = use }

  var isEmpty: Bool { entries.isEmpty }

  var pane: MenuPane {
    switch use {
    case .copying: MenuPane("Copy", entries)
    case .outside: MenuPane("Open in the pager or the editor", entries)
    }
  }

  /// Adds an entry for a text that already exists.
  mutating func add(_ key: Character, _ label: String, _ text: String) {
    switch use {
    case .copying: add(key, label, in: Self.preview(text), [.effect(.copy(text))])
    case .outside: add(key, label, in: "pager", [.effect(.page(text))])
    }
  }

  /// Adds an entry for a text that is rendered when the user selects it.
  mutating func add(_ key: Character, _ label: String, _ text: Rendering) {
    let place =
      switch use {
      case .copying: text.preview.map(Self.preview) ?? ""
      case .outside: "pager"
      }
    add(key, label, in: place, [.prepare(.text(text, use))])
  }

  /// Adds an entry.
  ///
  /// - Parameter place: The detail to show: the beginning of the text, or the program that opens
  ///   it.
  mutating func add(_ key: Character, _ label: String, in place: String, _ actions: [PaneAction]) {
    entries.append(MenuPane.Entry(key: key, label: label, detail: place, actions: actions))
  }

  /// Adds entries for the texts of a row, such as its id, its values and its JSON.
  ///
  /// - Parameter label: The name of the field at the cursor.
  mutating func add(_ row: RowAtCursor, called label: String) {
    let (entity, source, catalog) = (row.entity, row.source, row.catalog)
    let alone = catalog.answer(of: entity, row.plan)
    if let link = source?.link, let alone,
      (catalog.targets(of: entity, link)?.entities.count ?? 0) > Self.maxImmediateRows
    {
      add("c", label, Rendering(.values(.link(link)), of: alone, in: catalog))
    } else if let attribute = source?.attribute, let alone,
      catalog.store.value(entity, attribute.id)?.isCountOfBytes == true
    {
      add("c", label, Rendering(.values(.attribute(attribute)), of: alone, in: catalog))
    } else if let source {
      add("c", label, catalog.text(of: entity, source))
    }
    if let alone {
      add("e", "row as JSON", Rendering(.object, of: alone, in: catalog))
    }
    switch use {
    case .copying:
      if let alone {
        add("r", "row as CSV", Rendering(.result(.csv), of: alone, in: catalog))
        add("n", "row as INSERT", Rendering(.insertion, of: alone, in: catalog))
      }
      let key = catalog.key(of: entity, in: row.namespace)
      add("k", key == nil ? "id" : "key", key ?? row.id.text)
    case .outside:
      guard let attribute = source?.attribute, !attribute.isIdentity else { return }
      add(
        "v", "value of \(attribute.label)", in: "editor", [.edit(.edit, row.target), .editPrompt])
    }
  }

  /// The maximum number of link targets for which a menu item's text is rendered before the user
  /// selects that item.
  private static let maxImmediateRows = 200

  private static func preview(_ text: String) -> String {
    let line = text.prefix(maxPreviewWidth).map { $0.isNewline ? " " : $0 }
    return String(line) + (text.dropFirst(maxPreviewWidth).isEmpty ? "" : "…")
  }

  private static let maxPreviewWidth = 40
}

extension EntityPane {
  func menu(_ use: TextSink, in context: PaneContext) -> MenuPane {
    var menu = TextMenu(use)
    guard let catalog = context.catalog, let handle = catalog.store.handle(of: entity) else {
      return menu.pane
    }
    var source: ColumnSource?
    if case .attribute(let attribute)? = chosen?.content { source = .attribute(attribute) }
    menu.add(
      RowAtCursor(
        entity: handle, namespace: namespace, source: source, plan: QueryPlan(namespace),
        catalog: catalog), called: source?.label ?? "")
    return menu.pane
  }
}
