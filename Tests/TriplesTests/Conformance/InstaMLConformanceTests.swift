import ConformanceSupport
import Testing
import Triples

@Suite("Shared InstaML cases", .enabled(if: InstaMLFile.folder != nil))
struct InstaMLConformanceTests {
  @Test(
    "every sequence gives the expected steps, changes and rejections", arguments: InstaMLFile.names)
  func sequences(name: String) throws {
    let file = try InstaMLFile(name)
    for sequence in file.sequences {
      var run = SequenceRun(file, sequence)
      for index in sequence.steps.indices where !run.hasDiverged { run.step(index) }
      if !run.hasDiverged { run.checkEnd() }
      for fault in run.faults { Issue.record("\(name), \(sequence.name), \(fault)") }
    }
  }
}

/// A sequence applied step by step, like in a client ahead of its server.
private struct SequenceRun {
  let file: InstaMLFile
  let sequence: InstaMLFile.Sequence
  var store: TripleStore
  var facts: Facts
  /// Facts that the reference removed by an outdated index, and that a store keeps.
  var kept: [Value] = []
  var faults: [String] = []
  /// The reference deleted more, according to its cascade rules.
  var hasDiverged = false

  init(_ file: InstaMLFile, _ sequence: InstaMLFile.Sequence) {
    self.file = file
    self.sequence = sequence
    store = file.store
    facts = Facts(file.store)
  }

  mutating func step(_ index: Int) {
    let step = sequence.steps[index]
    let (before, storeBefore) = (facts, store)
    do {
      let transaction = try transaction(step)
      if let wanted = step["error"] {
        // A store ahead of its server skips what the reference fails to apply.
        if wanted.object?["kind"] == "apply" {
          try store.transact(transaction, at: 2_000_000_000_000, rules: .optimistic)
          if Facts(store).triples == facts.triples { return }
        }
        return faults.append("step \(index): should fail with \(JSONWriter.text(wanted))")
      }
      if step["ops"] != nil { compare(transaction, step["txSteps"], index) }
      try store.transact(transaction, at: 2_000_000_000_000, rules: .optimistic)
    } catch {
      if !isWanted(error, step["error"]?.object) { faults.append("step \(index): \(error)") }
      return
    }
    hasDiverged = KnownDifferences.cascadesFurther(step, from: storeBefore, to: store)
    if hasDiverged { return }
    let delta = step["rebuiltDelta"] ?? step["delta"]
    facts = Facts(store)
    if step["rebuiltDelta"] != nil {
      let rebuilt = delta?.object?["removed"]?.list ?? []
      let removed = step["delta"]?.object?["removed"]?.list ?? []
      kept += removed.filter { !rebuilt.contains($0) }
    }
    compare(facts.without(before), delta?.object?["added"]?.list ?? [], "step \(index), added")
    compare(
      before.without(facts), delta?.object?["removed"]?.list ?? [], "step \(index), removed")
  }

  mutating func checkEnd() {
    compare(facts.triples, sequence.finalTriples + kept, "at the end")
    faults += store.checkInvariants()
  }

  private func transaction(_ step: JSONObject) throws -> Transaction {
    if let raw = step["raw"] { return try Transaction(json: raw.withPlainDates) }
    let builder = try TransactionBuilder(json: step["ops"]?.withPlainDates ?? [])
    return try builder.transaction(
      in: store, declared: file.declared, readsDates: file.readsDates)
  }

  private func isWanted(_ error: any Error, _ wanted: JSONObject?) -> Bool {
    guard let wanted else { return false }
    switch wanted["kind"]?.textValue {
    case "js", "apply": return true
    default: return (error as? InstaMLError)?.message == wanted["message"]?.textValue
    }
  }

  // MARK: Comparing

  private mutating func compare(_ transaction: Transaction, _ wanted: Value?, _ index: Int) {
    let steps = transaction.steps.map { $0.json.named(as: Self.names(transaction)) }
    let wanted = wanted?.list ?? []
    if steps.count != wanted.count {
      faults.append("step \(index): \(steps.count) steps instead of \(wanted.count)")
    }
    for (mine, other) in zip(steps, wanted) where !mine.isAnswer(other.withWholeAttribute) {
      faults.append(
        "step \(index): \(JSONWriter.text(mine)) instead of \(JSONWriter.text(other))")
    }
  }

  /// Names in the cases for new attributes and their names, which have random ids.
  private static func names(_ transaction: Transaction) -> [String: String] {
    var names: [String: String] = [:]
    for case .addAttribute(let attribute) in transaction.steps {
      names[attribute.id.text] = "new:\(attribute.namespace).\(attribute.label)"
      names[attribute.name.id] = "new"
      if let reverse = attribute.reverse { names[reverse.id] = "new" }
    }
    return names
  }

  private mutating func compare(_ mine: [Value], _ wanted: [Value], _ place: String) {
    var (missing, surplus) = (wanted.filter { !Self.isUnresolvedLookup($0) }, mine)
    missing.removeAll { triple in
      guard let place = surplus.firstIndex(where: { $0.isAnswer(triple) }) else { return false }
      surplus.remove(at: place)
      return true
    }
    // Writing a date in another form is not a change for a date attribute.
    surplus.removeAll { triple in
      place.contains("step") && file.readsDates && isRespelled(triple)
    }
    for triple in missing { faults.append("\(place): lacks \(JSONWriter.text(triple))") }
    for triple in surplus { faults.append("\(place): \(JSONWriter.text(triple)) is too much") }
  }

  /// The reference treats a link to a lookup by a new attribute as a link to the lookup itself.
  /// Here it is skipped until the server has found the entity.
  private static func isUnresolvedLookup(_ triple: Value) -> Bool {
    triple.list?[2].list?.first?.textValue?.hasPrefix("new:") == true
  }

  private func isRespelled(_ triple: Value) -> Bool {
    guard case .text(let name)? = triple.list?[1] else { return false }
    let parts = name.split(separator: ".")
    return store.schema.attribute(String(parts[0]), String(parts[1]))?.checkedType == .date
  }
}

/// All facts of a store, as `[entity, "namespace.label", value]`.
private struct Facts {
  let triples: [Value]

  init(_ store: TripleStore) {
    triples = store.schema.attributes.flatMap { attribute in
      store.rows(attribute.id, .stored).handles.flatMap { entity in
        store.values(entity, attribute.id).map { value in
          [
            .text(store.id(of: entity).text), .text("\(attribute.namespace).\(attribute.label)"),
            value,
          ]
        }
      }
    }
  }

  func without(_ other: Facts) -> [Value] {
    let known = Set(other.triples)
    return triples.filter { !known.contains($0) }
  }
}

extension Value {
  fileprivate func named(as names: [String: String]) -> Value {
    switch self {
    case .text(let text): return .text(names[text] ?? text)
    case .array(let items): return .array(items.map { $0.named(as: names) })
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(key: $0.key, value: $0.value.named(as: names))
          }))
    case .null, .bool, .integer, .double: return self
    }
  }

  /// An `add-attr` step with the optional keys.
  fileprivate var withWholeAttribute: Value {
    guard let parts = list, parts.first == "add-attr",
      let attribute = try? Attribute(json: parts[1])
    else { return self }
    return ["add-attr", attribute.json]
  }
}
