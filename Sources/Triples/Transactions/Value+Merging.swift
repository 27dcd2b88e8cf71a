extension Value {
  /// This value with a patch merged in: of two objects each key of the patch is merged in turn, and
  /// null removes a key; anything else is replaced by the patch as it is.
  ///
  /// - Complexity: O(members of both); recursive, as deep as the patch is.
  public func merging(_ patch: Value) -> Value {
    guard case .object(let object) = self, case .object(let changes) = patch else { return patch }
    var members: [JSONObject.Member?] = object.members
    var places: [ExactText: Int] = [:]
    for (place, member) in object.members.enumerated() { places[ExactText(member.key)] = place }
    for change in changes.members {
      let place = places[ExactText(change.key)]
      if change.value == .null {
        if let place { members[place] = nil }
      } else if let place, let member = members[place] {
        members[place]?.value = member.value.merging(change.value)
      } else {
        members.append(change)
      }
    }
    return .object(JSONObject(unique: members.compactMap { $0 }))
  }
}
