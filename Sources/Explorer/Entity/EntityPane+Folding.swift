import Triples
import Widgets

// Expands and collapses nested values and links of a record.
extension EntityPane {
  /// Expands or collapses the nested value at the cursor, or the list of a link's targets.
  mutating func unfold(_ isUnfolded: Bool, in context: PaneContext) -> [PaneAction] {
    if let actions = setFold(isCollapsed: !isUnfolded, in: context) { return actions }
    let link: Link
    switch chosen?.content {
    case .link(let it, _), .linked(let it, _), .more(let it): link = it
    case .attribute, .plain, nil:
      return [.show(.onlyLinksExpand)]
    }
    let before = lines
    if isUnfolded { unfolded.insert(link) } else { unfolded.remove(link) }
    refresh(in: context)
    guard lines == before else { return [] }
    guard lines.contains(where: { $0.content == .more(link) }) else {
      return [.show(.allLinksListed)]
    }
    let listed = lines.count { if case .linked(link, _) = $0.content { true } else { false } }
    let notice = Notice.firstLinksListed(listed)
    // The others are not loaded, or too many for a list.
    return [.show(isUnfolded ? notice.hinting() : notice)]
  }

  /// Expands or collapses the nested value at the cursor. Returns nil if no nested value is there.
  private mutating func setFold(isCollapsed: Bool, in context: PaneContext) -> [PaneAction]? {
    guard let chosen else { return nil }
    guard let node = folds.fold(chosen.node, within: chosen.parent, isCollapsed: isCollapsed) else {
      return chosen.node == nil ? nil : [.show(isCollapsed ? .alreadyFolded : .alreadyExpanded)]
    }
    refresh(in: context)
    goToLine(of: node, in: context)
    return []
  }

  /// Expands all nested values and links if any is collapsed; otherwise collapses all.
  mutating func expandAll(in context: PaneContext) -> [PaneAction] {
    let (before, at) = (lines, chosen?.node ?? chosen?.parent)
    let links = lines.compactMap { line -> Link? in
      if case .more(let link) = line.content, !unfolded.contains(link) { link } else { nil }
    }
    if folds.hidesSome || !links.isEmpty {
      folds = NodeFolds()
      unfolded.formUnion(links)
    } else {
      folds = NodeFolds(isCollapsed: true)
      unfolded = []
    }
    refresh(in: context)
    if let at { goToLine(of: at, in: context) }
    return lines == before ? [.show(.nothingToExpand)] : []
  }

  /// Moves the cursor to the line of a nested value, or of the innermost visible value that
  /// contains it.
  private mutating func goToLine(of node: NodePath, in context: PaneContext) {
    for end in node.indices.reversed() {
      guard let line = lines.firstIndex(where: { $0.node == Array(node[...end]) }) else { continue }
      return cursor.move(to: line, of: lines.count, page: context.page)
    }
  }
}
