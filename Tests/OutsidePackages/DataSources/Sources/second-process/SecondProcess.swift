import DataSources
import Foundation

/// A second process on the data of a test: `second-process KIND FOLDER ACTION WORD…`.
///
///     uuid UUID        prints the number stored under the id
///     put PREFIX       puts 1 under PREFIX1, 2 under PREFIX2 …, and prints each number after it was put
///     put PREFIX COUNT ends after as many numbers
///     locked           prints the code of the error of a delete in a folder that is read-only
@main struct SecondProcess {
  static func main() async throws {
    let words = CommandLine.arguments
    let (kind, folder) = (words[1], words[2])
    switch words[3] {
    case "uuid":
      let id = UUID(uuidString: words[4]) ?? UUID()
      say(try await source(kind, folder).get(id: id))
    case "put":
      let source = source(kind, folder)
      for number in 1...(words.count > 5 ? Int(words[5]) ?? 0 : 1_000_000) {
        try await source.put(number, id: words[4] + "\(number)")
        say(number)
      }
    case "locked": try await deleteInReadOnlyFolder(kind, folder)
    default: say("?")
    }
  }

  private static func source(_ kind: String, _ folder: String) -> any DataSource<Int> {
    switch kind {
    case "files": FileSystemStorageDataSource(folder: folder).mappedAsJSON(Int.self)
    case "secrets": SecretDataSource<Int>(FileSecretStore(path: folder + "/state"))
    default: DeviceStorageDataSource<Int>(StateFile(path: folder + "/state"))
    }
  }

  private static func deleteInReadOnlyFolder(_ kind: String, _ folder: String) async throws {
    // The superuser may write anywhere.
    if geteuid() == 0 { setuid(65_534) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let source = source(kind, folder)
    try await source.put(1, id: "k")
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    do {
      try await source.delete(id: "k")
      say("deleted")
    } catch let error as DataSourceError {
      if case .system = error.code { say("system") } else { say(error.code) }
    }
    say(try await source.get(id: "k"))
  }

  /// Prints a line at once, since the process may be killed.
  private static func say(_ word: some Any) {
    FileHandle.standardOutput.write(Data("\(word)\n".utf8))
  }
}
