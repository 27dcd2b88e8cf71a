/// Selects the first `capacity` elements in the order `isBefore`, in one pass. The root of the heap
/// is the last of the selected elements.
struct BoundedHeap<Element> {
  private let capacity: Int
  private let isBefore: (Element, Element) -> Bool
  private var elements: [Element] = []

  init(capacity: Int, isBefore: @escaping (Element, Element) -> Bool) {
    self.capacity = capacity
    self.isBefore = isBefore
    elements.reserveCapacity(capacity)
  }

  var isFull: Bool { elements.count == capacity }

  /// The last of the selected elements; nil until `capacity` elements were offered.
  var limit: Element? { isFull ? elements.first : nil }

  mutating func offer(_ element: Element) {
    if elements.count < capacity {
      elements.append(element)
      if elements.count == capacity {
        for place in stride(from: capacity / 2 - 1, through: 0, by: -1) { sink(place) }
      }
    } else if isBefore(element, elements[0]) {
      elements[0] = element
      sink(0)
    }
  }

  func sorted() -> [Element] { elements.sorted(by: isBefore) }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var last = place
      for child in [2 * place + 1, 2 * place + 2] where child < elements.count {
        if isBefore(elements[last], elements[child]) { last = child }
      }
      if last == place { return }
      elements.swapAt(place, last)
      place = last
    }
  }
}
