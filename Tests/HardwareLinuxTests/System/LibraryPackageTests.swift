import Testing

@testable import HardwareLinux

@Suite("Libraries that are loaded")
struct LibraryPackageTests {
  private let debian12 = OSRelease("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n")
  private let debian13 = OSRelease("PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nVERSION_ID=\"13\"\n")

  @Test("the package is that of the release")
  func packages() {
    #expect(LibraryPackage.gpiod.installation(on: debian12) == "sudo apt install libgpiod2")
    #expect(LibraryPackage.gpiod.installation(on: debian13) == "sudo apt install libgpiod3")
    #expect(LibraryPackage.asound.installation(on: debian12) == "sudo apt install libasound2")
    #expect(LibraryPackage.asound.installation(on: debian13) == "sudo apt install libasound2t64")
  }

  @Test("a system without a version gets the packages of today")
  func unknown() {
    #expect(OSRelease("ID=arch").name == nil)
    #expect(LibraryPackage.gpiod.installation(on: OSRelease("ID=arch")) == "sudo apt install libgpiod3")
  }

  @Test("what can't be done without one says what to install")
  func missing() {
    let error = LibraryPackage.asound.missing(
      cannot: "open the sound device \"default\"", on: debian12, or: "use --audio simulated")
    #expect(
      error.description == "cannot open the sound device \"default\": libasound.so.2 is missing. "
        + "Install it with `sudo apt install libasound2`, or use --audio simulated.")
    #expect(error.kind == .absent)
  }
}
