/// What the key hints of commands depend on.
struct FooterInput: Sendable, Equatable {
  struct Item: Sendable, Equatable {
    let command: Command
    let label: String
  }

  let commands: [Item]
  let keys: KeyNames

  /// The hint of each command; nil for a command without a key.
  var hints: [NamedHint?] {
    commands.map { item in
      keys.strokes(for: item.command).first.map { NamedHint(key: $0, label: item.label) }
    }
  }
}
