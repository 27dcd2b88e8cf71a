internal import TerminalUI

/// What a terminal answers when it is asked.
enum TerminalAnswer: Equatable {
  /// The colour behind the text, as what kind of theme it wants.
  case background(Theme.Appearance)
  /// What it can do (DA1); the last answer when it is asked for last.
  case deviceAttributes

  /// Asks for both.
  static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

  /// Reads `11;rgb:rrrr/gggg/bbbb`, with one to four digits for each.
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
