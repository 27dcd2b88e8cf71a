internal import TerminalUI

/// An answer of the terminal to a query.
enum TerminalAnswer: Equatable {
  /// The terminal's background, given as the appearance of themes that fit it.
  case background(Theme.Appearance)
  /// The primary device attributes (DA1), which are queried last.
  case deviceAttributes

  /// The queries for the background color and for the device attributes.
  static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

  /// Parses `11;rgb:rrrr/gggg/bbbb`, in which each color has one to four digits.
  init?(command: ArraySlice<UInt8>) {
    let text = String(decoding: command, as: UTF8.self)
    guard text.hasPrefix("11;rgb") else { return nil }
    let channels = text.drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3)
    let levels = channels.compactMap { channel -> Double? in
      guard let value = UInt32(channel, radix: 16), channel.count <= 4 else { return nil }
      return Double(value) / Double((1 << (4 * channel.count)) - 1)
    }
    guard levels.count == 3 else { return nil }
    let brightness = 0.299 * levels[0] + 0.587 * levels[1] + 0.114 * levels[2]
    self = .background(brightness > 0.5 ? .light : .dark)
  }
}
