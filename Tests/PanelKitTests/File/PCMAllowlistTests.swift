import Testing

@testable import PanelLanguage

@Suite("What audio: device: may be")
struct SoundDeviceTests {
  @Test(
    "the name of a card or of a PCM is taken",
    arguments: [
      "default", "hw:0", "hw:0,0", "hw:CARD=Headphones,DEV=0", "plughw:CARD=vc4hdmi0,DEV=0",
      "sysdefault:CARD=Headphones",
      "hdmi:CARD=vc4hdmi,DEV=0", "dmix", "plug:dmix", "surround51:CARD=USB,DEV=0", "iec958:CARD=1,DEV=0,AES0=4",
      "pulse", "speaker_left",
      "my-own.pcm", "bluealsa:DEV=00:1A:7D:DA:71:13,PROFILE=a2dp",
    ])
  func taken(name: String) {
    #expect(PCMAllowlist.fault(of: name) == nil)
  }

  @Test(
    "what would open a file, run a program or define a PCM is refused",
    arguments: [
      "file:FILE='|touch /tmp/owned; cat >/dev/null',FORMAT=raw", "file:/tmp/out.raw", "file:FILE=out", "file:out",
      "tee:hw,out,raw",
      "tee:dmix", "{ type file file \"|x\" }", "plug:'file:out'", "plug:\"file:out\"", "plug:{SLAVE=x}",
      "plug:SLAVE=file:FILE='x'",
      "hw:CARD=|x", "hw:CARD=a b", "hw:", "hw:0,", "", ":", "default\n", "/etc/passwd", "null:x", "jack:x",
    ])
  func refused(name: String) {
    #expect(PCMAllowlist.fault(of: name)?.contains("; ") == true)
  }
}
