import Testing

@Suite("Passwords in addresses", .waitsForPrograms)
struct AddressSecretsTests {
  @Test(
    "no command prints a password, also of an address with a mistake",
    arguments: [
      ["doctor", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["token", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["check", "postgres://ann:s3cret@127.0.0.1:1/x"],
      ["schema", "postgres://ann:s3c@s3cret@127.0.0.1:1/x"],
      ["schema", "postgres:/ann:s3cret@127.0.0.1:1/x"],
      ["schema", "http://ann:s3cret@127.0.0.1/x"],
      ["schema", "pasword=s3cret"], ["schema", "host=127.0.0.1 port=1 pasword=s3cret"],
      ["live", "install", "postgres:/ann:s3cret@127.0.0.1:1/x"],
      ["export", "world", "--to", "postgres://ann:s3c@s3cret@127.0.0.1:1/x"],
    ])
  func secrets(_ arguments: [String]) throws {
    let run = try Program.run(arguments)
    let words = run.output + run.error
    #expect(!words.contains("s3c"), "\(words)")
  }

  @Test("--tables needs a PostgreSQL database")
  func tables() throws {
    let run = try Program.run(["schema", "world", "--tables"])
    #expect(run.status == 2 && run.error.contains("--tables needs a PostgreSQL database"))
  }
}
