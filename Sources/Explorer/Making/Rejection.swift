/// Why an edit is not taken, here or by the store.
struct Rejection: Error, Equatable {
  let notice: Notice
  /// The attribute that it is about; nil for the whole.
  var label: String?

  var text: String { notice.text }

  init(_ notice: Notice, label: String? = nil) {
    self.notice = notice
    self.label = label
  }

  init(text: String, label: String? = nil) { self.init(.error(text), label: label) }
}
