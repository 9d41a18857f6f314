import { BlocksStream } from "@chaintape/blocks"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Status, StatusError } from "../../service/Status.ts"
import { readStatus } from "../../service/Status.ts"
import { useStream } from "../../service/useStream.ts"

/** An index has this time to read a new block. */
const every = "2 seconds"

/** The newest block of a deployment, by the status of the service. */
const getHead = ({ indexes, sources }: Status, name: string): number | undefined =>
  indexes.find(({ key }) => key === name)?.indexed ??
  sources.find(({ id, kind }) => kind === "dex" && id === name)?.head ??
  undefined

const followBlocks = (blockchain: string) =>
  BlocksStream.liveBlockPages({ blockchain }).pipe(
    Stream.flatMap(({ events }) => Stream.fromIterable(events)),
    Stream.groupedWithin(1000, every),
    Stream.flatMap((events) =>
      Stream.fromIterable(
        events.flatMap((event) => (event._tag === "Block" ? [Number(event.block.number)] : [])).slice(-1)
      )
    )
  )

const readHead = (name: string) => Effect.map(readStatus, (status) => getHead(status, name))

/**
 * The newest block of a deployment as it moves on: first by the status, since the known one may be old. Without a stream
 * of its blockchain, the status is polled.
 */
export const useHead = (name: string, blockchain: string, status: Status) => {
  const isFollowed = status.sources.some(({ id, kind }) => kind === "blockchain" && id === blockchain)
  const { problem, readAt, value } = useStream<number | undefined, BlocksStream.LiveBlocksError | StatusError>(
    `head ${name}`,
    () =>
      isFollowed
        ? Stream.concat(Stream.fromEffect(readHead(name)), followBlocks(blockchain))
        : Stream.fromEffectSchedule(readHead(name), Schedule.spaced(every))
  )
  return { head: value ?? getHead(status, name), problem, readAt }
}
