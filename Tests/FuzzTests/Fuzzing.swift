import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a check over mutated inputs of a corpus for a short time.
///
/// The inputs depend on the seed alone, not on the time: a run with the same seed gets the same inputs
/// in the same order, so it comes to a crash again. `SONDE_FUZZ_SEED` sets the seed,
/// `SONDE_FUZZ_SECONDS` the time of each fuzzer.
enum Fuzzing {
  static let seed = variable("SONDE_FUZZ_SEED").flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
  static let seconds = variable("SONDE_FUZZ_SECONDS").flatMap(Double.init) ?? 1

  /// - Parameters:
  ///   - name: A folder of `Corpus`.
  ///   - words: What is spliced into inputs.
  ///   - check: Is given an input; must return, whatever it is.
  static func run(
    _ name: String, words: [String] = [], _ check: ([UInt8]) async throws -> Void
  ) async throws {
    let corpus = try corpus(name)
    print("Fuzzing \(name) for \(seconds) s: SONDE_FUZZ_SEED=\(seed)")
    fflush(nil)
    for input in corpus { try await check(input) }
    var mutations = Mutations(of: corpus, words: words, seed: seed)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var count = 0
    while clock.now < end {
      let input = mutations.next()
      let start = clock.now
      do {
        try await check(input)
      } catch {
        Issue.record("\(error) at input \(count) of seed \(seed): \(shown(input))")
        return
      }
      let took = clock.now - start
      guard took < .seconds(30) else {
        Issue.record("took \(took) at input \(count) of seed \(seed): \(shown(input))")
        return
      }
      count += 1
    }
    print("Fuzzing \(name): \(count) inputs")
  }

  /// The sound inputs in a folder of `Corpus`.
  private static func corpus(_ name: String) throws -> [[UInt8]] {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(folder)/Corpus/\(name)"
    let stream = try #require(opendir(path), "there is no corpus \(path)")
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !file.hasPrefix(".") { names.append(file) }
    }
    return try names.sorted().map { try bytes(of: "\(path)/\($0)") }
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  private static func shown(_ input: [UInt8]) -> String {
    String(decoding: input.prefix(2_000), as: UTF8.self).debugDescription
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
