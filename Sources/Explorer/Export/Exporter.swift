package import LiveQueries

/// Writes files for the screen; the program provides it.
package protocol Exporter: Sendable {
  /// Writes a file and returns the outcome. A canceled task leaves nothing behind.
  ///
  /// - Parameter progress: Receives the progress, any number of times.
  func write(_ order: ExportOrder, progress: ProgressReport) async -> ExportOutcome
}
