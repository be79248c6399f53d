import PanelKinds
import PanelLanguage

/// The built-in panel: a doorbell with a lock. It allows a first try without a file.
package enum SamplePanel {
  static let file = "sample.panel.yaml"

  static let text = """
    panel: Doorbell
    inputs:
      bell:  { button: GPIO17 }
      open:  { button: GPIO22, hold: 1s }
      quiet: { switch: GPIO27 }
      knob:  { encoder: [GPIO5, GPIO6] }
    outputs:
      lamp:  { led: GPIO23 }
      night: { led: GPIO25 }
      bar:   { bar: [GPIO12, GPIO13, GPIO16, GPIO19, GPIO20] }
      lock:  { relay: GPIO24 }
    sounds:
      ding: { tone: 660Hz, volume: 0.75 }
      dong: { tone: 528Hz, volume: 0.75 }
    values:
      volume: { initial: 3, min: 0, max: 5 }
      rings:  { initial: 0, min: 0, max: 999 }
    audio: { device: default, volume: volume }
    on:
      knob.clockwise:        { set: { volume: +1 } }
      knob.counterclockwise: { set: { volume: -1 } }
    show: { bar: volume }
    regions:
      door:
        initial: closed
        states:
          closed:
            on: { open.held: opened, open.clicked: opened }
          opened:
            show: { lock: on }
            after: { 4s: closed }
      bell:
        initial: idle
        states:
          idle:
            on: { bell.pressed: ding, quiet.on: silent }
          ding:
            show: { lamp: { blink: 100ms } }
            play: [ ding ]
            enter: { set: { rings: +1 } }
            after: { 500ms: dong }
          dong:
            show: { lamp: { blink: 100ms } }
            play: [ dong ]
            on: { bell.pressed: ding }
            after: { 700ms: idle }
          silent:
            show: { night: { pulse: 3s } }
            on: { quiet.off: idle, bell.pressed: flash }
          flash:
            show: { lamp: { blink: 50ms }, night: on }
            enter: { set: { rings: +1 } }
            on: { quiet.off: idle }
            after: { 1s: silent }
    """

  package static func read(kinds: KindList = .standard) throws(Problems) -> PanelDefinition {
    try PanelFile.read(Array(text.utf8), file: file, kinds: kinds, checkSound: SoundFileCheck.finding)
  }
}
