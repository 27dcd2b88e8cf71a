/// Allocates ncurses' color pairs: equal colors get equal numbers.
package struct ColorPairs {
  package struct Colors: Hashable {
    package let foreground: Int32
    package let background: Int32

    package init(foreground: Int32, background: Int32) {
      self.foreground = foreground
      self.background = background
    }

    static let standard = Colors(
      foreground: ColorMapping.standard, background: ColorMapping.standard)
  }

  package enum Answer: Equatable {
    case known(Int32)
    /// A new number. The caller must initialize its pair.
    case new(Int32)
    /// A new number after all numbers were in use. Earlier numbers are now invalid, so the screen
    /// must be repainted.
    case newAfterReset(Int32)
  }

  private let limit: Int32
  private var numbers: [Colors: Int32] = [:]

  /// Creates an allocator without pairs.
  ///
  /// - Parameter limit: The number of pairs, including the default pair 0.
  package init(limit: Int) { self.limit = Int32(clamping: max(2, limit)) }

  /// Returns the number of the pair for a foreground and a background color.
  package mutating func number(_ colors: Colors) -> Answer {
    if colors == .standard { return .known(0) }
    if let number = numbers[colors] { return .known(number) }
    let isFull = numbers.count + 1 >= limit
    if isFull { numbers.removeAll(keepingCapacity: true) }
    let number = Int32(numbers.count + 1)
    numbers[colors] = number
    return isFull ? .newAfterReset(number) : .new(number)
  }
}
