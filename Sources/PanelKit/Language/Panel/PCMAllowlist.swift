import Terminal

/// Checks `audio: device:`, which must be the name of an ALSA PCM.
///
/// ALSA itself accepts more. A name can define a new PCM in braces. It can also give arguments to a PCM that writes a
/// file or runs a program (`file:FILE='|rm …'`). A panel file may be from an unknown author, so it can only choose a
/// sound device. A PCM of this machine's own configuration (`asound.conf`) is accepted by its name without arguments;
/// its definition is not checked.
enum PCMAllowlist {
  /// PCMs of ALSA's own configuration whose arguments name a card, a device on it, or how its samples are marked.
  private static let withArguments: Set<String> = [
    "hw", "plughw", "default", "sysdefault", "front", "rear", "center_lfe", "side", "surround21", "surround40",
    "surround41",
    "surround50", "surround51", "surround71", "iec958", "spdif", "hdmi", "modem", "phoneline", "dmix", "dsnoop",
    "dshare",
    "usbstream", "plug", "bluealsa",
  ]

  /// The error in the name, a semicolon, and the correct form; nil for an accepted name.
  static func fault(of name: String) -> String? {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard isWord(parts[0]) else {
      return
        "\(quoted(name)) is not the name of a sound device; write default, hw:CARD=NAME,DEV=0, or one that `aplay -L` lists"
    }
    guard parts.count == 2 else { return nil }
    guard withArguments.contains(String(parts[0])) else {
      return
        "the PCM \(quoted(String(parts[0]))) takes no arguments here; define a PCM with them in asound.conf and write its name"
    }
    let isList = parts[1].split(separator: ",", omittingEmptySubsequences: false).allSatisfy { argument in
      let sides = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The name of a Bluetooth device is its address, which has colons.
      return sides.allSatisfy { side in side.split(separator: ":", omittingEmptySubsequences: false).allSatisfy(isWord)
      }
    }
    if isList { return nil }
    return
      "\(quoted(String(parts[1]))) are not arguments of a sound device; write them as CARD=NAME,DEV=0, without quotes"
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 128
      && text.utf8.allSatisfy { byte in
        let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        return isLetter || (0x30...0x39).contains(byte) || "_-.".utf8.contains(byte)
      }
  }
}
