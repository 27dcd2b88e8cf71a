/// Parses the fields of CSV columns that `schema.json` declares as JSON.
///
/// A value is valid until the next value is parsed.
final class JSONCell {
  private var parser = JSONParser(UnsafeBufferPointer(start: nil, count: 0))
  private let source = TextScratch()
  private let text = TextScratch()
  /// Whether the last parsed field was valid JSON.
  private(set) var isSound = true

  /// Parses a field as JSON. If it is not JSON, returns its text.
  func scalar(_ bytes: UnsafeBufferPointer<UInt8>) -> DatasetScalar {
    let copy = source.hold { $0.append(contentsOf: bytes) }
    parser = JSONParser(
      copy, options: JSONOptions(largeIntegers: .doubles, hugeNumbers: .null))
    do throws(JSONError) { try parser.parseDocument() } catch {
      isSound = false
      return .text(copy)
    }
    isSound = true
    return JSONRows.scalar(of: parser.root, text)
  }
}
