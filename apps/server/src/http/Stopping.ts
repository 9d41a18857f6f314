import { Context, Effect, Latch, Layer } from "effect"

/** That the server takes no more connections, and waits for those that are open. */
export class Stopping extends Context.Service<
  Stopping,
  {
    readonly begin: () => void
    readonly isBegun: () => boolean
    /** Completes when it stops. */
    readonly begun: Effect.Effect<void>
  }
>()("@chaintape/server/http/Stopping") {
  static readonly layer = Layer.sync(Stopping, () => {
    const latch = Latch.makeUnsafe()
    return Stopping.of({
      begin: () => void latch.openUnsafe(),
      isBegun: () => latch.isOpen(),
      begun: Effect.asVoid(latch.await)
    })
  })
}
