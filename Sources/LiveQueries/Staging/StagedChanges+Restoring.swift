package import Triples

// Changes that an earlier process staged and did not send.
extension StagedChanges {
  /// Stages the changes that an earlier process left behind, in front of all other changes.
  ///
  /// - Parameter groups: The changes in their order. The changes of one group were sent together,
  ///   under the group's id, and may have reached the store.
  package mutating func restore(
    _ groups: [(id: MutationID?, parts: [StagedChange.Part])], unreadable: Int
  ) -> [Action] {
    let count = groups.reduce(0) { $0 + $1.parts.count }
    guard count + unreadable > 0 else { return [] }
    var restored: [StagedChange] = []
    for (id, parts) in groups {
      let parts = parts.map { part in
        StagedChange.Part(
          number: nextNumber(), id: part.id, transaction: part.transaction, summary: part.summary)
      }
      guard let id else {
        restored += parts.map { staged($0) }
        continue
      }
      guard let first = parts.first else { continue }
      restored.append(
        StagedChange(
          number: first.number, id: id, parts: parts, submission: Submission(summary: ""),
          state: .staged, wasStaged: true, mayHaveArrived: true))
    }
    let later = changes.firstIndex(where: \.isStaged) ?? changes.endIndex
    changes.insert(contentsOf: restored, at: later)
    if count > 0 { isStaging = true }
    return [.report(.restored(count: count, unreadable: unreadable))]
  }
}
