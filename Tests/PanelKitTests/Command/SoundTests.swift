import TestSupport
import Testing

@Suite("The sound of the command", .serialized)
struct SoundTests {
  static let doorbell = "Examples/doorbell/doorbell.panel.yaml"

  @Test("real libasound gets the chime to the sample, times its volume, and a WAV file gets the same")
  func chime() throws {
    // In real time: the chime lasts 1.2 seconds.
    let steps = "press bell\nwait 2s\n"
    let configuration = """
      pcm.!default { type file slave.pcm null file "FOLDER/real.raw" format raw }
      pcm.null { type null }

      """
    let chime = samples(
      try #require(bytes(of: "\(checkoutRoot)/Examples/doorbell/sounds/chime.wav")).dropFirst(44))
    let (real, file) = try withFiles { folder in
      let real = withFiles(["asound.conf": configuration.replacing("FOLDER", with: folder)]) { settings in
        PanelProcess.run(
          ["simulate", "--audio", "real", Self.doorbell], input: steps,
          environment: ["ALSA_CONFIG_PATH=\(settings)/asound.conf"])
      }
      #expect(real.status == 0)
      #expect(real.errors == "")
      let file = PanelProcess.run(["simulate", "--audio", "\(folder)/out.wav", Self.doorbell], input: steps)
      #expect(file.status == 0)
      return (
        samples(try #require(bytes(of: "\(folder)/real.raw"))),
        samples(try #require(bytes(of: "\(folder)/out.wav")).dropFirst(44))
      )
    }
    // The panel file gives the chime 0.95, and the level of 7 out of 10 everything 0.7; the cubes are the factors.
    let expected = chime.flatMap { sample -> [Int16] in
      let product = Int16((Float(sample) * 0.857_375 * 0.343).rounded(.toNearestOrEven))
      return [product, product]
    }.sounding
    #expect(expected.count > 50_000)
    #expect(real.sounding == expected)
    #expect(file.sounding == expected)
  }
}
