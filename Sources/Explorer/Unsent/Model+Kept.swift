import Notebooks
import Triples

// What is kept back outlives the program, however that ends.
extension Model {
  /// What is to be written down of the changes that are kept back, since the last time.
  mutating func keepUnsent() -> [Effect] {
    let changes = unsent?.changes ?? []
    guard let kept = keptUnsent, kept != changes else { return [] }
    keptUnsent = changes
    return [.save(.stagedChanges(changes.map(\.kept)))]
  }

  /// Takes up the changes that were kept back when the program ended.
  ///
  /// - Parameter kept: Nil where nothing of this store is kept.
  mutating func take(_ kept: KeptChanges?) {
    guard keptUnsent == nil, let kept else { return }
    guard whyReadOnly == nil else {
      // They stay where they lie, for who may send them.
      unsentRemark = whyReadOnly.flatMap { reason in
        kept.changes.isEmpty ? nil : .stagedButReadOnly(kept.changes.count, reason)
      }
      return
    }
    let read = kept.changes.compactMap { Unsent.Change(kept: $0) }
    keptUnsent = read
    let lost = kept.changes.count - read.count
    guard !kept.changes.isEmpty else { return }
    unsent = Unsent(read + (unsent?.changes ?? []))
    showUnsent()
    unsentRemark =
      lost == 0 ? .restoredStaged(read.count) : .unreadableStaged(lost)
  }

  /// Says that changes were kept back the last time, when there is a screen to say it on.
  mutating func remindOfUnsent() {
    guard let remark = unsentRemark else { return }
    unsentRemark = nil
    notice = remark
  }
}

extension Unsent {
  /// Where they are: `3 changes staged`.
  var state: String {
    let parts = [
      isSending ? StagingWords.changes(sending) + " being sent" : nil,
      waiting > 0 ? StagingWords.changes(waiting) + " staged" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

extension Unsent.Change {
  /// As it is written down.
  var kept: KeptChanges.Change {
    let places = seen.sorted { $0.key < $1.key }
      .map { JSONObject.Member(key: String($0.key), value: $0.value) }
    return KeptChanges.Change(
      sentence: sentence, steps: JSONWriter.text(Transaction(steps).json),
      seen: places.isEmpty ? nil : JSONWriter.text(.object(JSONObject(places))))
  }

  /// Nil when it cannot be understood, as what a newer program wrote.
  init?(kept: KeptChanges.Change) {
    guard let json = try? JSONReader.value(of: kept.steps),
      let transaction = try? Transaction(json: json)
    else { return nil }
    self.init(steps: transaction.steps, sentence: kept.sentence)
    guard case .object(let places)? = kept.seen.flatMap({ try? JSONReader.value(of: $0) }) else {
      return
    }
    for member in places.members {
      if let place = Int(member.key) { seen[place] = member.value }
    }
  }
}
