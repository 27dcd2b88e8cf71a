package import LiveQueries

/// What writes files for the screen: the plug that the program fits.
package protocol Exporter: Sendable {
  /// Writes what was ordered; a task that is cancelled leaves nothing behind.
  ///
  /// - Parameter progress: Told how far it has come, any number of times.
  func write(_ order: ExportOrder, progress: ProgressReport) async -> ExportOutcome
}
