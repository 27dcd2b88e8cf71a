/// The reason why an edit is rejected by this program or by the store.
struct Rejection: Error, Equatable {
  let notice: Notice
  /// The attribute at fault; nil if the rejection concerns the whole entity.
  var label: String?

  var text: String { notice.text }

  init(_ notice: Notice, label: String? = nil) {
    self.notice = notice
    self.label = label
  }

  init(text: String, label: String? = nil) { self.init(.error(text), label: label) }
}
