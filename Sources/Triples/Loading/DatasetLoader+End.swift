// Checks that are possible only after all rows are loaded.
extension DatasetLoader {
  /// Resolves the links to entities that were loaded after the links.
  mutating func resolvePendingLinks() throws(DatasetError) {
    for link in pending {
      let field = spaces[link.space].fields[link.field]
      guard case .link(_, _, let number) = field.kind else { continue }
      if store.columns[targets[number].membership].content.isPresent(link.target.row) { continue }
      let attribute = spaces[link.space].attributes[link.field]
      if let other = alias(of: link.target) {
        let time = store.createdAt(link.source.row, column: field.column) ?? 0
        store.retract(target: link.target, of: link.source, attribute.id)
        _ = store.insert(target: other, of: link.source, column: field.column, at: time)
      } else if !schema.allowsDanglingLinks {
        let problem = DatasetError.Problem.dangling(
          label: attribute.label, of: name(of: link.source, in: spaces[link.space]),
          value: link.value, namespace: targets[number].name)
        let (name, bytes) = (files[link.file].name, files[link.file].bytes)
        try bytes.withUnsafeBufferPointer { source throws(DatasetError) in
          try complain(
            problem, .linkLeftOut, SourceFile(number: link.file, name: name, source: source),
            at: link.offset)
        }
        store.retract(target: link.target, of: link.source, attribute.id)
      }
    }
    pending = []
  }

  /// Returns the entity that a placeholder stands for: the one with its key and an explicit id. Nil
  /// if there is no such entity.
  ///
  /// - Parameter entity: The placeholder that a link by key created. Its id is derived from the
  ///   key.
  private func alias(of entity: EntityHandle) -> EntityHandle? {
    // Reading the bits from the entity's id is shorter, but crashes the optimizer of Swift 6.3.
    guard let bits = store.entities.content.uuidBits(entity.row) else { return nil }
    return aliases[UUIDBits(high: bits.high, low: bits.low)]
  }

  /// Returns the name of an entity in messages: its key, or its id.
  func name(of entity: EntityHandle, in space: NamespaceLoader) -> String {
    if let key = space.key, let value = store.value(entity, column: space.fields[key].column) {
      return value.textValue ?? JSONWriter.text(value)
    }
    return store.id(of: entity).text
  }

  /// Checks that the schema names attributes as labels. Without rows, an attribute that the schema
  /// does not declare is not known.
  func checkLabels() throws(DatasetError) {
    for entity in schema.entities {
      guard let label = entity.label, let space = spaces.first(where: { $0.name == entity.name }),
        space.rowCount > 0
      else { continue }
      if let place = space.place(of: label), case .value = space.fields[place].kind { continue }
      let problem =
        "entities.\(entity.name): 'label' is '\(label)', but there is no attribute with this name"
      throw DatasetError(.schema(problem), file: schema.file)
    }
  }

  /// Sets the inferred types of attributes without a schema. Texts are not indexed, because
  /// indexed values have a maximum length.
  mutating func inferTypes(of space: NamespaceLoader) {
    for (field, old) in zip(space.fields, space.attributes) {
      guard case .value = field.kind, field.seen != 0 else { continue }
      let seen = SeenKinds(rawValue: field.seen)
      var attribute = old
      attribute.inferredTypes = seen.names
      if field.isInferred {
        attribute.checkedType = seen.onlyType
        attribute.isIndexed = old.isUnique || seen == .number || seen == .boolean
      }
      store.addAttribute(attribute)
    }
  }

  /// Checks unique attributes for duplicate values.
  mutating func checkUnique(_ space: NamespaceLoader) throws(DatasetError) {
    for (place, known) in space.attributes.enumerated()
    where known.isUnique && (place != space.key || space.repeatsKey) {
      guard case .value = space.fields[place].kind,
        let attribute = store.schema.attribute(known.id)
      else { continue }
      var seen: Set<Value> = []
      for entity in store.rows(of: space.name).handles {
        guard let value = store.value(entity, column: space.fields[place].column),
          value != .null, !seen.insert(value).inserted
        else { continue }
        let file = parts.first { $0.name == space.name }.map { files[$0.file].name } ?? ""
        let (name, text) = (
          name(of: entity, in: space), value.textValue ?? JSONWriter.text(value)
        )
        if options.isStrict {
          throw DatasetError(
            .notUnique(label: attribute.label, of: name, value: text), file: file)
        }
        warn(
          DatasetError(
            .noLongerUnique(label: attribute.label, of: name, value: text), file: file))
        var common = attribute
        common.isUnique = false
        store.addAttribute(common)
        break
      }
    }
  }
}
