import CycleCore

/// Emits the models that a test chooses as events, so that the test's application has the tested driver render them.
package final class Remote<Model: Equatable & Sendable>: Driver {
  package enum Event: Sendable {
    case show(Model)
  }

  private var context: DriverContext<Event>?
  private var next: [Model] = []

  package init() {}

  package func start(showing model: NoModel, in context: DriverContext<Event>) throws(DriverError) {
    self.context = context
  }

  package func show(_ model: Model) {
    next.append(model)
    context?.watcher.makeWaker().wake()
  }

  package func wake(_ wake: Wake) throws(DriverError) {
    for model in next { context?.emit(.show(model)) }
    next = []
  }

  package func stop() {}
}
