/// A measurement, which is one line of the table.
enum Work: String, CaseIterable {
  case load = "load the dump"
  case point = "point by id"
  case pointText = "  from JSON text"
  case unique = "equality, unique text"
  case uniqueText = "  from JSON text "
  case equality = "equality, 2 % of users"
  case range = "range, 10 % of posts"
  case orderNumber = "order by number desc, 50"
  case orderDefault = "default order, 50"
  case orderText = "order by text, 50"
  case like = "like %war%, 50"
  case path = "path author.handle"
  case pathText = "  from JSON text  "
  case nested100 = "nested, 100 users"
  case nested1000 = "nested, 1000 users"
  case update = "one update"
  case live = "one update, top 50 again"
  case memory = "memory, bytes a triple"

  /// How the line of this measurement begins in the output of other implementations.
  var peerPrefix: String? {
    switch self {
    case .point: "point by id"
    case .unique: "eq handle"
    case .equality: "eq city"
    case .range: "range likes>=900"
    case .orderNumber: "order likes desc limit 50"
    case .orderDefault: "default order limit 50"
    case .orderText: "order handle"
    case .like: "like title %war% limit 50"
    case .path: "path"
    case .nested100: "nested 100 "
    case .nested1000: "nested 1000"
    case .update: "1 update"
    case .live: "live"
    case .load, .memory, .pointText, .uniqueText, .pathText: nil
    }
  }

  /// The limit that the measured value must not exceed; nil if there is no limit.
  var goal: Goal? {
    switch self {
    case .load: .perMillionEntities(8000)
    case .point, .unique, .path: .milliseconds(0.010)
    case .pointText, .uniqueText, .pathText: .milliseconds(0.040)
    case .range, .orderNumber, .orderDefault, .orderText, .like: .timesFlat(3)
    case .nested100, .nested1000: .timesFlatAndSQLite(3, 1.0 / 6)
    case .update: .milliseconds(0.020)
    case .memory: .bytes(64)
    case .equality, .live: nil
    }
  }

  enum Goal {
    case milliseconds(Double)
    case timesFlat(Double)
    case timesFlatAndSQLite(Double, Double)
    /// A limit for a million entities. For fewer entities, it is proportionally lower.
    case perMillionEntities(Double)
    case bytes(Double)
  }
}
