import TerminalUI

extension ChangesPane {
  /// The width that each part of a line needs to fit the longest text of any change in the list.
  struct Wanted: Equatable {
    var number = 0
    var namespace = 0
    var name = 0
    var values = 0

    init() {}

    init(of lines: [ChangeEntry]) {
      for line in lines {
        let texts = [line.label, line.old?.text ?? "", line.new?.text ?? ""]
        // The widths include two spaces after a label.
        namespace = max(namespace, TextWidth.columns(of: line.namespace) + 2)
        name = max(name, TextWidth.columns(of: line.name) + 2)
        values = max(values, texts.reduce(5) { $0 + TextWidth.columns(of: $1) })
      }
      let newest = lines.reversed().lazy.compactMap(\.transaction).first
      number = newest.map { "\($0)".count } ?? 0
    }
  }

  /// The actual widths of the parts of a line. In narrow panes, old and new values take precedence.
  struct Widths {
    private(set) var transaction: Int
    private(set) var namespace: Int
    private(set) var name: Int
    /// Whether there is space for `tx` before the transaction number.
    private(set) var namesTransaction = false

    init(of columns: Int, _ wanted: Wanted) {
      (transaction, namespace, name) =
        columns >= 70 ? (8, 15, 25) : columns >= 44 ? (5, 11, 15) : (4, 0, 13)
      // Long names get the columns that other parts do not need.
      namespace = min(wanted.namespace, columns >= 100 ? 25 : namespace)
      name = min(wanted.name, columns >= 100 ? columns / 3 : name)
      // Three columns are for the margin and the sign.
      let rest = columns - 3 - transaction - namespace - name
      var lack = min(wanted.values, columns * 3 / 5) - rest
      func give(_ width: inout Int, downTo least: Int) {
        let given = max(0, min(lack, width - least))
        width -= given
        lack -= given
      }
      give(&transaction, downTo: wanted.number + 1)
      give(&name, downTo: min(name, 12))
      give(&name, downTo: min(name, 8))
      namesTransaction = transaction > wanted.number + 3
    }
  }
}
