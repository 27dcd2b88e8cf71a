import DataSources
import LiveQueries
import Stores
import Synchronization
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Checks a store, libraries and tmux, and gives advice.
extension Doctor {
  /// Opens a store read-only and returns facts about it.
  ///
  /// - Parameter advice: The list to which advice is added if the store cannot be opened.
  /// - Returns: The facts, and the failure to open the store; nil if it opens.
  static func facts(
    ofStore address: String, advice: inout [String]
  ) -> (facts: JSONObject, failure: Failure?) {
    var facts: JSONObject = ["address": .text(StoreLocation.withoutSecrets(address))]
    do throws(Failure) {
      let location = try StoreLocation(address)
      facts["kind"] = .text(location.kind)
      facts["changes"] = .text(location.readOnlyReason(nil) ?? "allowed")
      var remarks: [String] = []
      let start = ContinuousClock.now
      let snapshot = try open(location, &remarks)
      facts["opens in"] = .text(Self.milliseconds(ContinuousClock.now - start))
      let schema = snapshot.store.schema
      facts["namespaces"] = .integer(Int64(schema.namespaces.count))
      facts["status"] = .text(remarks.first ?? snapshot.freshness.remark ?? "fine")
      if location.hasCheck { facts["damage"] = .text("not checked; run: sonde check \(address)") }
      if !remarks.isEmpty, location.mayBeDamaged {
        advice.append("List the damage: sonde check \(address)")
      }
    } catch {
      facts["status"] = .text(error.message)
      advice.append(error.sentences)
      return (facts, error)
    }
    return (facts, nil)
  }

  private static func milliseconds(_ time: Duration) -> String {
    "\(Int((time / .milliseconds(1)).rounded())) ms"
  }

  private static func open(
    _ location: StoreLocation, _ remarks: inout [String]
  ) throws(Failure) -> StoreSnapshot {
    let said = ResultBox<[String]>()
    let snapshot = try waiting { () async throws(Failure) in
      var lines: [String] = []
      let store = try await location.open(access: .readOnly, warn: { lines.append($0) })
      if let remark = await store.textOrderRemark(for: nil) { lines.append(remark) }
      let snapshot = try await store.snapshotOrFail()
      await store.disconnect()
      said.value.withLock { [lines] in $0 = .success(lines) }
      return snapshot
    }
    remarks = (try? said.value.withLock { $0 }?.get()) ?? []
    return snapshot
  }

  /// Whether libpq, PostgreSQL's client library, is installed: the text `found` or `not found`.
  static var libpq: String {
    #if canImport(Darwin)
      let names = ["libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"]
    #else
      let names = ["libpq.so.5"]
    #endif
    for name in names {
      guard let library = dlopen(name, RTLD_LAZY) else { continue }
      dlclose(library)
      return "found"
    }
    return "not found"
  }

  /// Returns the relevant settings of tmux, and adds advice on those that should be changed.
  static func tmux(advice: inout [String]) -> JSONObject {
    let wanted: [(option: String, isGood: (String) -> Bool, line: String)] = [
      ("set-clipboard", { $0 != "off" }, "set -s set-clipboard on"),
      ("escape-time", { Int($0).map { $0 <= 50 } ?? true }, "set -s escape-time 10"),
      ("focus-events", { $0 != "off" }, "set -g focus-events on"),
      (
        "default-terminal", { $0.contains("256") || $0.contains("direct") },
        "set -g default-terminal tmux-256color"
      ),
    ]
    var facts = JSONObject()
    var lines: [String] = []
    for (option, isGood, line) in wanted {
      guard let value = output(of: "tmux show-options -gsv \(option) 2>/dev/null") else { continue }
      facts[option] = .text(value)
      if !isGood(value) { lines.append(line) }
    }
    if !lines.isEmpty {
      advice.append("Add to ~/.tmux.conf: " + lines.joined(separator: "; "))
    }
    return facts
  }

  /// Returns the first line that a shell command prints; nil if it prints nothing.
  private static func output(of command: String) -> String? {
    guard let stream = popen(command, "r") else { return nil }
    defer { pclose(stream) }
    var bytes = [CChar](repeating: 0, count: 256)
    guard fgets(&bytes, Int32(bytes.count), stream) != nil else { return nil }
    let text = bytes.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:))
    let line = String(decoding: text, as: UTF8.self)
    return line.isEmpty ? nil : line
  }
}

extension StoreLocation {
  /// Whether warnings on opening the store can report damage, so that `sonde check` is worth
  /// advising.
  ///
  /// For example, the warnings about a database only name the tables and views that are skipped.
  fileprivate var mayBeDamaged: Bool {
    if case .storeFile = self { return true }
    return false
  }

  /// Whether `sonde check` finds damage that opening the store does not.
  fileprivate var hasCheck: Bool {
    switch self {
    case .storeFile, .database: true
    case .demo, .folder, .tripleDump, .standardInput, .backup, .postgres, .server, .unsupported:
      false
    }
  }

  fileprivate var kind: String {
    switch self {
    case .demo: "demo"
    case .folder(let path): Files.kind(of: path) == .folder ? "folder of files" : "file of rows"
    case .storeFile: "store file"
    case .tripleDump: "triple dump"
    case .standardInput: "standard input"
    case .backup: "backup"
    case .database: "SQLite database"
    case .server: "server"
    default: "database"
    }
  }
}
