// The names of Home Assistant for the quantities of sensors.
//
// Source: the device classes and units of homeassistant/components/sensor/const.py.

extension SensorSource {
  /// The source's ``deviceClass``, if Home Assistant accepts its unit for that class. A voltage that a file converts to
  /// percent has none.
  package var shownClass: String? {
    deviceClass.flatMap { deviceClassUnits[$0]?.contains(unit) == true ? $0 : nil }
  }
}

/// The device classes of the kernel's quantities, by the first letters of a channel's name.
let deviceClassesOfChannels = [
  "temp": "temperature", "humidityrelative": "humidity", "humidity": "humidity", "pressure": "pressure",
  "illuminance": "illuminance", "voltage": "voltage", "altvoltage": "voltage", "in": "voltage", "current": "current",
  "curr": "current", "power": "power", "distance": "distance",
]

/// The units that Home Assistant accepts for a quantity.
private let deviceClassUnits: [String: Set<String>] = [
  "temperature": ["°C", "°F", "K"],
  "humidity": ["%"],
  "pressure": ["Pa", "hPa", "kPa", "bar", "cbar", "mbar", "mmHg", "inHg", "psi"],
  "illuminance": ["lx"],
  "voltage": ["V", "mV", "kV"],
  "current": ["A", "mA"],
  "power": ["W", "kW"],
  "distance": ["mm", "cm", "m", "km", "in", "ft", "yd", "mi"],
  "carbon_dioxide": ["ppm"],
  "duration": ["ms", "s", "min", "h", "d"],
]
