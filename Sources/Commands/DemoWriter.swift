import Triples

/// Simulates plausible changes to a bundled demo. Goals get done, populations grow, salaries
/// change.
///
/// Every second change is in the namespace that is shown first. Now and then an entity is created
/// or deleted. The same seed makes the same changes to the same data.
struct DemoWriter {
  private var random: SeededNumbers
  /// The number of changes so far.
  private var turn = 0
  /// The entities created by this writer. The writer deletes the oldest ones when there are too
  /// many.
  private var made: [EntityID] = []

  init(seed: UInt64) {
    random = SeededNumbers(seed: seed)
  }

  private static let maxCreated = 12

  /// Returns the next change; nil if the store is not a demo.
  mutating func next(in store: TripleStore) -> Transaction? {
    let names = Set(store.schema.namespaces)
    let isOfFirst = turn.isMultiple(of: 2)
    turn += 1
    let operations: [InstaMLOperation]?
    if names.contains("todos") {
      operations = isOfFirst ? goal(in: store) : todo(in: store)
    } else if names.contains("cities") {
      operations = isOfFirst ? counted(in: store) : city(in: store)
    } else if names.contains("employees") {
      operations =
        isOfFirst
        ? grown("departments", "budget", perMille: 15, in: store) : employee(in: store)
    } else {
      operations = nil
    }
    // The changes fit the schemas of the demos. In another store, changes that do not fit are
    // skipped.
    return operations.flatMap { try? TransactionBuilder($0).transaction(in: store) }
  }

  // MARK: Goals

  /// Returns a change that completes, pauses or resumes a goal.
  private mutating func goal(in store: TripleStore) -> [InstaMLOperation]? {
    guard let goal = any(of: "goals", in: store) else { return nil }
    let isActive = value(goal, "goals", "status", in: store) == .text("active")
    let status = isActive ? (random.below(3) == 0 ? "paused" : "done") : "active"
    return update("goals", goal, ["status": .text(status)], in: store)
  }

  private mutating func todo(in store: TripleStore) -> [InstaMLOperation]? {
    switch random.below(10) {
    case 0: return gone(from: "todos") ?? newTodo(in: store)
    case 1, 2: return newTodo(in: store)
    case 3: return set("todos", ["priority": .integer(Int64(1 + random.below(3)))], in: store)
    default:
      guard let todo = any(of: "todos", in: store) else { return nil }
      let isDone = value(todo, "todos", "done", in: store) == true
      let now = Instant.nowInMilliseconds
      return update(
        "todos", todo, ["done": .bool(!isDone), "completedAt": isDone ? .null : .integer(now)],
        in: store)
    }
  }

  private mutating func newTodo(in store: TripleStore) -> [InstaMLOperation]? {
    let titles = [
      "Call the printer", "Book the train", "Water the tomatoes", "Sharpen the good knife",
      "Answer Tomás", "Walk before breakfast", "Sort the photographs", "Oil the gate",
    ]
    guard let goal = any(of: "goals", in: store) else { return nil }
    let id = fresh()
    var operations = [
      InstaMLOperation(
        .update, "todos", .id(id.text),
        [
          "key": .text("demo-" + id.text), "title": .text(titles[random.below(titles.count)]),
          "done": false, "priority": .integer(Int64(1 + random.below(3))),
          "estimate": .integer(Int64(5 * (1 + random.below(12)))),
          "createdAt": .integer(Instant.nowInMilliseconds),
        ])
    ]
    operations.append(
      InstaMLOperation(.link, "todos", .id(id.text), ["goal": .text(store.id(of: goal).text)]))
    return operations
  }

  // MARK: World

  /// Returns a change that increases the populations of a city, its country and its continent by
  /// the same number.
  private mutating func counted(in store: TripleStore) -> [InstaMLOperation]? {
    guard let city = any(of: "cities", in: store),
      let country = linked(city, "cities", "country", in: store),
      let continent = linked(country, "countries", "continent", in: store),
      let before = Self.number(value(city, "cities", "population", in: store))
    else { return nil }
    let difference = (before * Double(1 + random.below(30)) / 1_000).rounded() + 1
    let counted: [(EntityHandle, String)] = [
      (city, "cities"), (country, "countries"), (continent, "continents"),
    ]
    return counted.flatMap { entity, namespace in
      let number = Self.number(value(entity, namespace, "population", in: store)) ?? 0
      return update(
        namespace, entity, ["population": Self.value(number + difference)], in: store)
    }
  }

  private mutating func city(in store: TripleStore) -> [InstaMLOperation]? {
    switch random.below(12) {
    case 0: return gone(from: "cities") ?? newCity(in: store)
    case 1: return newCity(in: store)
    case 2:
      return grown("countries", "population", perMille: 2, in: store)
    default: return grown("cities", "population", perMille: 30, in: store)
    }
  }

