/// What the layout of the key hints depends on.
struct FooterInput: Sendable, Equatable {
  let state: HintState
  let keys: KeyNames
  /// The width of the line, in columns.
  let width: Int

  /// The hints that fit. They always include help, and quit or cancel.
  var hints: [NamedHint] {
    let always = state.recovery.compactMap(hint)
    // A gap follows each hint.
    var room = width - always.reduce(0) { $0 + $1.columns + NoticeRow.gap }
    var fitting: [NamedHint] = []
    for hint in state.offered.lazy.compactMap(hint) {
      room -= hint.columns + NoticeRow.gap
      if room < 0 { break }
      fitting.append(hint)
    }
    return fitting + always
  }

  private func hint(for command: Command) -> NamedHint? {
    keys.strokes(for: command).first.map { NamedHint(key: $0, label: state.label(of: command)) }
  }
}
