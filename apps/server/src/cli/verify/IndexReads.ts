import { Effect, Option, Schema } from "effect"
import { SqlError } from "effect/sql"
import type { DexReadError, DexView } from "../../dex/DexSource.ts"
import { listPools } from "../../dex/pools/Pools.ts"
import { listTokens } from "../../dex/pools/Tokens.ts"
import { toStoreFailure } from "../store/StoreFailure.ts"
import { toFailure } from "../terminal/CommandError.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { pageSize } from "./DeploymentReads.ts"
import type { DeploymentReads, Rows } from "./DeploymentReads.ts"

const toCommandError = (error: { readonly _tag: string }): CommandError => {
  const text = "message" in error && typeof error.message === "string" ? error.message : ""
  return toFailure("detail" in error && typeof error.detail === "string" ? error.detail : text)
}

/** A failure of the store is a defect of the reads, and an error of the command. */
const catchStoreFailure = Effect.catchDefect((defect) =>
  SqlError.isSqlError(defect) || Schema.isSchemaError(defect) ? Effect.fail(toStoreFailure(defect)) : Effect.die(defect)
)

const order = Option.some({ field: "id", direction: "asc" } as const)
const page = (skip: number) => ({ limit: pageSize, skip, order })

/** The responses that follow from the verified receipts, in the form of the service's. */
export const makeIndexReads = (
  open: (block: Option.Option<number>) => Effect.Effect<DexView, DexReadError>
): DeploymentReads => {
  const at = <A>(block: number, read: (view: DexView) => Effect.Effect<A, { readonly _tag: string }>) =>
    open(Option.some(block)).pipe(Effect.flatMap(read), Effect.mapError(toCommandError), catchStoreFailure)
  const seconds = (time: number) => Option.some(time)
  const none: Rows = []

  return {
    totals: (block) =>
      at(block, ({ deployment }) =>
        Effect.map(deployment, Option.match({ onNone: () => none, onSome: (row) => [row] }))
      ),
    tokens: (block, skip, id) =>
      at(block, (view) =>
        listTokens(
          view,
          { ...page(skip), id: Option.fromUndefinedOr(id), symbol: Option.none(), name: Option.none() },
          false
        )
      ),
    pools: (block, skip, id) => at(block, (view) => listPools(view, { ...page(skip), id: Option.fromUndefinedOr(id) })),
    trades: (block, pool, { from, to }, skip) =>
      at(block, (view) =>
        Effect.forEach(["swap", "mint", "burn"] as const, (kind) =>
          view.trades(
            kind,
            { pool },
            { limit: pageSize, skip, order: Option.none(), from: seconds(from), to: seconds(to) }
          )
        )
      ).pipe(Effect.map((kinds) => kinds.map((rows): Rows => rows.map((row) => ({ ...row })))))
  }
}
