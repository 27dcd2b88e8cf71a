#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lists the functions of the explorer that run between a key and its frame, for the linker.
///
///     sonde-bench order [--only WORD]
///
/// The linker places these functions next to each other. If they are spread over the 36 MB of the
/// program's code, a tenth of a key's time goes into fetching them from memory, because the
/// processor's caches are cold when a key arrives.
///
/// Each ``ExplorerPane`` is opened under valgrind, and its keys are pressed. Functions that run in
/// many panes come first, and those that run in the same panes are adjacent. `--only` selects panes by
/// a word in their names. A name in an old list that no longer exists has no effect.
struct FunctionOrder {
  let valgrind: String
  let program: String
  let store: String
  let homes: FreshHomes

  static func run(_ arguments: [String], cache: String) {
    guard let program = PaintBench.program,
      let valgrind = BenchData.output(of: "command -v valgrind")?.split(separator: "\n").first
    else {
      return warn(
        "order: needs sonde next to this program, and valgrind (apt-get install valgrind)")
    }
    guard let homes = FreshHomes(), let made = RowsData(cache: cache, program: program) else {
      return warn("order: cannot create the rows")
    }
    // Valgrind cannot read the program's debug information.
    let folder = homes.next()
    let stripped = folder + "/sonde"
    guard
      BenchData.output(
        of: "mkdir '\(folder)' && strip --strip-debug -o '\(stripped)' '\(program)'") != nil
    else { return warn("order: cannot copy \(program)") }
    let only = arguments.first == "--only" ? arguments.dropFirst().first : nil
    let order = FunctionOrder(
      valgrind: String(valgrind), program: stripped, store: made.store, homes: homes)
    var users: [String: [Int]] = [:]
    for (number, pane) in ExplorerPane.all(of: ExplorerPane.Data()).enumerated()
    where only.map({ pane.name.contains($0) }) ?? true {
      let functions = order.functions(of: pane)
      warn("\(pane.name): \(functions.count) functions")
      for function in functions { users[function, default: []].append(number) }
    }
    for name in users.keys.sorted(by: { Self.precedes(users[$0] ?? [], users[$1] ?? [], $0, $1) }) {
      print(name)
    }
  }

  /// Returns whether the first function comes first.
  ///
  /// Functions that run in more panes come first. Among others, those of earlier panes do, and
  /// functions of the same panes are in the order of their names.
  private static func precedes(
    _ panes: [Int], _ others: [Int], _ name: String, _ other: String
  ) -> Bool {
    if panes.count != others.count { return panes.count > others.count }
    return panes == others ? name < other : panes.lexicographicallyPrecedes(others)
  }

  /// Returns the names of the program's functions that run while the pane's keys are handled.
  private func functions(of pane: ExplorerPane) -> Set<String> {
    let home = homes.next()
    let profile = home + "-profile"
    guard
      let terminal = ProgramTerminal(
        valgrind,
        [
          "--tool=callgrind", "--callgrind-out-file=\(profile)", "--instr-atstart=no",
          "--demangle=no", program, store, pane.query,
        ], environment: ["HOME": home]),
      terminal.time(of: "● live", timeout: Self.patience) != nil
    else { return [] }
    settle(terminal)
    for key in pane.keys {
      terminal.type(key)
      settle(terminal)
    }
    guard control("--instr=on", terminal) else { return [] }
    for key in pane.cursor + pane.cursor + pane.page {
      terminal.type(key)
      settle(terminal)
    }
    guard control("--dump", terminal), let text = BenchData.output(of: "cat '\(profile)'.1")
    else { return [] }
    return Self.functions(in: text)
  }

  private func control(_ request: String, _ terminal: ProgramTerminal) -> Bool {
    BenchData.output(of: "callgrind_control \(request) \(terminal.process)") != nil
  }

  /// How long a program may take under valgrind, in milliseconds.
  private static let patience = 120_000.0

  /// Waits until the program, which is slow under valgrind, has drawn its frame.
  private func settle(_ terminal: ProgramTerminal) { terminal.read(quiet: 1_000) }

  /// Returns the names of the explorer's functions in a profile.
  ///
  /// A name appears only once; later lines refer to its number, as in `fn=(12)`.
  /// - Source: Callgrind's profile format, version 1.
  private static func functions(in profile: String) -> Set<String> {
    var names: [String: String] = [:]
    var functions: Set<String> = []
    var isOwn = false
    for line in profile.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="),
        let end = line.firstIndex(of: ")"), equals < end
      else { continue }
      let kind = String(line[..<equals])
      guard ["ob", "cob", "fn", "cfn"].contains(kind) else { continue }
      let number = String(kind.suffix(2) + line[equals..<end])
      let name = line[end...].dropFirst(2)
      // Recursive calls are marked as in `name'2`.
      if !name.isEmpty { names[number] = String(name.prefix { $0 != "'" }) }
      if kind == "ob" { isOwn = names[number]?.hasSuffix("/sonde") == true }
      if kind == "fn", isOwn, let name = names[number], !name.hasPrefix("0x") {
        functions.insert(name)
      }
    }
    return functions
  }

  /// Prints a message to standard error, because standard output is the list.
  private static func warn(_ message: String) {
    _ = (message + "\n").withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }
}
