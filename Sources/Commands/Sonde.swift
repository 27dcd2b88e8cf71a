@main struct Sonde {
  static func main() {}
}
