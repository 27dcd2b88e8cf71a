/// The release of the program.
enum Release {
  static let version = "0.1.0"
  /// The release date of this version; before the release, the date when work on it began.
  static let date = "2026-11-23"
}
