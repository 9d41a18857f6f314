import { Context, Effect, Latch, Layer } from "effect"

/** Signals that the server accepts no more connections, and waits for the open ones. */
export class ShutdownSignal extends Context.Service<
  ShutdownSignal,
  {
    readonly begin: () => void
    readonly isBegun: () => boolean
    /** Completes when it stops. */
    readonly begun: Effect.Effect<void>
  }
>()("@chaintape/server/http/live/ShutdownSignal") {
  static readonly layer = Layer.sync(ShutdownSignal, () => {
    const latch = Latch.makeUnsafe()
    return ShutdownSignal.of({
      begin: () => void latch.openUnsafe(),
      isBegun: () => latch.isOpen(),
      begun: Effect.asVoid(latch.await)
    })
  })
}
