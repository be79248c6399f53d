/// The name of a type without its module: the text of `"\(Device.self)"`.
///
/// Before it prints a type, Swift's library looks for its conformances to the protocols of printing. In a program as
/// large as `panel`, that takes 700 000 instructions for each type, and a fifth of the start.
package func typeName<T: ~Copyable>(of type: T.Type) -> String {
  // `T.Type` is `Any.Type` for the runtime, also if no value of T can be copied.
  _typeName(unsafeBitCast(type, to: Any.Type.self), qualified: false)
}
