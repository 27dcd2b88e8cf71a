/// Checks conditions that hold for every store after every change, for tests.
extension TripleStore {
  /// Describes violated conditions; empty for a valid store.
  ///
  /// - Complexity: O(cells), each read several times.
  package func checkInvariants() -> [String] {
    var wrong: [String] = []
    if columns.count != attributes.count { wrong.append("columns and attributes differ in number") }
    for (id, number) in numbers where attributes[number]?.id != id {
      wrong.append("column \(number) does not belong to \(id)")
    }
    for (namespace, number) in memberships {
      if attributes[number]?.namespace != namespace || attributes[number]?.isIdentity != true {
        wrong.append("column \(number) does not list the entities of \(namespace)")
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
        if !entities.content.contains(row: row) { wrong.append("row \(row) was never assigned") }
        if entities.content.birth(row) == Entities.unborn {
          wrong.append("row \(row) has values but was never created")
        }
        for target in column.targets(row) where !entities.content.contains(row: target) {
          wrong.append("target \(target) was never assigned")
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
      if self.row(of: id(row)) != row { wrong.append("id \(id(row)) is not mapped to row \(row)") }
    }
    if given != count { wrong.append("\(given) rows assigned, but \(count) ids known") }
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
        if chunk.isPresent(slot) != holdsItems {
          wrong.append("the presence bit of a list does not match the list")
        }
        if chunk.isNull(slot) && !chunk.isPresent(slot) {
          wrong.append("a null is not marked as present")
        }
        if chunk.isPresent(slot) { present += 1 }
        if case .text(let code) = chunk.cell(slot), texts.code(of: texts.text(code)) != code {
          wrong.append("code \(code) does not match its text")
        }
      }
      if case .targetLists(let lists) = chunk.cells {
        if Int(lists.starts[Chunk.slots]) != lists.items.count {
          wrong.append("list items are lost")
        }
        if !lists.times.isEmpty && lists.times.count != lists.items.count {
          wrong.append("the numbers of list items and of their times differ")
        }
      }
    }
    if present != filled { wrong.append("\(present) cells, but \(filled) counted") }
    return wrong
  }
}
