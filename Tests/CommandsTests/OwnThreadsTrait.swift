import TestSupport
import Testing

/// For suites that start programs and wait for them: their tests keep no task of another from running.
struct OwnThreadsTrait: SuiteTrait, TestTrait, TestScoping {
  private static let threads = ThreadPerJobExecutor()

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

extension Trait where Self == OwnThreadsTrait {
  static var waitsForPrograms: Self { OwnThreadsTrait() }
}
