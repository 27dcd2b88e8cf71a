import TerminalUI
import Triples

extension Catalog {
  /// Returns the cell of a foreign key that references no existing row: the key with a mark. Nil
  /// for any other link.
  func danglingReference(of entity: EntityHandle, _ link: Link) -> CellText? {
    let values = schema.keyAttributes(behind: link)
      .map { (store.value(entity, $0.id) ?? .null, $0) }
    // A key with a null column references no row.
    guard !values.isEmpty, !values.contains(where: { $0.0 == .null }) else { return nil }
    let key = values.map { CellText($0.0, of: $0.1).text }.joined(separator: " · ")
    return CellText(text: key + " ✗", role: .invalid)
  }
}

extension ResultsPane {
  /// The key in the selected link's cell if it references no existing row.
  var chosenDanglingReference: String? {
    guard let table, let link = chosenLink, let (entity, _) = chosenEntity,
      let cell = table.catalog.danglingReference(of: entity, link),
      chosenColumn?.cell(of: entity, in: table.catalog) == cell
    else { return nil }
    return cell.text.split(separator: " ").dropLast().joined(separator: " ")
  }
}
