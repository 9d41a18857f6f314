import { Effect, Layer, Option } from "effect"
import { Ownership } from "../../src/ownership/Ownership.ts"
import type { PublishedStatus } from "../../src/ownership/Ownership.ts"
import { roles } from "../../src/ownership/Roles.ts"
import * as SoleInstance from "../../src/ownership/SoleInstance.ts"
import { withLease } from "./TestLease.ts"

/** The only instance on the store of the test. */
export const aloneOnStore = SoleInstance.layer("test", roles)

/**
 * An instance that owns the work of these names, all if absent, without a store. `published` is the status of others' work.
 */
export const testOwnership = (
  options: {
    readonly owns?: ReadonlyArray<string>
    readonly published?: (name: string) => PublishedStatus | undefined
  } = {}
) => {
  const { owns, published = () => undefined } = options
  return Layer.succeed(Ownership, {
    instance: "test",
    roles,
    own: ({ begin, name }) =>
      owns?.includes(name) === false
        ? Effect.void
        : Effect.asVoid(
            Effect.forkScoped(
              Effect.flatMap(begin, ({ run }) => withLease(run)),
              { startImmediately: true }
            )
          ),
    owned: Effect.succeed(owns ?? []),
    published: (name) => Effect.sync(() => Option.fromUndefinedOr(published(name))),
    end: Effect.void
  })
}
