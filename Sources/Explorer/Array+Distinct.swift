// Arrays that are used like sets, because the order of their elements matters.

extension Array where Element: Hashable {
  /// The distinct elements, in the order of first occurrence.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Array where Element: Equatable {
  /// Removes an element, or appends it if the array does not contain it.
  mutating func toggle(_ element: Element) {
    if let place = firstIndex(of: element) {
      remove(at: place)
    } else {
      append(element)
    }
  }
}
