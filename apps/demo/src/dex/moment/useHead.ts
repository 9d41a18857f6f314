import type { BlocksStream } from "@chaintape/blocks"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Status, StatusError } from "../../service/Status.ts"
import { useStream } from "../../service/useStream.ts"
import type { Head } from "./HeadFeed.ts"
import { every, followHead, getHead, readHead } from "./HeadFeed.ts"

/** The head of a deployment as it moves on. Without a stream of its blockchain, the status is polled. */
export const useHead = (name: string, blockchain: string, status: Status) => {
  const isFollowed = status.sources.some(({ id, kind }) => kind === "blockchain" && id === blockchain)
  const { problem, readAt, value } = useStream<Head, BlocksStream.LiveBlocksError | StatusError>(`head ${name}`, () =>
    isFollowed ? followHead(name, blockchain) : Stream.fromEffectSchedule(readHead(name), Schedule.spaced(every))
  )
  return { head: value?.head ?? getHead(status, name).head, problem, readAt }
}
