// Shows the results as a table, a tree or JSON.
extension ResultsPane {
  /// Sets the form of the results: table, tree or JSON.
  mutating func show(as form: AnswerForm) { self.form = form }

  /// Switches to the next form of the results.
  mutating func cycleFormat(page: Int) { show(as: form.next, page: page) }

  /// Switches to another form of the results.
  mutating func show(as form: AnswerForm, page: Int) {
    self.form = form
    guard var table else { return }
    table.open(form == .table ? opened : [:])
    content = .table(table)
    follow(page: page)
  }
}
