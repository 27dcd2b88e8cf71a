import Triples

// Decodes the percent-encoded file names of namespaces whose names cannot be file names.
extension FolderContent {
  /// Returns the files, with percent-encoded names decoded if the schema lists the decoded name.
  static func namedPlainly(
    _ files: [(name: String, bytes: [UInt8])]
  ) -> [(name: String, bytes: [UInt8])] {
    guard files.contains(where: { $0.name.contains("%") }),
      let schema = files.first(where: { $0.name == "schema.json" }),
      case .object(let object)? = try? JSONReader.value(of: schema.bytes),
      case .object(let entities)? = object["entities"]
    else { return files }
    // A namespace may be named like the schema, so the schema comes first.
    let others = files.filter { $0.name != schema.name }
    return [schema]
      + others.map { file in
        guard let dot = file.name.lastIndex(of: ".") else { return file }
        let name = String(file.name[..<dot])
        guard entities[name] == nil,
          let plain = PortableName.decoded(name, avoiding: StoreExport.reservedNames),
          entities[plain] != nil
        else { return file }
        // In the folder `entities`, the whole rest of the path is the namespace, whatever
        // characters it contains.
        return ("entities/" + plain + file.name[dot...], file.bytes)
      }
  }
}
