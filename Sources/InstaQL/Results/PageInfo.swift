/// The boundaries of a page, and whether other entities precede or follow it.
public struct PageInfo: Hashable, Sendable {
  /// The cursor of the first entity; nil when the page is empty.
  public var start: Cursor?
  /// The cursor of the last entity; nil when the page is empty.
  public var end: Cursor?
  /// Whether entities follow the page.
  public var hasNext: Bool
  /// Whether entities precede the page.
  public var hasPrevious: Bool

  /// Creates the boundaries of a page; see the properties.
  public init(start: Cursor?, end: Cursor?, hasNext: Bool, hasPrevious: Bool) {
    self.start = start
    self.end = end
    self.hasNext = hasNext
    self.hasPrevious = hasPrevious
  }
}
