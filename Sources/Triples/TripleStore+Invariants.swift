/// Invariants of every store after every change, checked by tests.
extension TripleStore {
  /// Descriptions of violations; empty for a valid store.
  ///
  /// - Complexity: Reads every cell several times.
  package func checkInvariants() -> [String] {
    var wrong: [String] = []
    if columns.count != attributes.count { wrong.append("columns and attributes differ in number") }
    for (id, number) in numbers where attributes[number]?.id != id {
      wrong.append("column \(number) is not that of \(id)")
    }
    for (namespace, number) in memberships {
      if attributes[number]?.namespace != namespace || attributes[number]?.isIdentity != true {
        wrong.append("column \(number) does not say who belongs to \(namespace)")
      }
    }
    wrong += entities.content.checkInvariants()
    for (number, attribute) in attributes.enumerated() {
      let column = columns[number].content
      guard let attribute else {
        if column.filled != 0 { wrong.append("removed column \(number) is not empty") }
        continue
      }
      if numbers[attribute.id] != number { wrong.append("\(attribute.id) has no column") }
      if column.kind != Column.Kind(attribute) { wrong.append("\(attribute.id): wrong kind") }
      wrong += column.checkInvariants().map { "\(attribute.namespace).\(attribute.label): \($0)" }
      column.rows(.stored, isDate: false, within: nil).forEachRow { row in
        if !entities.content.contains(row: row) { wrong.append("row \(row) was never given") }
        if entities.content.birth(row) == Entities.unborn { wrong.append("row \(row) is unborn") }
        for target in column.targets(row) where !entities.content.contains(row: target) {
          wrong.append("target \(target) was never given")
        }
      }
    }
    return wrong
  }
}

extension Entities {
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    var given = 0
    forEachRow { row in
      given += 1
      if self.row(of: id(row)) != row { wrong.append("id \(id(row)) does not lead to row \(row)") }
    }
    if given != count { wrong.append("\(given) rows given, \(count) ids known") }
    return wrong
  }
}

extension Column {
  func checkInvariants() -> [String] {
    var wrong: [String] = []
    var present = 0
    for place in 0..<chunks.end {
      let chunk = chunks[place]
      for slot in 0..<Chunk.slots {
        let holdsItems =
          switch chunk.cells {
          case .targetLists(let lists): !lists.items(slot).isEmpty
          case .valueLists(let lists): !lists.items[slot].isEmpty
          default: chunk.isPresent(slot)
          }
        if chunk.isPresent(slot) != holdsItems { wrong.append("a list and its bit differ") }
        if chunk.isNull(slot) && !chunk.isPresent(slot) { wrong.append("a null is not there") }
        if chunk.isPresent(slot) { present += 1 }
        if case .text(let code) = chunk.cell(slot), texts.code(of: texts.text(code)) != code {
          wrong.append("code \(code) is not that of its text")
        }
      }
      if case .targetLists(let lists) = chunk.cells {
        if Int(lists.starts[Chunk.slots]) != lists.items.count { wrong.append("lost list items") }
        if !lists.times.isEmpty && lists.times.count != lists.items.count {
          wrong.append("list items and their times differ in number")
        }
      }
    }
    if present != filled { wrong.append("\(present) cells, but \(filled) counted") }
    return wrong
  }
}
