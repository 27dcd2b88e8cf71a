import Triples

/// The `config.json` of a backup: the current schema, and everything else from an earlier backup.
struct BackupConfiguration {
  /// The name of the attachment that contains the configuration.
  static let name = "config.json"

  /// The `config.json` of the original backup; empty if there is none.
  let original: JSONObject

  /// Parses the `config.json` of an earlier backup.
  ///
  /// - Parameter bytes: The contents of `config.json`; nil if there is none.
  init(_ bytes: [UInt8]?) {
    if let bytes, case .object(let object)? = try? JSONReader.value(of: bytes) {
      original = object
    } else {
      original = JSONObject()
    }
  }

  /// Creates the `config.json` of a store.
  ///
  /// - Parameter title: The title of the app, used if the earlier `config.json` has none.
  func json(of store: TripleStore, title: String, at moment: Int64) -> JSONObject {
    var object = original
    let counts = store.schema.entityNamespaces.map {
      JSONObject.Member(key: $0, value: .integer(Int64(store.count(of: $0))))
    }
    object["counts"] = .object(JSONObject(counts))
    object["tripleCount"] = .integer(Int64(store.tripleCount))
    object["schema"] = .object(schema(of: store.schema))
    for (key, value) in [
      ("rules", .null), ("webhooks", []), ("emailTemplates", []), ("title", .text(title)),
    ] as [(String, Value)] where object[key] == nil {
      object[key] = value
    }
    object["backupAt"] = .integer(moment)
    return object
  }

  /// Returns the schema, with link names and unknown members from the original `config.json`.
  private func schema(of schema: Schema) -> JSONObject {
    let known = original["schema"]?.object ?? JSONObject()
    let exported = schema.exported(namesLabels: false)
    var result = known
    result["entities"] = .object(
      entities(exported["entities"]?.object ?? JSONObject(), known["entities"]?.object))
    result["links"] = .object(
      links(exported["links"]?.object ?? JSONObject(), known["links"]?.object))
    return result
  }

  private func entities(_ exported: JSONObject, _ known: JSONObject?) -> JSONObject {
    JSONObject(
      exported.members.map { member in
        let before = known?[member.key]?.object
        var entity = before ?? JSONObject()
        let attributes = member.value.object?["attrs"]?.object ?? JSONObject()
        let knownAttributes = before?["attrs"]?.object
        let kept = attributes.members.filter { attribute in
          // A namespace of the server keeps the attributes of its original schema. Attributes that
          // the server adds are not declared.
          !member.key.hasPrefix("$") || knownAttributes?[attribute.key] != nil
            || knownAttributes == nil && !Self.isHidden(attribute.key, in: member.key)
        }
        entity["attrs"] = .object(
          JSONObject(
            kept.map { attribute in
              JSONObject.Member(
                key: attribute.key,
                value: Self.attribute(attribute.value, knownAttributes?[attribute.key]?.object))
            }))
        return JSONObject.Member(key: member.key, value: .object(entity))
      })
  }

  /// Returns whether the server adds the attribute to uploaded files on its own.
  static func isHidden(_ label: String, in namespace: String) -> Bool {
    namespace == "$files"
      && ["location-id", "size", "content-type", "content-disposition", "key-version"]
        .contains(label)
  }

  private static func attribute(_ exported: Value, _ known: JSONObject?) -> Value {
    guard let known, let now = exported.object else { return exported }
    var result = known
    // `json` and `any` are names of the same type, so the original name is kept.
    if known["valueType"] != "json" || now["valueType"] != "any" {
      result.set("valueType", to: now["valueType"])
    }
    if let config = now["config"]?.object {
      var merged = known["config"]?.object ?? JSONObject()
      for member in config.members { merged.set(member.key, to: member.value, normally: false) }
      if known["config"] != nil || !merged.members.isEmpty { result["config"] = .object(merged) }
    }
    result.set("required", to: now["required"], normally: false)
    return .object(result)
  }

  private func links(_ exported: JSONObject, _ known: JSONObject?) -> JSONObject {
    var names: [Value: JSONObject.Member] = [:]
    for member in known?.members ?? [] { names[Self.key(of: member.value)] = member }
    var taken = Set(known?.members.map(\.key) ?? [])
    return JSONObject(
      exported.members.map { link in
        guard let before = names[Self.key(of: link.value)], let old = before.value.object,
          let now = link.value.object
        else {
          var name = link.key
          while !taken.insert(name).inserted { name += "_" }
          return JSONObject.Member(key: name, value: link.value)
        }
        var result = old
        for side in ["forward", "reverse"] {
          var merged = old[side]?.object ?? JSONObject()
          let present = now[side]?.object ?? JSONObject()
          for member in present.members { merged.set(member.key, to: member.value) }
          merged.set("required", to: present["required"], normally: false)
          if present["onDelete"] == nil, merged["onDelete"] == "cascade" {
            merged["onDelete"] = nil
          }
          result[side] = .object(merged)
        }
        return JSONObject.Member(key: before.key, value: .object(result))
      })
  }

  /// Returns the key that identifies a link: its source namespace and its label in that namespace.
  private static func key(of link: Value) -> Value {
    let forward = link.object?["forward"]?.object
    return [forward?["on"] ?? .null, forward?["label"] ?? .null]
  }
}

extension Value {
  /// The value as an object; nil for other kinds.
  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
}

extension JSONObject {
  /// Sets a member to `value`, or to its default `usual` if `value` is nil.
  ///
  /// If the object lacks the member, the default is not added.
  fileprivate mutating func set(_ key: String, to value: Value?, normally usual: Value? = nil) {
    let value = value ?? usual
    if self[key] == nil, value == usual { return }
    self[key] = value
  }
}
