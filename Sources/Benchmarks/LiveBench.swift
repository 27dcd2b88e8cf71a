import InstaQL
import LiveQueries
import Stores
import Triples

/// Measures a thousand different live queries on one store.
///
/// The figures are the time from a change until it is delivered, and the memory after ten thousand
/// changes.
struct LiveBench {
  let folder: String
  private static let subscriptions = 1_000
  private static let transactions = 10_000

  func run() async throws {
    guard let bytes = BenchData.dump(of: folder) else { return print("\(folder): cannot be read") }
    let world = World(try TripleDump.load(bytes.bytes))
    let store = MemoryStore(world.store)
    let manager = QueryManager(store: store)
    print("\n\(folder): \(bytes.triples) triples, \(Self.subscriptions) subscriptions")

    let start = Timing.now()
    var readers: [LiveResults.Iterator] = []
    for number in 0..<Self.subscriptions {
      let document = try QueryDocument(json: Array(world.query(number).utf8))
      readers.append(await manager.subscribe(to: document).results.makeAsyncIterator())
    }
    for place in readers.indices { await readers[place].nextAnswer() }
    print("all answered for the first time     \((Timing.now() - start).short) ms")

    try await touch(world, manager, &readers)
    readers = []
    try await flood(world, manager)
  }

  /// Measures changes that affect only one query, each until the query's subscriber receives the
  /// result.
  private func touch(
    _ world: World, _ manager: QueryManager, _ readers: inout [LiveResults.Iterator]
  ) async throws {
    let before = await looks(manager)
    var times: [Double] = []
    for round in 0..<Self.subscriptions {
      // Each of the first queries selects one user.
      let number = round % World.pointQueries
      let start = Timing.now()
      try await manager.transact(world.rename(number, to: "name \(round)"))
      await readers[number].nextAnswer()
      times.append(Timing.now() - start)
    }
    times.sort()
    let looks = Double(await self.looks(manager) - before) / Double(times.count)
    print("changed until delivered, median     \(times[times.count / 2].short) ms")
    print("changed until delivered, 95 of 100  \(times[times.count * 95 / 100].short) ms")
    print("answers looked at for each change   \(looks.short)")
  }

  /// Makes many changes to all data, while each query has a subscriber.
  private func flood(_ world: World, _ manager: QueryManager) async throws {
    var listening: [Task<Void, Never>] = []
    for number in 0..<Self.subscriptions {
      let document = try QueryDocument(json: Array(world.query(number).utf8))
      let results = await manager.subscribe(to: document).results
      listening.append(Task { for await _ in results {} })
    }
    var memory: [Int] = []
    let start = Timing.now()
    for round in 0..<Self.transactions {
      if round % (Self.transactions / 5) == 0 { memory.append(Timing.residentBytes()) }
      try await manager.transact(world.change(round))
    }
    let time = Timing.now() - start
    memory.append(Timing.residentBytes())
    let sizes = memory.map { (Double($0) / 1_048_576).short }.joined(separator: ", ")
    print("\(Self.transactions) changes                       \((time / 1000).short) s")
    print("memory, a fifth of them apart       \(sizes) MB")
    for task in listening { task.cancel() }
  }

  private func looks(_ manager: QueryManager) async -> Int {
    await manager.watchedQueries.reduce(0) { $0 + $1.work.evaluations + $1.work.updates }
  }
}

/// The queries and changes of the benchmark. They are derived from numbers, so that every run is
/// the same.
private struct World {
  static let pointQueries = 400

  let store: TripleStore
  private let users: [EntityID]
  private let posts: [EntityID]
  private let name: AttributeID
  private let age: AttributeID
  private let likes: AttributeID

  init(_ store: TripleStore) {
    self.store = store
    users = store.rows(of: "users").handles.map { store.id(of: $0) }
    posts = store.rows(of: "posts").handles.map { store.id(of: $0) }
    func id(_ namespace: String, _ label: String) -> AttributeID {
      store.schema.attribute(namespace, label)?.id ?? AttributeID(label)
    }
    name = id("users", "fullName")
    age = id("users", "age")
    likes = id("posts", "likes")
  }

  /// Returns a query of one of four kinds: by id with a relation, by path, by value with order and
  /// limit, or by range.
  func query(_ number: Int) -> String {
    switch number {
    case ..<Self.pointQueries:
      let user = users[number * 7919 % users.count].text
      return #"{"users":{"$":{"where":{"id":"\#(user)"}},"posts":{}}}"#
    case ..<700:
      return #"""
        {"posts":{"$":{"where":{"author.handle":"user\#(number)"},"order":{"likes":"desc"},"limit":20}}}
        """#
    case ..<900:
      let city = number / 4 % 50
      return #"""
        {"users":{"$":{"where":{"city":"city-\#(city / 10)\#(city % 10)","age":{"$gte":\#(number % 4 * 10 + 20)}},"order":{"age":"desc"},"limit":50,"fields":["handle","age"]}}}
        """#
    default:
      return #"""
        {"posts":{"$":{"where":{"likes":{"$gte":\#(number)}},"order":{"likes":"desc"},"limit":50,"fields":["title","likes"]}}}
        """#
    }
  }

  func rename(_ number: Int, to text: String) -> Transaction {
    let user = EntityReference.id(users[number * 7919 % users.count])
    return Transaction([.addTriple(user, name, .text(text))])
  }

  /// Returns a change of a user's age for an even number, and of a post's likes for an odd one.
  func change(_ number: Int) -> Transaction {
    if number % 2 == 0 {
      let user = EntityReference.id(users[number * 104_729 % users.count])
      return Transaction([.addTriple(user, age, .integer(Int64(18 + number % 60)))])
    }
    let post = EntityReference.id(posts[number * 104_729 % posts.count])
    return Transaction([.addTriple(post, likes, .integer(Int64(number * 31 % 1_000)))])
  }
}

extension LiveResults.Iterator {
  /// Waits for the next answer.
  fileprivate mutating func nextAnswer() async {
    while let result = await next() {
      if case .loaded = result { return }
    }
  }
}
