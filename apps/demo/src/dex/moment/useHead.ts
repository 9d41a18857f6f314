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

const pollStatus = (name: string) =>
  Stream.fromEffectSchedule(
    Effect.map(readStatus, (status) => getHead(status, name)),
    Schedule.spaced(every)
  )

/** The newest block of a deployment as it moves on. Without a stream of its blockchain, the status is polled. */
export const useHead = (name: string, blockchain: string, status: Status) => {
  const isFollowed = status.sources.some(({ id, kind }) => kind === "blockchain" && id === blockchain)
  const { problem, readAt, value } = useStream<number | undefined, BlocksStream.LiveBlocksError | StatusError>(
    `head ${name}`,
    () => (isFollowed ? followBlocks(blockchain) : pollStatus(name))
  )
  return { head: value ?? getHead(status, name), problem, readAt }
}
