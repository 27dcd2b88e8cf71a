extension [String] {
  /// Returns the first message with the number of the others; nil if there are no messages.
  ///
  /// - Parameter place: Where all messages are listed, such as `'sonde doctor' lists them`.
  func summary(_ place: String) -> String? {
    first.map { $0 + (count == 1 ? "" : " (\(count - 1) more; \(place))") }
  }
}
