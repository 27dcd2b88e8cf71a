/// An optional value on the heap, so that the type that contains it is small and fast to copy.
///
/// Each change of the value allocates memory, so this is for large values that rarely change.
@propertyWrapper
enum Indirect<Value> {
  case none
  indirect case some(Value)

  init() { self = .none }

  init(wrappedValue: Value?) { self = wrappedValue.map { .some($0) } ?? .none }

  var wrappedValue: Value? {
    get { if case .some(let value) = self { value } else { nil } }
    set { self = Self(wrappedValue: newValue) }
  }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
