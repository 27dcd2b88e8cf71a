import ArgumentParser
import DataSources
import Explorer
import LiveQueries
import Stores
import Triples

/// `sonde demo`: opens a bundled demo with simulated live changes.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Explore a demo that changes while you watch.",
    discussion: """
      Goals get done, populations grow, salaries change, and now and then an entity is created or deleted. All \
      changes happen in memory and are lost on exit.
      """)

  @Argument(
    help: "goals, world or company.", completion: .list(StoreLocation.demoNames))
  var name: String = "goals"

  @Argument(help: "The initial query; several words are joined with spaces.")
  var query: [String] = []

  @Option(help: "Changes per second, from 0.1 to 1000.")
  var rate = 1.0

  @Option(help: "Seed for the random changes; the same seed makes the same changes.")
  var seed: UInt64 = 1

  @Flag(
    help: "Print the transactions as JSON steps, one per line, instead of opening the explorer.")
  var print = false

  @Option(help: "Stop after this many changes (with --print).")
  var count: Int?

  @OptionGroup var screen: ScreenOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (0.1...1_000).contains(rate) else {
      throw ValidationError("The rate must be from 0.1 to 1000 changes a second, not \(rate).")
    }
  }

  func run() throws {
    guard let folder = StoreLocation.demoFolder(name) else {
      throw Failure.unknownDemo(name, known: StoreLocation.demoNames)
    }
    let content: TripleStore
    do throws(StoreError) {
      content = try FolderStore.load(folder: folder)
    } catch {
      throw Failure(error)
    }
    if print { return try printChanges(of: content) }
    let store = MemoryStore(content)
    let writing = Task { [seed, pause] in await Self.write(to: store, seed: seed, every: pause) }
    defer { writing.cancel() }
    let listing = StoreListing(address: name, place: "demo " + name, name: name + " demo")
    var explored = ExploredStore(listing, store)
    explored.writing = StoreLocation.demo(name: name, folder: folder).writing
    try ExplorerSession(
      query: query.joined(separator: " "), options: screen.choices, color: common.color,
      settings: SettingsFile()
    ).run(
      [explored],
      opening: { listing throws(Failure) in try ExploredStore.opening(listing, access: nil) })
  }

  private var pause: Duration { .milliseconds(Int64(1_000 / rate)) }

  private static func write(to store: MemoryStore, seed: UInt64, every pause: Duration) async {
    var writer = DemoWriter(seed: seed)
    // Canceling the task makes the sleep throw, which ends the loop.
    while (try? await TimerClock().sleep(for: pause)) != nil {
      guard let change = writer.next(in: await store.snapshot().store) else { continue }
      // A change that does not fit the data is skipped.
      _ = try? await store.put(nil, in: TransactionQuery(change))
    }
  }

  private func printChanges(of content: TripleStore) throws(Failure) {
    var store = content
    var writer = DemoWriter(seed: seed)
    var left = count ?? .max
    while left > 0 {
      guard let change = writer.next(in: store), (try? store.transact(change)) != nil else {
        continue
      }
      left -= 1
      guard try Output.show(JSONWriter.bytes(change.json) + [UInt8(ascii: "\n")]) else { return }
    }
  }
}
