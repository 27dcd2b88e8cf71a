/// What the key hints of the last line depend on.
struct FooterInput: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    let command: Command
    let label: String
  }

  /// The commands that are offered, the most useful first.
  let commands: [Item]
  /// The commands whose hints are always shown, after the others.
  let recovery: [Item]
  let keys: KeyNames
  /// The width of the line, in columns.
  let width: Int

  /// The hints that fit.
  var hints: [NamedHint] {
    let always = recovery.compactMap(hint)
    // A gap follows each hint.
    var room = width - always.reduce(0) { $0 + $1.columns + NoticeRow.gap }
    var fitting: [NamedHint] = []
    for hint in commands.lazy.compactMap(hint) {
      room -= hint.columns + NoticeRow.gap
      if room < 0 { break }
      fitting.append(hint)
    }
    return fitting + always
  }

  private func hint(for item: Item) -> NamedHint? {
    keys.strokes(for: item.command).first.map { NamedHint(key: $0, label: item.label) }
  }
}
