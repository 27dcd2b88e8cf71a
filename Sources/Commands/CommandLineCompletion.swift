import InstaQL
import LiveQueries
import Notebooks
import Stores
import Triples

/// The completions for the last word of a command line.
struct CommandLineCompletion {
  struct Candidate: Equatable {
    var word: String
    var note = ""
  }

  private(set) var candidates: [Candidate] = []
  /// Whether the shell should also offer file names for the word.
  private(set) var takesFiles = false
  private let line: ShellLine
  private let commands: [CommandDescription]

  /// Completes a command line.
  ///
  /// - Parameters:
  ///   - line: The text before the cursor, including the program's name.
  ///   - program: The program whose commands are completed.
  init(_ line: String, of program: ProgramDescription) {
    self.line = ShellLine(line)
    commands = program.commands
    complete()
    candidates = candidates.filter { $0.word.hasPrefix(self.line.last) && fits($0) }
  }

  /// Returns whether the candidate needs no quotes, or the word at the cursor is already quoted.
  private func fits(_ candidate: Candidate) -> Bool {
    let safe = candidate.word.hasPrefix("--") ? "-_./@:=" : "-_./@:"
    return line.isQuoteOpen
      || candidate.word.allSatisfy { $0.isLetter || $0.isNumber || safe.contains($0) }
  }

  private mutating func complete() {
    var words = line.words.dropFirst()
    let isHelp = words.first == "help"
    if isHelp { words = words.dropFirst() }
    let named = commands.named(by: words)
    words = words.dropFirst(named?.words.count ?? 0)
    let isName = words.isEmpty && !line.last.hasPrefix("-")
    if isName, let named { offerNames(of: named.subcommands) }
    switch (isHelp, named) {
    case (true, nil) where isName: offerTopics()
    case (true, _): break
    case (false, nil) where isName: offerCommands()
    case (false, _):
      guard let command = named ?? commands.first(where: \.isDefault) else { return }
      complete(command, Array(words))
    }
  }

  private mutating func complete(_ command: CommandDescription, _ words: [String]) {
    var positionals: [String] = []
    var awaited: CommandDescription.Argument?
    for word in words {
      if awaited != nil {
        awaited = nil
      } else if word.hasPrefix("-"), word != "-" {
        awaited = command.options.first { $0.kind == .option && $0.names.contains(word) }
      } else {
        positionals.append(word)
      }
    }
    if let awaited { return offerValues(of: awaited) }
    if line.last.hasPrefix("--"), let equal = line.last.firstIndex(of: "=") {
      return offerAssignments(to: String(line.last[..<equal]), of: command)
    }
    if line.last.hasPrefix("-") { return offerOptions(of: command, given: words) }
    let known = command.positionals
    guard let last = known.last else { return }
    if positionals.count < known.count {
      let argument = known[positionals.count]
      if argument.valueName != "query" { return offerValues(of: argument) }
    }
    if last.valueName == "query" {
      if command.isDefault {
        // More stores may precede the query.
        let more = StoreArguments(Array(positionals.dropFirst())).stores
        positionals.removeSubrange(positionals.dropFirst().prefix(more.count).indices)
        takesFiles = positionals.count == 1 && line.last.contains { "/.".contains($0) }
      }
      return offerQuery(after: positionals)
    }
    if last.isRepeating { offerValues(of: last) }
  }

  private mutating func offerNames(of commands: [CommandDescription]) {
    candidates += commands.map { Candidate(word: $0.words.last ?? "", note: $0.abstract) }
  }

  private mutating func offerTopics() {
    offerNames(of: commands)
    candidates.append(Candidate(word: HelpTopic.language, note: "The query language."))
  }

  private mutating func offerCommands() {
    offerNames(of: commands)
    candidates.append(Candidate(word: "help", note: "Describe a command."))
    offerStores()
  }

  private mutating func offerStores() {
    candidates += StoreLocation.demoNames.map { Candidate(word: $0, note: "A demo") }
    // An address with `*` is a pattern for several stores, which cannot be opened.
    candidates += SettingsFile().settings.stores.filter { !$0.addresses.contains("*") }
      .map { Candidate(word: $0.addresses, note: $0.label ?? "A store in the settings") }
    takesFiles = true
  }

  private mutating func offerOptions(of command: CommandDescription?, given words: [String]) {
    guard let command else { return }
    let left = command.options.filter {
      $0.isRepeating || !$0.names.contains(where: words.contains)
    }
    for option in left {
      candidates += option.names.map { Candidate(word: $0, note: option.abstract) }
    }
    candidates.append(Candidate(word: "--help", note: "Describe the command."))
    if words.isEmpty { candidates.append(Candidate(word: "--version", note: "Print the version.")) }
  }

