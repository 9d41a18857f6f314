import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { makeHoldings } from "./Holdings.ts"
import { Ownership } from "./Ownership.ts"
import type { Role } from "./Roles.ts"

/** The only instance on its store, which owns all work. */
export const layer = (instance: string, roles: ReadonlyArray<Role>) =>
  Layer.effect(
    Ownership,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Scope.fork(yield* Effect.scope)
      // No other instance waits for a lock, and to end the only session would end the embedded database.
      const { all, hold } = yield* Scope.provide(makeHoldings(sql, instance, 0), scope)
      return Ownership.of({
        instance,
        roles,
        own: (work) => (roles.includes(work.role) ? Effect.asVoid(Effect.forkScoped(hold(work))) : Effect.void),
        owned: Effect.sync(() => all().map(({ lease }) => lease.name)),
        published: () => Effect.succeedNone,
        end: Scope.close(scope, Exit.void)
      })
    })
  )
