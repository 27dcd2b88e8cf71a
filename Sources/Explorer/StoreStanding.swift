/// What is known of a store beside its data: what it is called, what may be done, and how it is.
struct StoreStanding: Sendable, Equatable {
  /// As the header calls it.
  let name: String
  /// What one types to open it again.
  let address: String
  /// What the header says before its name, so that nobody takes it for another.
  var label: String?
  /// Why nothing can be changed, and what would help; nil when it can.
  let whyReadOnly: String?
  /// By what it is known that somebody else changed it; nil where the store tells by itself.
  let howLive: String?
  /// Where changes are kept when that is not the store itself; nil when it is.
  let whereChangesAre: String?
  /// Why it cannot be read any more; nil when it can.
  var failure: String?
  /// How long its server has been away; nil when it is not.
  var absence: ServerAbsence?
  /// What keeps it from taking changes, as the first half of a sentence; nil when nothing does.
  var obstruction: String?
  /// How far its opening has come; nil when it is open, or nobody tells.
  var opening: Opening?
}
