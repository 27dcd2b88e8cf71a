/// The reason why this program or the store rejects an edit.
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
