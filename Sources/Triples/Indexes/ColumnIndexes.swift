import Synchronization

/// Indexes of a column. They are built on first use, shared by all copies of the column, and kept
/// across changes.
///
/// An index describes the column at the time it was built. A changed column keeps the index
/// together with the list of changed rows, whose cells are read directly. When this list becomes
/// long, the index is rebuilt.
///
///     unchanged column ── Built (postings, sorted)
///     column after two changes ── the same postings and sorted, and the rows 17 and 4711
struct ColumnIndexes: Sendable {
  /// An index, and the rows that changed after it was built, in ascending order.
  struct Aged<Index: Sendable>: Sendable {
    let index: Index
    var changed: [UInt32] = []

    fileprivate mutating func change(_ row: UInt32) {
      var low = 0
      var high = changed.count
      while low < high {
        let middle = (low &+ high) >> 1
        if changed[middle] < row { low = middle &+ 1 } else { high = middle }
      }
      if low < changed.count, changed[low] == row { return }
      changed.insert(row, at: low)
    }

    func isChanged(_ row: UInt32) -> Bool {
      if changed.isEmpty { return false }
      var low = 0
      var high = changed.count
      while low < high {
        let middle = (low &+ high) >> 1
        if changed[middle] < row { low = middle &+ 1 } else { high = middle }
      }
      return low < changed.count && changed[low] == row
    }
  }

  /// The indexes of one state of a column. A lock guards the indexes, because any thread with a
  /// snapshot may build them.
  private final class Built: Sendable {
    struct State: Sendable {
      var postings: Postings?
      var sorted: SortedRows?
      var present: RowSet?
      var holders: UniqueValueIndex?
      /// The number of queries that have asked for an index so far.
      var indexRequests = 0
    }
    let state: Mutex<State>
    /// For each text code, the instant that the text denotes; `noInstant` if the text is not a
    /// date.
    ///
    /// Instants stay valid after changes, because the text of a code never changes. They have a
    /// separate lock, because sorting reads them while it holds the lock of `state`.
    let instants: Mutex<[Int64]>
    let isEmpty = Atomic<Bool>(true)

    init(indexRequests: Int = 0, instants: [Int64] = []) {
      state = Mutex(State(indexRequests: indexRequests))
      self.instants = Mutex(instants)
    }
  }

  static let noInstant = Int64.min

  private var built = Built()
  private var postings: Aged<Postings>?
  private var sorted: Aged<SortedRows>?
  private var holders: UniqueValueIndex?

  /// Records that a row is about to change, in a column with `cells` cells.
  @inline(__always)
  mutating func touch(_ row: UInt32, of cells: Int) {
    if !isKnownUniquelyReferenced(&built) || !built.isEmpty.load(ordering: .relaxed) { age() }
    if postings != nil || sorted != nil || holders != nil { change(row, cells) }
  }

  /// Keeps the indexes of the previous state, so that they remain usable together with a list of
  /// changed rows.
  @inline(never)
  private mutating func age() {
    let state = built.state.withLock { $0 }
    if let index = state.postings { postings = Aged(index: index) }
    if let index = state.sorted { sorted = Aged(index: index) }
    if let index = state.holders { holders = index }
    built = Built(indexRequests: state.indexRequests, instants: built.instants.withLock { $0 })
  }

  @inline(never)
  private mutating func change(_ row: UInt32, _ cells: Int) {
    let limit = 256 + cells / 256
    postings?.change(row)
    sorted?.change(row)
    if let count = postings?.changed.count, count > limit { postings = nil }
    if let count = sorted?.changed.count, count > limit { sorted = nil }
    if holders?.change(row, cells: cells) == false { holders = nil }
  }

  // MARK: Reading

  func postings(_ build: () -> Postings) -> Aged<Postings> {
    if let postings { return postings }
    return built.state.withLock { state in
      if let index = state.postings { return Aged(index: index) }
      let index = build()
      state.postings = index
      built.isEmpty.store(false, ordering: .relaxed)
      return Aged(index: index)
    }
  }

  /// Returns whether to use the postings: they are built, or more than `limit` queries have asked
  /// for an index. Each call counts as one query.
  func wantsPostings(afterRequests limit: Int) -> Bool {
    postings != nil || isRequested(moreThan: limit) { $0.postings != nil }
  }

  func wantsSorted(afterRequests limit: Int) -> Bool {
    sorted != nil || isRequested(moreThan: limit) { $0.sorted != nil }
  }

  private func isRequested(moreThan limit: Int, _ isBuilt: (Built.State) -> Bool) -> Bool {
    built.state.withLock { state in
      state.indexRequests += 1
      return isBuilt(state) || state.indexRequests > limit
    }
  }

  func sorted(_ build: () -> SortedRows) -> Aged<SortedRows> {
    if let sorted { return sorted }
    return built.state.withLock { state in
      if let index = state.sorted { return Aged(index: index) }
      let index = build()
      state.sorted = index
      built.isEmpty.store(false, ordering: .relaxed)
      return Aged(index: index)
    }
  }

  func holders(_ build: () -> UniqueValueIndex) -> UniqueValueIndex {
    if let holders { return holders }
    return built.state.withLock { state in
      if let holders = state.holders { return holders }
      let holders = build()
      state.holders = holders
      built.isEmpty.store(false, ordering: .relaxed)
      return holders
    }
  }

  /// Whether the index of unique values exists and is up to date.
  var areHoldersPrepared: Bool {
    if let holders { return holders.waiting.isEmpty }
    return built.state.withLock { $0.holders != nil }
  }

  mutating func setHolders(_ holders: UniqueValueIndex) { self.holders = holders }

  /// The sorted rows; nil unless they are built.
  var sortedIfBuilt: Aged<SortedRows>? {
    sorted ?? built.state.withLock { $0.sorted }.map { Aged(index: $0) }
  }

  /// Whether the postings exist.
  var arePostingsBuilt: Bool { postings != nil || built.state.withLock { $0.postings != nil } }

  /// Returns the rows that have an entry, which `build` computes the first time.
  func present(_ build: () -> RowSet) -> RowSet {
    built.state.withLock { state in
      if let rows = state.present { return rows }
      let rows = build()
      state.present = rows
      built.isEmpty.store(false, ordering: .relaxed)
      return rows
    }
  }

  /// Returns the instant of each text, by code, in milliseconds since 1970; `noInstant` for a text
  /// that is not a date.
  func instants(_ texts: TextDictionary) -> [Int64] {
    built.instants.withLock { instants in
      if instants.count < texts.count {
        instants.reserveCapacity(texts.count)
        for code in instants.count..<texts.count {
          let instant = Instant(texts.text(UInt32(code)))
          instants.append(instant?.milliseconds ?? Self.noInstant)
        }
      }
      return instants
    }
  }
}
