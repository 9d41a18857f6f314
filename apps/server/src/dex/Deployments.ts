import { BlockchainNotFound, BlockNotFound, ExchangeNotFound } from "@chaintape/core"
import { Context, Effect, Layer, Option } from "effect"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { DexSource } from "./DexSource.ts"
import type { BlockOutOfRangeError, DeploymentRow, DexView } from "./DexSource.ts"
import { retryOnReorg, toViewError } from "./ViewError.ts"
import type { SourceProblem, ViewError, ViewReorgedError } from "./ViewError.ts"

/** A decentralized exchange on one blockchain, by the ids that callers use. */
export interface ConfiguredDeployment {
  readonly dex: string
  readonly blockchain: string
  readonly blockchainName: string
  readonly source: "index" | "subgraph"
  /** Its node starts a new chain each time it starts, so no response stays valid forever. */
  readonly ephemeral: boolean
}

export const toDeploymentKey = (dex: string, blockchain: string): string => `${dex}/${blockchain}`

/** The problems of a request for a view. */
export type ViewProblem = SourceProblem | ExchangeNotFound | BlockchainNotFound | BlockNotFound

const noDex = (dex: string) =>
  new ExchangeNotFound({ exchange: dex, detail: `There is no decentralized exchange "${dex}" on this service.` })

const noBlockchain = (dex: string, blockchain: string) =>
  new BlockchainNotFound({
    blockchain,
    detail: `"${dex}" is not read on a blockchain "${blockchain}": /v2/dex/${dex} lists those it is read on.`
  })

const outOfRange = (blockchain: string, { block, first, head, why }: BlockOutOfRangeError) =>
  new BlockNotFound({
    blockchain,
    block: String(block),
    head: String(head),
    detail: `Block ${block} of "${blockchain}" cannot be read: blocks ${first} to ${head} can.${why === undefined ? "" : ` ${why}`}`
  })

/** A view of a deployment, and how it was opened. */
export interface OpenedView {
  readonly view: DexView
  readonly source: ConfiguredDeployment["source"]
  readonly ephemeral: boolean
  /** Whether the same view would be opened now; undefined if unknown. */
  readonly isCurrent: (() => boolean) | undefined
}

/** One element per factory; none before the first pool. */
export const readTotals = (view: DexView): Effect.Effect<ReadonlyArray<DeploymentRow>, ViewError> =>
  view.deployment.pipe(
    Effect.map(Option.match({ onNone: () => [], onSome: (row) => [row] })),
    Effect.mapError(toViewError)
  )

/** The deployments of the configuration. */
export class Deployments extends Context.Service<
  Deployments,
  {
    readonly blockchains: (
      dex: string
    ) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly name: string }>, ExchangeNotFound>
    /**
     * Reads the state as of a block, or the newest state. If a reorg between two reads removes the view's blocks, it is read
     * again from a new view.
     */
    readonly read: <A, E, R>(
      dex: string,
      blockchain: string,
      block: Option.Option<number>,
      read: (opened: OpenedView) => Effect.Effect<A, E | ViewReorgedError, R>
    ) => Effect.Effect<A, E | ViewProblem, R>
  }
>()("@chaintape/server/dex/Deployments") {
  static readonly layer = (configured: ReadonlyArray<ConfiguredDeployment>) =>
    Layer.effect(
      Deployments,
      Effect.gen(function* () {
        const source = yield* DexSource
        const health = (yield* SourceHealth).dex

        const findAll = Effect.fnUntraced(function* (dex: string) {
          const ofDex = configured.filter((one) => one.dex === dex)
          return ofDex.length === 0 ? yield* noDex(dex) : ofDex
        })

        const find = Effect.fnUntraced(function* (dex: string, blockchain: string) {
          const found = (yield* findAll(dex)).find((one) => one.blockchain === blockchain)
          return found ?? (yield* noBlockchain(dex, blockchain))
        })

        const open = Effect.fn("Deployments.open")(function* (
          dex: string,
          blockchain: string,
          block: Option.Option<number>
        ): Effect.fn.Return<OpenedView, ViewProblem | ViewReorgedError> {
          const deployment = yield* find(dex, blockchain)
          const key = toDeploymentKey(dex, blockchain)
          // Read before the view is opened, so that a write in between counts as a change.
          const isCurrent = yield* source.watchUnchanged(key)
          const view = yield* source.view(key, block).pipe(
            Effect.tap(({ asOf }) => (Option.isNone(block) ? health.advanced(key, asOf.number) : Effect.void)),
            Effect.tapError((error) =>
              error._tag === "DexSourceError" ? health.failed(key, error.message) : Effect.void
            ),
            Effect.mapError((error) =>
              error._tag === "DexSourceError" ? toViewError(error) : outOfRange(blockchain, error)
            )
          )
          yield* health.succeeded(key)
          return { view, isCurrent, source: deployment.source, ephemeral: deployment.ephemeral }
        })

        return Deployments.of({
          blockchains: Effect.fn("Deployments.blockchains")(function* (dex) {
            return (yield* findAll(dex)).map(({ blockchain, blockchainName }) => ({
              id: blockchain,
              name: blockchainName
            }))
          }),
          read: (dex, blockchain, block, read) => retryOnReorg(Effect.flatMap(open(dex, blockchain, block), read))
        })
      })
    )
}
