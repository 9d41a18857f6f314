import { BlocksStream } from "@chaintape/blocks"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Status } from "../../service/Status.ts"
import { readStatus } from "../../service/Status.ts"

/** An index has this time to read a new block. */
export const every = "2 seconds"

/** The newest block of a deployment, by the status of the service. */
export const getHead = ({ indexes, sources }: Status, name: string): number | undefined =>
  indexes.find(({ key }) => key === name)?.indexed ??
  sources.find(({ id, kind }) => kind === "dex" && id === name)?.head ??
  undefined

export const readHead = (name: string) => Effect.map(readStatus, (status) => getHead(status, name))

/**
 * The newest block of a deployment: first by the status, since the known one may be old, and again after new blocks of its
 * blockchain, of which the index may be behind.
 */
export const followHead = (name: string, blockchain: string) => {
  const read = readHead(name)
  const groups = BlocksStream.liveBlockPages({ blockchain }).pipe(
    Stream.flatMap(({ events }) => Stream.fromIterable(events)),
    Stream.groupedWithin(1000, every)
  )
  return Stream.concat(
    Stream.fromEffect(read),
    Stream.mapEffect(groups, () => read)
  )
}
