import DataSources
import SQLDataSources

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A second process on the same data: `data-sources-helper KIND FOLDER ACTION…`.
///
///     put PREFIX COUNT      puts PREFIX0, PREFIX1 … and prints each key after it was put
///     limited BYTES COUNT   the same, with a limit on the file size
///     get-uuid UUID         prints the number under the id
///     place                 takes its own place in the folder, prints its path, and keeps running
///     containers NAME       reads through sources taken from such a container
///     read-only             puts a, makes the folder and its files read-only, reopens the source,
///                           tries to put b and to delete a, and reads a
///
/// It prints the first error as `! ` and its code, and exits.
@main
struct DataSourcesHelper {
  let kind: String
  let folder: String
  let deed: String
  let rest: [String]

  static func main() async {
    let words = CommandLine.arguments
    guard words.count >= 4 else { return say("! KIND FOLDER DEED") }
    let child = DataSourcesHelper(
      kind: words[1], folder: words[2], deed: words[3], rest: Array(words.dropFirst(4)))
    do throws(DataSourceError) {
      try await child.run()
    } catch {
      say("! \(error.code)")
    }
  }

  private func run() async throws(DataSourceError) {
    let count = rest.last.flatMap { Int($0) } ?? 0
    switch deed {
    case "put": try await put(count, rest[0])
    case "limited":
      var limit = rlimit(rlim_cur: rlim_t(rest[0]) ?? 0, rlim_max: rlim_t(rest[0]) ?? 0)
      // A write beyond the limit must fail, not end the process.
      signal(SIGXFSZ, SIG_IGN)
      guard setrlimit(Self.fileSize, &limit) == 0 else { return Self.say("! setrlimit") }
      try await put(count, "k")
    case "get-uuid":
      guard let id = UUID(uuidString: rest[0]) else { return Self.say("! no UUID") }
      Self.say("\(try await source().get(id: id).value)")
    case "place":
      var places = ProcessPlaces(in: folder, named: "place")
      Self.say(try places.claimOwn().path)
      while true { sleep(60) }
    case "containers":
      do {
        Self.say("\(try await Containers.all[rest[0]]?() ?? [])")
      } catch {
        throw DataSourceError(wrapping: error, "")
      }
    case "read-only": try await readOnly()
    default: Self.say("! \(deed)?")
    }
  }

  private func put(_ count: Int, _ prefix: String) async throws(DataSourceError) {
    let source = try await source()
    for value in 0..<count {
      let key = prefix + "\(value)"
      try await source.put(Number(id: key, value: value), id: key)
      Self.say(key)
    }
  }

  private func readOnly() async throws(DataSourceError) {
    // The superuser can write anywhere; this case does not apply to it.
    if geteuid() == 0, setuid(65_534) != 0 { return Self.say("! setuid") }
    mkdir(folder, 0o700)
    try await source().put(Number(id: "a", value: 1), id: "a")
    setModes(file: 0o400, folder: 0o500)
    defer { setModes(file: 0o600, folder: 0o700) }
    let source = try await source(mayWrite: false)
    await tell("put b") { () throws(DataSourceError) in
      try await source.put(Number(id: "b", value: 2), id: "b")
    }
    await tell("delete a") { () throws(DataSourceError) in try await source.delete(id: "a") }
    Self.say("a = \(try await source.get(id: "a").value)")
    Self.say("\(try await source.getAll(AllObjectsQuery()).count) in all")
  }

  private func tell<Answer>(
    _ deed: String, _ body: () async throws(DataSourceError) -> Answer
  ) async {
    do throws(DataSourceError) {
      _ = try await body()
      Self.say(deed)
    } catch {
      Self.say("\(deed)! \(error.code)")
    }
  }

  private func setModes(file: mode_t, folder mode: mode_t) {
    for name in (try? FileSystem().names(in: folder)) ?? [] where !name.hasSuffix(".lock") {
      chmod(folder + "/" + name, file)
    }
    chmod(folder, mode)
  }

  private func source(
    mayWrite: Bool = true
  ) async throws(DataSourceError) -> any LiveDataSource<Number> {
    // A killed process loses nothing that the kernel has; only a power failure would.
    let disk = FileSystem(isDurable: false)
    switch kind {
    case "device":
      return DeviceStorageDataSource<Number>(
        StateFile(path: folder + "/state", privacy: .relaxed, disk: disk))
    case "files":
      return FileSystemStorageDataSource(folder: folder, disk: disk).mappedAsJSON(Number.self)
    case "secrets":
      return SecretDataSource<Number>(
        FileSecretStore(
          file: StateFile(path: folder + "/secrets", privacy: .strict, disk: disk)))
    case "sql":
      mkdir(folder, 0o700)
      guard mayWrite else {
        return SQLDataSource<Number>(try await SQLDatabase.open(path: folder + "/db"))
      }
      return SQLDataSource<Number>(
        try await SQLDatabase.open(path: folder + "/db", prepare: Number.makeTable))
    default: throw .illegalArgument("No source \(kind).")
    }
  }

  #if canImport(Glibc)
    private static let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    private static let fileSize = RLIMIT_FSIZE
  #endif

  /// Prints and flushes a line, since the process may be killed before the next.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}
