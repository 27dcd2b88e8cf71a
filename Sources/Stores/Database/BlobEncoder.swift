import FoundationEssentials
import GRDB
import LiveQueries

/// Encodes BLOBs of one result in base64, up to a total size.
final class BlobEncoder {
  /// The number of bytes that may still be encoded.
  private var left = 512 << 20
  /// The maximum size of one BLOB in bytes.
  private static let maxBlobBytes = 64 << 20

  /// Creates an encoder; nil if the caller reads only the sizes of BLOBs.
  init?(_ bytes: AnswerView.Bytes) {
    switch bytes {
    case .counted: return nil
    case .spelled: break
    }
  }

  /// Returns the BLOB of a statement's column in base64; nil if it exceeds the budget.
  func text(_ statement: Statement, _ column: Int32) -> String? {
    let count = statement.byteCount(column)
    guard count <= min(left, Self.maxBlobBytes) else { return nil }
    left -= count
    return Data(statement.bytes(column)).base64EncodedString()
  }
}
