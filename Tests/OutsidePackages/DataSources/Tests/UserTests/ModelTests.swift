import DataSources
import DataSourcesTesting
import Testing

/// Random calls on a source and on a model of two dictionaries, which must agree.
@Suite struct `Two hundred random calls` {
  private let folder = TemporaryFolder()

  @Test(arguments: SourceKind.allCases, [1, 2, 3])
  func `give the answers of a simple model`(kind: SourceKind, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let source = kind.make(folder, of: Int.self)
    var model = Model()
    for number in 0..<200 {
      let call = Self.call(number, &random)
      let expected = model.perform(call)
      let outcome = await call.outcome(on: source)
      #expect(outcome == expected, "seed \(seed), call \(number): \(call)")
    }
    guard kind != .memory else { return }
    let all = Call<Int>.getAll(AllObjectsQuery())
    let later = await all.outcome(on: kind.make(folder, of: Int.self))
    #expect(later == (await all.outcome(on: source)), "seed \(seed), after a restart")
  }

  private static func call(_ number: Int, _ random: inout SeededGenerator) -> Call<Int> {
    let key = IdQuery(Int.random(in: 0..<6, using: &random))
    let ids = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Int.random(in: 0..<6, using: &random)
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .get(key)
    case 2: return .getAll(key)
    case 3, 4: return .put(number, key)
    case 5: return .putAll([number, number + 1], key)
    case 6: return .putAll(ids.map { number + $0 }, IdsQuery(ids))
    case 7: return .getAll(IdsQuery(ids, missing: Bool.random(using: &random) ? .fail : .skip))
    case 8: return .delete(key)
    default: return .delete(IdsQuery(ids))
    }
  }

  /// The rules of key/value sources, in their simplest form.
  private struct Model {
    var one: [Int: Int] = [:]
    var many: [Int: [Int]] = [:]

    mutating func perform(_ call: Call<Int>) -> Outcome<Int> {
      switch call {
      case .get(let query as IdQuery<Int>):
        return one[query.id].map(Outcome.object) ?? .failure(.notFound)
      case .getAll(let query as IdQuery<Int>):
        return many[query.id].map(Outcome.objects) ?? .failure(.notFound)
      case .getAll(let query as IdsQuery<Int>):
        let found = query.ids.map { one[$0] }
        if query.missing == .fail, found.contains(nil) { return .failure(.notFound) }
        return .objects(found.compactMap(\.self))
      case .put(let object?, let query as IdQuery<Int>):
        (one[query.id], many[query.id]) = (object, nil)
        return .object(object)
      case .putAll(let objects, let query as IdQuery<Int>):
        (one[query.id], many[query.id]) = (nil, objects)
        return .objects(objects)
      case .putAll(let objects, let query as IdsQuery<Int>):
        for (id, object) in zip(query.ids, objects) { (one[id], many[id]) = (object, nil) }
        return .objects(objects)
      case .delete(let query as IdQuery<Int>):
        (one[query.id], many[query.id]) = (nil, nil)
        return .done
      case .delete(let query as IdsQuery<Int>):
        for id in query.ids { (one[id], many[id]) = (nil, nil) }
        return .done
      default: return .failure(.failed)
      }
    }
  }
}
