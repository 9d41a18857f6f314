import { BlocksStream } from "@chaintape/blocks"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Status } from "../../service/Status.ts"
import { readStatus } from "../../service/Status.ts"

/** An index has this time to read a new block. */
export const every = "2 seconds"

export interface Head {
  /** The newest block of a deployment; undefined if it is not known. */
  readonly head: number | undefined
  /** Whether an index is far behind its chain: only its status says how far it is. */
  readonly isBehind: boolean
}

/** The head of a deployment, by the status of the service. */
export const getHead = ({ indexes, sources }: Status, name: string): Head => {
  const index = indexes.find(({ key }) => key === name)
  const source = sources.find(({ id, kind }) => kind === "dex" && id === name)
  return {
    head: index?.indexed ?? source?.head ?? undefined,
    isBehind: index !== undefined && index.state !== "realtime"
  }
}

export const readHead = (name: string) => Effect.map(readStatus, (status) => getHead(status, name))

/** The newest block of some events; undefined if all of them are reorgs. */
const toNewest = (events: ReadonlyArray<BlocksStream.LivePage<BlocksStream.NewBlock>["events"][number]>) =>
  events.flatMap((event) => (event._tag === "Block" ? [Number(event.block.number)] : [])).at(-1)

/**
 * The head of a deployment: first by the status, since the known one may be old, then by the blocks of its blockchain. While
 * its index is far behind them, they only say when to read the status again.
 */
export const followHead = (name: string, blockchain: string) => {
  const read = readHead(name)
  const groups = BlocksStream.liveBlockPages({ blockchain }).pipe(
    Stream.flatMap(({ events }) => Stream.fromIterable(events)),
    Stream.groupedWithin(1000, every)
  )
  return Stream.unwrap(
    Effect.map(read, (first) =>
      Stream.scanEffect(
        groups,
        () => first,
        (last, events) =>
          last.isBehind ? read : Effect.succeed<Head>({ ...last, head: toNewest(events) ?? last.head })
      )
    )
  )
}
