import { BlockchainNotFound, BlockNotFound, ExchangeNotFound, NotReady } from "@chaintape/core"
import type { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core"
import { Context, Data, Effect, Layer, Option } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import { SourceHealth } from "../sources/SourceHealth.ts"
import { DexSource } from "./DexSource.ts"
import type { BlockOutOfRangeError, DeploymentRow, DexSourceError, DexView } from "./DexSource.ts"

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

/** A reorg between two reads removed the state of the view: another view has the new one. */
export class ViewReorgedError extends Data.TaggedError("ViewReorgedError")<{
  /** As in `DexSourceError`. */
  readonly source: string
  /** A sentence for the caller. */
  readonly message: string
}> {}

/** The problems of a source that callers of the service see. */
type SourceProblem = UpstreamFailed | UpstreamBusy | UpstreamTimeout | NotReady

/** The failure of a read of a view: a problem, or a reason to open another view. */
export type ViewError = SourceProblem | ViewReorgedError

/** Maps a failure of the source to one of a view. */
export const toViewError = (error: DexSourceError): ViewError => {
  const { message, reason, retryAfterMs, source } = error
  if (reason === "NotReady") return new NotReady({ retryAfterMs: retryAfterMs ?? 1000, detail: message })
  if (reason === "Reorged") return new ViewReorgedError({ source, message })
  return toProblem(source, { reason, message, retryAfterMs })
}

/** For a caller whose retries are over. */
export const failAsBusy = ({
  message,
  source
}: ViewReorgedError): Effect.Effect<never, UpstreamFailed | UpstreamBusy | UpstreamTimeout> =>
  Effect.fail(toProblem(source, { reason: "Busy", message }))

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
    /** The state as of a block, or the newest state. */
    readonly open: (
      dex: string,
      blockchain: string,
      block: Option.Option<number>
    ) => Effect.Effect<OpenedView, ViewProblem | ViewReorgedError>
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

        return Deployments.of({
          blockchains: Effect.fn("Deployments.blockchains")(function* (dex) {
            return (yield* findAll(dex)).map(({ blockchain, blockchainName }) => ({
              id: blockchain,
              name: blockchainName
            }))
          }),
          open: Effect.fn("Deployments.open")(function* (dex, blockchain, block) {
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
        })
      })
    )
}
