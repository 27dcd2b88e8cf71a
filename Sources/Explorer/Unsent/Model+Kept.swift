import Notebooks
import Triples

// What is kept back outlives the program, however that ends.
extension Model {
  /// What is to be written down of the changes that are kept back, since the last time.
  mutating func keepUnsent() -> [Effect] {
    let changes = unsent?.changes ?? []
    guard let kept = keptUnsent, kept != changes else { return [] }
    keptUnsent = changes
    return [.keepUnsent(changes.map(\.kept))]
  }

  /// Takes up the changes that were kept back when the program ended.
  ///
  /// - Parameter kept: Nil where nothing of this store is kept.
  mutating func take(_ kept: KeptChanges?) {
    guard keptUnsent == nil, let kept else { return }
    guard whyReadOnly == nil else {
      // They stay where they lie, for who may send them.
      unsentRemark = kept.changes.isEmpty ? nil : "\(Unsent.words(kept.changes.count)) kept back"
      return
    }
    let read = kept.changes.compactMap { Unsent.Change(kept: $0) }
    keptUnsent = read
    let lost = kept.changes.count - read.count
    guard !kept.changes.isEmpty else { return }
    unsent = Unsent(read + (unsent?.changes ?? []))
    showUnsent()
    unsentRemark =
      lost == 0
      ? "\(Unsent.words(read.count)) kept back since the last time"
      : "\(NumberText.grouped(lost)) of the changes kept back cannot be read any more"
  }

  /// Says that changes were kept back the last time, when there is a screen to say it on.
  mutating func remindOfUnsent() {
    guard let remark = unsentRemark else { return }
    unsentRemark = nil
    notice = Notice(
      text: whyReadOnly.map { "\(remark): \($0)" }
        ?? "\(remark): \(key(.hold)) sends or drops, \(key(.changes)) shows")
  }
}

extension Unsent {
  /// `1 change is`, `3 changes are`.
  static func words(_ count: Int) -> String {
    count == 1 ? "1 change is" : "\(NumberText.grouped(count)) changes are"
  }

  var words: String { Self.words(changes.count) }

  /// Where they are: `3 changes are not sent yet`.
  var state: String {
    let parts = [
      isSending ? Self.words(sending) + " on \(sending == 1 ? "its" : "their") way" : nil,
      waiting > 0 ? Self.words(waiting) + " not sent yet" : nil,
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
