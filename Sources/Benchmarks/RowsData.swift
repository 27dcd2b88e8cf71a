#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store file with a million rows, which have seven attributes and a link. It has the same
/// content on every machine.
struct RowsData {
  let store: String
  /// A transaction that changes every user, for `sonde transact`.
  let changes: String

  private static let rows = 1_000_000
  private static let users = 5_000

  /// Creates the file with `sonde import`, unless it is cached. Nil when that fails.
  init?(cache: String, program: String) {
    let folder = "\(cache)/rows"
    store = "\(cache)/rows.sonde"
    changes = "\(cache)/rows-changes.json"
    if BenchData.exists(store), BenchData.exists(changes) { return }
    print("Making \(Self.rows) rows in \(store)")
    _ = BenchData.output(of: "mkdir -p '\(folder)'; rm -f '\(store)'*")
    guard Self.write(folder + "/schema.json", { $0(Self.schema) }),
      Self.write(folder + "/users.csv", Self.writeUsers),
      Self.write(folder + "/rows.csv", Self.writeRows),
      Self.write(changes, Self.writeChanges),
      BenchData.output(of: "'\(program)' import '\(folder)' --into '\(store)'") != nil
    else { return nil }
  }

  private static func write(_ path: String, _ body: ((String) -> Void) -> Void) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    body { fputs($0, file) }
    return fclose(file) == 0
  }

  private static let words = [
    "elm", "oak", "ash", "yew", "fir", "box", "bay", "fig", "rue", "hop", "ivy", "pea", "sloe",
    "pine", "larch", "birch", "cedar", "maple", "alder", "hazel", "holly", "rowan", "aspen",
  ]

  private static func writeRows(_ write: (String) -> Void) {
    write("id,title,score,price,status,done,created,author\n")
    // A linear congruential generator, so that the data is always the same.
    var state: UInt64 = 7
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for number in 0..<rows {
      let title = "\(words[below(23)]) \(words[below(23)]) \(words[below(23)]) \(number)"
      let status = ["open", "closed", "waiting", "new"][below(4)]
      let day = "20\(10 + below(15))-\(two(1 + below(12)))-\(two(1 + below(28)))"
      write(
        "\(id(number, 8)),\(title),\(below(rows)),\(Double(below(100_000)) / 100),\(status),"
          + "\(below(3) == 0),\(day)T\(two(below(24))):\(two(below(60))):00Z,user\(below(users))\n")
    }
  }

  private static func writeUsers(_ write: (String) -> Void) {
    write("id,name,weight\n")
    for number in 0..<users { write("\(id(number, 9)),user\(number),\(number % 100)\n") }
  }

  private static func writeChanges(_ write: (String) -> Void) {
    let steps = (0..<users).map { #"["update","users","\#(id($0, 9))",{"weight":\#($0 % 7)}]"# }
    write("[" + steps.joined(separator: ",\n") + "]\n")
  }

  private static func id(_ number: Int, _ kind: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-00\(kind)" + String(repeating: "0", count: 9 - digits.count)
      + digits
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let schema = """
    {"entities": {
      "rows": {"label": "title", "attrs": {
        "title": {"valueType": "string"}, "score": {"valueType": "number"},
        "price": {"valueType": "number"}, "status": {"valueType": "string"},
        "done": {"valueType": "boolean"}, "created": {"valueType": "date"}}},
      "users": {"key": "name", "label": "name", "attrs": {
        "name": {"valueType": "string", "config": {"unique": true, "indexed": true}},
        "weight": {"valueType": "number"}}}},
     "links": {"rowsAuthor": {
       "forward": {"on": "rows", "label": "author", "has": "one"},
       "reverse": {"on": "users", "label": "rows", "has": "many"}}}}
    """
}