  private mutating func newCity(in store: TripleStore) -> [InstaMLOperation]? {
    let names = ["Newhaven-on-Sea", "Port Amber", "Willowmere", "Altstetten", "Vila Clara"]
    guard let country = any(of: "countries", in: store) else { return nil }
    let id = fresh()
    return [
      InstaMLOperation(
        .update, "cities", .id(id.text),
        [
          "key": .text("demo-" + id.text), "name": .text(names[random.below(names.count)]),
          "population": .integer(Int64(15_000 + random.below(9_000_000))),
          "latitude": .double(Double(random.below(120_000) - 60_000) / 1_000),
          "longitude": .double(Double(random.below(360_000) - 180_000) / 1_000),
          "timezone": "Etc/UTC",
        ]),
      InstaMLOperation(
        .link, "cities", .id(id.text), ["country": .text(store.id(of: country).text)]),
    ]
  }

  // MARK: Company

  private mutating func employee(in store: TripleStore) -> [InstaMLOperation]? {
    switch random.below(6) {
    case 0: return set("employees", ["active": .bool(random.below(4) > 0)], in: store)
    case 1:
      guard let project = any(of: "projects", in: store) else { return nil }
      let done = Self.number(value(project, "projects", "progress", in: store)) ?? 0
      // The attribute may contain a fraction or a percentage.
      let whole: Double = done > 1 ? 100 : 1
      let percent = (done / whole * 100).rounded() + Double(1 + random.below(5))
      let next = min(100, percent) / (100 / whole)
      return update("projects", project, ["progress": Self.value(next)], in: store)
    default: return grown("employees", "salary", perMille: 25, in: store)
    }
  }

  // MARK: Parts

  /// Returns a change that raises a number by a few thousandths or, rarely, lowers it.
  private mutating func grown(
    _ namespace: String, _ label: String, perMille: Int, in store: TripleStore
  ) -> [InstaMLOperation]? {
    guard let entity = any(of: namespace, in: store),
      let number = Self.number(value(entity, namespace, label, in: store))
    else { return nil }
    let step = Double(1 + random.below(perMille)) / 1_000 * (random.below(5) == 0 ? -1 : 1)
    let change = max(1, (abs(number) * abs(step)).rounded()) * (step < 0 ? -1 : 1)
    return update(namespace, entity, [label: Self.value(max(0, number + change))], in: store)
  }

  private mutating func set(
    _ namespace: String, _ values: JSONObject, in store: TripleStore
  ) -> [InstaMLOperation]? {
    any(of: namespace, in: store).flatMap { update(namespace, $0, values, in: store) }
  }

  private func update(
    _ namespace: String, _ entity: EntityHandle, _ values: JSONObject, in store: TripleStore
  ) -> [InstaMLOperation] {
    [InstaMLOperation(.update, namespace, .id(store.id(of: entity).text), .object(values))]
  }

  /// Returns the deletion of the oldest entity that this writer created; nil while it has created
  /// few.
  private mutating func gone(from namespace: String) -> [InstaMLOperation]? {
    guard made.count > Self.maxCreated / 4 else { return nil }
    return [InstaMLOperation(.delete, namespace, .id(made.removeFirst().text))]
  }

  private mutating func fresh() -> EntityID {
    let id = EntityID(high: random.next(), low: random.next())
    made.append(id)
    return id
  }

  /// Returns a random entity. One of the first 40 is chosen half of the time, so that visible rows
  /// change.
  private mutating func any(of namespace: String, in store: TripleStore) -> EntityHandle? {
    let all = store.rows(of: namespace).handles
    guard !all.isEmpty else { return nil }
    return all[random.below(2) == 0 ? random.below(min(40, all.count)) : random.below(all.count)]
  }

  /// Returns the target of an entity's to-one link; nil if it has none.
  private func linked(
    _ entity: EntityHandle, _ namespace: String, _ label: String, in store: TripleStore
  ) -> EntityHandle? {
    value(entity, namespace, label, in: store)?.textValue.flatMap {
      store.handle(of: EntityID($0))
    }
  }

  private func value(
    _ entity: EntityHandle, _ namespace: String, _ label: String, in store: TripleStore
  ) -> Value? {
    store.schema.attribute(namespace, label).flatMap { store.value(entity, $0.id) }
  }

  private static func number(_ value: Value?) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .double(let number): number
    case .null, .bool, .text, .array, .object, nil: nil
    }
  }

  private static func value(_ number: Double) -> Value {
    Int64(exactly: number).map(Value.integer) ?? .double(number)
  }
}

/// A deterministic random number generator.
///
/// - Source: SplitMix64, by Sebastiano Vigna, in the public domain.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }

  /// Returns a random number from 0 to `bound` - 1. `bound` must be positive.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
