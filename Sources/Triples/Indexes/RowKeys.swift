/// A row together with its sort key as a number.
struct KeyedRow: Sendable {
  var key: UInt64
  var row: UInt32
}

/// How the cells of a column are converted to numbers that have the same order.
enum KeyScale {
  case booleans
  case integers
  case doubles
  case instants
  /// The times at which entities were added to a namespace.
  case created
  /// The cells are not converted: they are texts or of mixed types, and must be compared.
  case none

  @inline(__always)
  static func key(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  @inline(__always)
  static func key(_ value: Double) -> UInt64 {
    let bits = (value + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  static func integer(_ key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

  static func double(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}

extension Column {
  func keyScale(isDate: Bool) -> KeyScale {
    if kind == .membership { return .created }
    if kind != .value { return .none }
    if isDate { return .instants }
    var hasIntegers = false
    var hasDoubles = false
    var hasBooleans = false
    var hasOthers = false
    forEachChunk { _, chunk in
      switch chunk.cells {
      case .none: break
      case .integers: hasIntegers = true
      case .doubles: hasDoubles = true
      case .booleans: hasBooleans = true
      case .texts, .targets, .mixed, .targetLists, .valueLists: hasOthers = true
      }
    }
    if hasOthers || hasBooleans && (hasIntegers || hasDoubles) { return .none }
    if hasBooleans { return .booleans }
    if !hasDoubles { return .integers }
    return !hasIntegers || integersFitDoubles ? .doubles : .none
  }

  private var integersFitDoubles: Bool {
    var fit = true
    forEachChunk { _, chunk in
      guard case .integers(let values) = chunk.cells else { return }
      chunk.forEachValueSlot { if values[$0].magnitude > Chunk.exactInDouble { fit = false } }
    }
    return fit
  }

  /// Calls `body` with each row that has a value, and with its key, in ascending order of rows.
  func forEachKey(
    _ scale: KeyScale, _ entities: borrowing Entities, within: RowSet?,
    _ body: (_ row: UInt32, _ key: UInt64) -> Void
  ) {
    let instants = scale == .instants && texts.count > 0 ? indexes.instants(texts) : []
    forEachChunk(scale == .created ? .present : .value, within: within) { place, chunk, bits in
      let base = UInt32(place) << Chunk.shift
      @inline(__always)
      func each(_ key: (Int) -> UInt64) {
        Bits.forEach(bits) { body(base | UInt32(truncatingIfNeeded: $0), key($0)) }
      }
      switch chunk.cells {
      case .none:
        guard scale == .created else { return }
        entities.withBirths(place) { births in
          each { KeyScale.key(chunk.time($0) == Chunk.asEntity ? births[$0] : chunk.time($0)) }
        }
      case .integers(let values):
        values.withUnsafeBufferPointer { values in
          if scale == .doubles {
            each { KeyScale.key(Double(values[$0])) }
          } else if scale == .instants {
            each { slot in KeyScale.key(values[slot]) }
          } else {
            each { KeyScale.key(values[$0]) }
          }
        }
      case .doubles(let values, _) where scale == .doubles:
        values.withUnsafeBufferPointer { values in each { KeyScale.key(values[$0]) } }
      case .booleans(let words):
        guard scale == .booleans else { return }
        each { words[$0 >> 6] >> UInt64($0 & 63) & 1 }
      case .texts(let codes):
        guard scale == .instants else { return }
        Bits.forEach(bits) { slot in
          let instant = instants[Int(codes[slot])]
          if instant != ColumnIndexes.noInstant { body(base | UInt32(slot), KeyScale.key(instant)) }
        }
      case .mixed, .doubles:
        guard scale == .instants else { return }
        Bits.forEach(bits) { slot in
          if let instant = value(of: chunk.cell(slot)).flatMap({ Instant($0) }) {
            body(base | UInt32(slot), KeyScale.key(instant.milliseconds))
          }
        }
      case .targets, .targetLists, .valueLists: return
      }
    }
  }
}
