internal import TerminalUI

/// The escape sequence that copies text to the terminal's clipboard (OSC 52).
package enum Clipboard {
  /// Returns the sequences for `text`; nil if the text is too long for terminals.
  ///
  /// Inside tmux, the sequence is sent twice: to tmux itself, which accepts it with
  /// `set-clipboard on`, and wrapped for the outer terminal, which receives it with
  /// `allow-passthrough on`.
  package static func sequences(for text: String, profile: TerminalProfile) -> String? {
    guard text.utf8.count <= TerminalLimits.clipboardBytes else { return nil }
    let plain = "\u{1B}]52;c;" + base64(text.utf8) + "\u{7}"
    if profile.isInsideTmux {
      return plain + "\u{1B}Ptmux;\u{1B}" + plain + "\u{1B}\\"
    }
    return profile.isInsideScreen ? "\u{1B}P" + plain + "\u{1B}\\" : plain
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes as padded Base64.
  /// - Source: RFC 4648 §4.
  static func base64(_ bytes: some Collection<UInt8>) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        out.append(
          index <= group.count ? digits[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
