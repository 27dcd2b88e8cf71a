/// A persistent two-level array: a change copies one branch and the list of branches, never all
/// elements.
///
///     branches  [ • • • ]
///                 │ └─ 64 elements
///                 └─── 64 elements
///
/// A branch that was never written is empty and reads as `blank`.
struct PersistentArray<Element: Sendable>: Sendable {
  static var width: Int { 64 }

  private(set) var branches: [[Element]]
  let blank: Element

  init(blank: Element) {
    branches = []
    self.blank = blank
  }

  /// The end of the last branch. No element from this position on was ever written.
  var end: Int { branches.count * Self.width }

  subscript(position: Int) -> Element {
    @inline(__always) get { with(position) { $0.pointee } }
    @inline(__always) _modify {
      let branch = position >> 6
      if branch >= branches.count || branches[branch].isEmpty { makeRoom(position) }
      yield &branches[branch][position & 63]
    }
  }

  /// Passes an element to `body` without copying it, which avoids reference counting.
  @inline(__always)
  func with<Result>(_ position: Int, _ body: (UnsafePointer<Element>) -> Result) -> Result {
    branches.withUnsafeBufferPointer { branches in
      let branch = position >> 6
      if branch < branches.count {
        let found: Result? = branches[branch].withUnsafeBufferPointer { elements in
          elements.isEmpty ? nil : body(elements.baseAddress! + (position & 63))
        }
        if let found { return found }
      }
      return withUnsafePointer(to: blank, body)
    }
  }

  /// Creates an array from its branches. A branch is full, or empty if it was never written.
  init(branches: [[Element]], blank: Element) {
    (self.branches, self.blank) = (branches, blank)
  }

  /// Returns whether a branch is shared with another array, because neither has changed it since
  /// the copy.
  func sharesBranch(_ branch: Int, with other: PersistentArray) -> Bool {
    guard branch < branches.count, branch < other.branches.count else { return false }
    return branches[branch].withUnsafeBufferPointer { own in
      other.branches[branch].withUnsafeBufferPointer { $0.baseAddress == own.baseAddress }
    }
  }

  @inline(never)
  private mutating func makeRoom(_ position: Int) {
    let branch = position >> 6
    while branches.count <= branch { branches.append([]) }
    if branches[branch].isEmpty {
      branches[branch] = Array(repeating: blank, count: Self.width)
    }
  }
}

/// A reference to a value, which makes an array of large values cheap to copy. An array of one
/// element provides copy on write without a class.
struct Boxed<Content: Sendable>: Sendable {
  private var storage: [Content]

  init(_ content: Content) { storage = [content] }

  var content: Content {
    @inline(__always) _read { yield storage[0] }
    @inline(__always) _modify { yield &storage[0] }
  }

  /// Passes the content to `body` without copying it.
  @inline(__always)
  func with<Result>(_ body: (UnsafePointer<Content>) -> Result) -> Result {
    storage.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  /// Returns whether both have the same reference. Shared content is copied before a change, so
  /// equal references mean equal content.
  func isIdentical(to other: Boxed) -> Bool {
    storage.withUnsafeBufferPointer { a in
      other.storage.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress }
    }
  }
}
