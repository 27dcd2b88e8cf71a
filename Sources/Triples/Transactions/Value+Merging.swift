extension Value {
  /// Returns this value with a patch merged into it.
  ///
  /// If both are objects, each key of the patch is merged recursively, and null removes a key.
  /// Otherwise the patch replaces the value.
  ///
  /// - Complexity: O(members of both); recursive to the depth of the patch.
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
