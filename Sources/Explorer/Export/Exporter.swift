package import LiveQueries

/// Writes files for the screen. The program provides the implementation.
package protocol Exporter: Sendable {
  /// Writes a file and returns the outcome. A canceled task leaves no file behind.
  ///
  /// - Parameter progress: Called with the progress, any number of times.
  func write(_ order: ExportOrder, progress: ProgressReport) async -> ExportOutcome
}