  /// Offers `--format=csv` and so on. Shells complete no file names after `=`.
  private mutating func offerAssignments(to name: String, of command: CommandDescription) {
    guard
      let option = command.options.first(where: { $0.kind == .option && $0.names.contains(name) })
    else { return }
    offerValues(of: option)
    candidates = candidates.map { Candidate(word: name + "=" + $0.word, note: $0.note) }
    takesFiles = false
  }

  private mutating func offerValues(of argument: CommandDescription.Argument) {
    switch (argument.valueName, argument.values) {
    case ("theme", _): candidates += Themes().names.map { Candidate(word: $0) }
    case (_, .words(let words)): candidates += words.map { Candidate(word: $0) }
    case ("store", _) where argument.kind == .positional, ("sources", _): offerStores()
    case (_, .files): takesFiles = true
    case (_, .anything): break
    }
  }
}

// Completes queries.
extension CommandLineCompletion {
  /// Adds completions of a query.
  ///
  /// - Parameter words: The store and the words of the query before the last one.
  private mutating func offerQuery(after words: [String]) {
    guard let address = words.first else { return }
    if words.count == 1, line.last.hasPrefix("@") {
      let saved = (try? SavedQueryText.all()) ?? []
      candidates += saved.filter { $0.store.isEmpty || $0.store == address }
        .map { Candidate(word: "@" + $0.name, note: $0.text) }
      takesFiles = line.last.hasPrefix("@./")
      return
    }
    guard let schema = schema(of: address) else { return }
    let before = words.dropFirst().map { $0 + " " }.joined()
    let text = before + line.last
    let completion = QueryCompletion(text, at: text.utf8.count, schema: schema)
    // The part of the word before the completed name stays as it was typed.
    let kept = completion.start - before.utf8.count
    guard kept >= 0 else { return }
    let start = String(decoding: line.last.utf8.prefix(kept), as: UTF8.self)
    candidates += completion.candidates.map {
      Candidate(word: start + $0.text, note: $0.note)
    }
  }

  /// Returns the schema of a store that can be read quickly; nil for servers and large files.
  private func schema(of address: String) -> Schema? {
    guard let location = try? StoreLocation(address) else { return nil }
    switch location {
    case .folder(let path), .tripleDump(let path), .backup(let path):
      guard (Files.size(of: path) ?? 0) <= Self.maxFileBytes else { return nil }
    case .standardInput, .server, .unsupported: return nil
    default: break
    }
    let snapshot = try? waiting { () async throws(Failure) in
      try await location.open(access: .readOnly, warn: { _ in }).snapshotOrFail(SchemaQuery())
    }
    return snapshot?.store.schema
  }

  private static let maxFileBytes = 32 << 20
}

extension CommandLineCompletion {
  /// Returns the output for completion scripts: a line for each candidate, with its note.
  ///
  /// A last line `:files` means that the shell should also offer file names.
  ///
  /// - Parameter shellWord: The part of the last word that the shell replaces; nil for the whole
  ///   word. Bash, for example, also splits words at `=` and `:`. The candidates are shortened to
  ///   match.
  func lines(from shellWord: String?) -> String {
    let part = shellWord.map { $0.drop { $0 == "'" || $0 == "\"" } }
    let skipped = part.map { line.last.hasSuffix($0) ? line.last.count - $0.count : 0 } ?? 0
    let lines = candidates.map { candidate in
      let note = TerminalSanitizer.line(candidate.note)
      return String(candidate.word.dropFirst(skipped)) + (note.isEmpty ? "" : "\t" + note)
    }
    return (lines + (takesFiles ? [":files"] : [])).map { $0 + "\n" }.joined()
  }
}

/// A command line, split into words as shells split it.
struct ShellLine: Equatable {
  /// The words before the last one.
  private(set) var words: [String] = []
  /// The word at the cursor, without quotes.
  private(set) var last = ""
  /// Whether the word at the cursor has an unclosed quote.
  private(set) var isQuoteOpen = false

  init(_ line: String) {
    var quote: Character?
    var isInWord = false
    var isEscaped = false
    for character in line {
      if isEscaped {
        last.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
        isInWord = true
      } else if let open = quote {
        if character == open { quote = nil } else { last.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isInWord = true
      } else if character.isWhitespace {
        if isInWord { words.append(last) }
        (last, isInWord) = ("", false)
      } else if character == "|" || character == ";" || character == "&" {
        // An operator of the shell starts another command.
        (words, last, isInWord) = ([], "", false)
      } else {
        last.append(character)
        isInWord = true
      }
    }
    isQuoteOpen = quote != nil
  }
}
