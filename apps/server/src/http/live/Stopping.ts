import { Context, Effect, Latch, Layer } from "effect"

/** Signals that the server accepts no more connections, and waits for the open ones. */
export class Stopping extends Context.Service<
  Stopping,
  {
    readonly begin: () => void
    readonly isBegun: () => boolean
    /** Completes when it stops. */
    readonly begun: Effect.Effect<void>
  }
>()("@chaintape/server/http/live/Stopping") {
  static readonly layer = Layer.sync(Stopping, () => {
    const latch = Latch.makeUnsafe()
    return Stopping.of({
      begin: () => void latch.openUnsafe(),
      isBegun: () => latch.isOpen(),
      begun: Effect.asVoid(latch.await)
    })
  })
}
