import Triples

// Files whose names stand for names that no file can have.
extension FolderContent {
  /// The files under the names of their namespaces: a name is decoded where the schema beside it knows
  /// what it stands for, and knows no namespace of the name itself.
  static func namedPlainly(
    _ files: [(name: String, bytes: [UInt8])]
  ) -> [(name: String, bytes: [UInt8])] {
    guard files.contains(where: { $0.name.contains("%") }),
      let schema = files.first(where: { $0.name == "schema.json" }),
      case .object(let object)? = try? JSONReader.value(of: schema.bytes),
      case .object(let entities)? = object["entities"]
    else { return files }
    // A namespace may be called like the schema, which therefore comes first.
    let others = files.filter { $0.name != schema.name }
    return [schema]
      + others.map { file in
        guard let dot = file.name.lastIndex(of: ".") else { return file }
        let name = String(file.name[..<dot])
        guard entities[name] == nil,
          let plain = PortableName.decoded(name, avoiding: StoreExport.reservedNames),
          entities[plain] != nil
        else { return file }
        // What stands after this is the name, whatever is in it.
        return ("entities/" + plain + file.name[dot...], file.bytes)
      }
  }
}
