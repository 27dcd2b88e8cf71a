import Triples
import Widgets

// Expands and collapses nested values and links of a record.
extension EntityPane {
  /// Returns whether the line belongs to a collapsed value.
  func isCollapsed(_ line: Line) -> Bool {
    line.node.map(folds.nested.collapses) == true || line.long.map(folds.long.collapses) == true
  }

  /// Expands or collapses the value at the cursor, or the list of a link's targets.
  mutating func unfold(_ isUnfolded: Bool, in context: PaneContext) -> [PaneAction] {
    if let actions = setFold(isCollapsed: !isUnfolded, in: context) { return actions }
    let link: Link
    switch chosen?.content {
    case .link(let it, _), .linked(let it, _), .more(let it): link = it
    case .attribute, .plain, nil:
      return [.show(.onlyLinksExpand)]
    }
    let before = lines
    if isUnfolded { folds.listed.insert(link) } else { folds.listed.remove(link) }
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

  /// Expands or collapses the nested or long value at the cursor. Returns nil if there is none.
  private mutating func setFold(isCollapsed: Bool, in context: PaneContext) -> [PaneAction]? {
    guard let chosen else { return nil }
    let changed =
      folds.nested.fold(chosen.node, within: chosen.parent, isCollapsed: isCollapsed)
      ?? folds.long.fold(chosen.long, within: nil, isCollapsed: isCollapsed)
    guard let changed else {
      return chosen.node == nil && chosen.long == nil
        ? nil : [.show(isCollapsed ? .alreadyFolded : .alreadyExpanded)]
    }
    refresh(in: context)
    // After the last line of a collapsed text, the cursor is on its next line.
    if self.chosen?.long != changed { goToLine(of: changed, in: context) }
    return []
  }

  /// Expands all nested values and links if any is collapsed; otherwise collapses all.
  mutating func expandAll(in context: PaneContext) -> [PaneAction] {
    let (before, at) = (lines, chosen?.node ?? chosen?.parent ?? chosen?.long)
    let links = lines.compactMap { line -> Link? in
      if case .more(let link) = line.content, !folds.listed.contains(link) { link } else { nil }
    }
    if folds.nested.hidesSome || !links.isEmpty || lines.contains(where: isCollapsed) {
      folds = RecordFolds(long: NodeFolds(), listed: folds.listed.union(links))
    } else {
      folds = RecordFolds(nested: NodeFolds(isCollapsed: true))
    }
    refresh(in: context)
    if let at { goToLine(of: at, in: context) }
    return lines == before ? [.show(.nothingToExpand)] : []
  }

  /// Shows all lines of nested and long values. Returns whether some were hidden.
  mutating func showHiddenLines(in context: PaneContext) -> Bool {
    let before = lines
    folds = RecordFolds(long: NodeFolds(), listed: folds.listed)
    refresh(in: context)
    return lines != before
  }

  /// Moves the cursor to the first line of a nested or long value. If the value is not visible, the
  /// innermost visible value that contains it takes its place.
  private mutating func goToLine(of node: NodePath, in context: PaneContext) {
    for end in node.indices.reversed() {
      let path = Array(node[...end])
      guard let line = lines.firstIndex(where: { $0.node == path || $0.long == path }) else {
        continue
      }
      return cursor.move(to: line, of: lines.count, page: context.page)
    }
  }
}
