import Foundation
import TestSupport
import Testing

/// The program `data-sources-helper`, which uses the same data as a test.
final class ChildProgram {
  private let process = Process()
  private let output = Pipe()
  private var said: [UInt8] = []

  /// Starts the child process with these arguments, which are described there.
  private init(_ words: [String], at path: URL = path) throws {
    process.executableURL = path
    process.arguments = words
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// The executable next to the test bundle.
  private static let path: URL = {
    let built = Bundle.main.bundleURL
    let name = "data-sources-helper"
    return [built, built.deletingLastPathComponent()].map { $0.appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? built.appending(path: name)
  }()

  /// The complete output of the child process.
  static func lines(_ words: String...) async throws -> [String] {
    try await onOwnThread { try ChildProgram(words).lines(upTo: .max) }
  }

  /// The complete output of another run.
  static func lines(of path: String, _ words: String...) async throws -> [String] {
    try await onOwnThread {
      try ChildProgram(words, at: URL(filePath: path)).lines(upTo: .max)
    }
  }

  /// A child process that keeps running.
  struct Living: Sendable {
    /// The first line of its output.
    let line: String
    fileprivate let process: Int32

    /// Kills it with SIGKILL and waits for its end.
    func kill() async {
      Foundation.kill(process, SIGKILL)
      _ = try? await onOwnThread {
        var status: Int32 = 0
        return waitpid(process, &status, 0)
      }
    }
  }

  /// Starts it and waits for its first line.
  static func living(_ words: String...) async throws -> Living {
    try await onOwnThread {
      let program = try ChildProgram(words)
      var said: [UInt8] = []
      while !said.contains(0x0A) {
        let part = program.part()
        if part.isEmpty { break }
        said += part
      }
      let line = said.split(separator: 0x0A).first.map { String(decoding: $0, as: UTF8.self) }
      return Living(line: line ?? "", process: program.process.processIdentifier)
    }
  }

  /// Its output up to `count` lines, and any further lines before it was killed.
  static func linesUntilKilled(after count: Int, _ words: String...) async throws -> [String] {
    try await onOwnThread { try ChildProgram(words).lines(upTo: count) }
  }

  /// The next part of its output; empty at the end. It is killed if it prints nothing for too long.
  private func part() -> Data {
    var waiting = pollfd(
      fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, Int32(waitTimeout.components.seconds) * 1_000) == 0 {
      Issue.record("The child process printed nothing for \(waitTimeout).")
      kill(process.processIdentifier, SIGKILL)
    }
    return output.fileHandleForReading.availableData
  }

  private func lines(upTo count: Int) -> [String] {
    while said.count(where: { $0 == 0x0A }) < count {
      let part = self.part()
      if part.isEmpty { break }
      said += part
    }
    if process.isRunning, count < .max { kill(process.processIdentifier, SIGKILL) }
    said += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
