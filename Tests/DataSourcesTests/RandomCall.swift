import DataSources
import DataSourcesTesting

/// Random calls for tests.
enum RandomCall {
  static func next(using random: inout SeededGenerator) -> Call<Note> {
    let key = IdQuery(Int.random(in: 0..<6, using: &random))
    let keys = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Int.random(in: 0..<6, using: &random)
    }
    let note = Note("\(Int.random(in: 0..<100, using: &random))")
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return .get(key)
    case 2: return .getAll(key)
    case 3: return .getAll(IdsQuery(keys))
    case 4: return .getAll(IdsQuery(keys, missing: .skip))
    case 5: return .getAll(AllObjectsQuery())
    case 6, 7: return .put(note, key)
    case 8: return .put(nil, key)
    case 9: return .putAll(keys.map { Note("\($0)") }, key)
    case 10: return .putAll(keys.map { Note("\($0)") }, IdsQuery(keys))
    case 11: return .delete(key)
    case 12: return .delete(IdsQuery(keys))
    default:
      return Bool.random(using: &random)
        ? .delete(AllObjectsQuery())
        : .putAll(keys.map { Note("\($0)") }, AllObjectsQuery())
    }
  }

  static let oneOfEach: [Call<Note>] = [
    .get(IdQuery("k")), .getAll(AllObjectsQuery()), .put(Note("new"), IdQuery("k")),
    .putAll([Note("new")], IdQuery("k")), .delete(IdQuery("k")),
  ]
}
