/// The release of the program.
enum Release {
  /// The version: of a package the number alone, and of any other build with `-dev` at its end.
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
