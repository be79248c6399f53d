import Testing

/// Panels with one fault each, and a property that it breaks.
struct PlantedFault: CustomTestStringConvertible {
  var name: String
  /// How many steps lead to the violation at least, worked out by hand.
  var steps: Int
  var panel: String

  var testDescription: String { name }

  static let all = [
    PlantedFault(
      name: "a transition removed", steps: 3,
      panel: """
        panel: Door that does not turn round
        inputs:
          key: { button: GPIO5 }
          top: { switch: GPIO6, words: { on: reached, off: away } }
          beam: { switch: GPIO19, words: { on: broken, off: whole } }
        outputs: { up: { relay: GPIO24 }, down: { relay: GPIO25 } }
        never: { crushing: down == on and beam == broken }
        initial: stopped
        states:
          stopped:
            on: { key.pressed: [ { go: closing, if: top == reached and beam == whole }, { go: opening, if: top == away } ] }
          opening: { show: { up: on }, when: { top == reached: stopped }, on: { key.pressed: stopped } }
          closing: { show: { down: on }, on: { key.pressed: stopped } }
        """),
    PlantedFault(
      name: "an off-by-one in an if", steps: 3,
      panel: """
        panel: Lock that counts to four
        inputs: { right: { button: GPIO5 }, wrong: { button: GPIO6 } }
        outputs: { red: { led: GPIO23 } }
        values: { tries: { initial: 0, min: 0, max: 9 } }
        never: { patient: state == ready and tries == 3 }
        initial: ready
        states:
          ready:
            on:
              right.clicked: { set: { tries: 0 } }
              wrong.clicked: [ { go: locked, if: tries > 2 }, { set: { tries: +1 } } ]
          locked: { show: { red: on }, after: { 1m: { go: ready, set: { tries: 0 } } } }
        """),
    PlantedFault(
      name: "a lamp left on", steps: 2,
      panel: """
        panel: Lamp that stays
        inputs: { start: { button: GPIO5 }, mute: { switch: GPIO6 } }
        outputs: { lamp: { led: GPIO23 } }
        never: { left: state.work == resting and lamp == on }
        regions:
          work:
            initial: resting
            states:
              resting: { on: { start.pressed: busy } }
              busy: { after: { 3s: resting }, on: { mute.on: resting } }
          light:
            initial: dark
            states:
              dark: { on: { start.pressed: lit } }
              lit: { show: { lamp: on }, on: { mute.on: dark } }
        """),
    PlantedFault(
      name: "a sound not stopped", steps: 4,
      panel: """
        panel: Bell that rings on
        inputs: { bell: { button: GPIO5 }, mute: { switch: GPIO6 } }
        sounds: { ring: { tone: 880Hz } }
        never: { loud: state.sound == ringing and mute == on }
        regions:
          sound:
            initial: silent
            states:
              silent: { on: { bell.pressed: { go: ringing, if: mute == off } } }
              ringing: { play: [ ring ], on: { mute.on: { go: silent, if: state.night == no } }, after: { 2s: silent } }
          night:
            initial: no
            states:
              no: { on: { bell.held: yes } }
              yes: {}
        """),
    PlantedFault(
      name: "a value that wraps", steps: 1,
      panel: """
        panel: Volume that jumps
        inputs: { knob: { encoder: [GPIO5, GPIO6] } }
        values:
          level: { initial: 0, min: 0, max: 9 }
          before: { initial: 0, min: 0, max: 9 }
        never: { jump: before == 9 and level == 0 }
        on:
          knob.clockwise: { set: { before: level, level: level + 1 - (level + 1) / 10 * 10 } }
          knob.counterclockwise: { set: { before: level, level: -1 } }
        initial: on
        states: { on: {} }
        """),
    PlantedFault(
      name: "a timer that outlives its state", steps: 3,
      panel: """
        panel: Timer that goes on
        inputs: { start: { button: GPIO5 }, stop: { button: GPIO6 } }
        outputs: { lamp: { led: GPIO23 } }
        never: { late: state.clock == over and state.work == off }
        regions:
          work:
            initial: off
            states:
              off: { on: { start.pressed: on } }
              on: { show: { lamp: on }, on: { stop.pressed: off } }
          clock:
            initial: still
            states:
              still: { on: { start.pressed: counting } }
              counting: { after: { 5s: over } }
              over: { on: { stop.pressed: still } }
        """),
    PlantedFault(
      name: "an unplug never healed", steps: 2,
      panel: """
        panel: Light that stays broken
        inputs: { key: { button: GPIO5 } }
        outputs: { lamp: { led: GPIO23 } }
        never: { stuck: state == broken and gpio == there }
        initial: dark
        states:
          dark: { on: { key.pressed: lit }, when: { gpio == lost: broken } }
          lit: { show: { lamp: on }, on: { key.pressed: dark }, when: { gpio == lost: broken } }
          broken: { on: { key.pressed: dark } }
        """),
  ]
}
