import FoundationEssentials
import GRDB
import LiveQueries

/// Says bytes in base64 to other programs, as many as memory is for.
final class BytesSpelling {
  /// In bytes, of one reading.
  private var left = 512 << 20
  /// The maximum size of a text.
  private static let mostAtOnce = 64 << 20

  /// Nil where bytes are only counted.
  init?(_ bytes: AnswerView.Bytes) {
    switch bytes {
    case .counted: return nil
    case .spelled: break
    }
  }

  /// The bytes of a statement's column; nil where they are too many.
  func text(_ statement: Statement, _ column: Int32) -> String? {
    let count = statement.byteCount(column)
    guard count <= min(left, Self.mostAtOnce) else { return nil }
    left -= count
    return Data(statement.bytes(column)).base64EncodedString()
  }
}
