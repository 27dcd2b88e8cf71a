/// The release of the program.
enum Release {
  /// The version number, followed by `-dev` unless the program is built for a package.
  static let version: String = {
    #if SONDE_PACKAGE
      number
    #else
      number + "-dev"
    #endif
  }()
  private static let number = "0.1.0"
  /// The release date of this version; before the release, the date when work on it began.
  static let date = "2026-11-23"
}
