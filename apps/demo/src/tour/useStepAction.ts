import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { useState } from "react"
import type { ChainFeeds } from "../blocks/ChainFeed.ts"
import { getNewestNumber } from "../blocks/ChainFeed.ts"
import { useChainFeeds } from "../blocks/ChainFeeds.tsx"
import { parseDeployment } from "../dex/moment/Deployment.ts"
import { cutUpstream, reorgDepth } from "../health/sandbox/FaultPresets.ts"
import { useKey } from "../service/Key.ts"
import type { SandboxError } from "../service/Sandbox.ts"
import { reorg, setFaults } from "../service/Sandbox.ts"
import { useRuntime } from "../service/Session.tsx"
import type { Status } from "../service/Status.ts"
import type { Order, Situation, Step } from "./Steps.ts"
import { toMark } from "./Steps.ts"
import { beginStep, resetStep } from "./TourState.ts"

/** The blockchain of the index that the tour shows. */
export const toBlockchain = ({ indexes: [index] }: Status): string => parseDeployment(index?.key ?? "").blockchain

/** The page of blocks shows a reorg only of blocks that it has read before. */
const waitUntilFollowed = (feeds: ChainFeeds, blockchain: string, block: number) =>
  Effect.sync(() => (getNewestNumber(feeds, blockchain) ?? -1n) >= BigInt(block)).pipe(
    Effect.repeat({
      until: (isSo) => isSo,
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 200 }))
    })
  )

const give = (order: Order, key: string, whenFollowed: Effect.Effect<unknown>) => {
  if (order === "reorg") return Effect.andThen(whenFollowed, reorg(key, reorgDepth))
  return setFaults(key, order === "heal" ? [] : cutUpstream.faults)
}

/** Takes the action of a step. `refusal` says why the sandbox did not take that of the step at this index. */
export const useStepAction = (at: number, situation: Situation) => {
  const key = useKey() ?? ""
  const runtime = useRuntime()
  const feeds = useChainFeeds()
  const [refused, setRefused] = useState<{ readonly step: number; readonly message: string }>()
  const act = (step: Step) => {
    const { status } = situation
    setRefused(undefined)
    const begin = Effect.map(Clock.currentTimeMillis, (now) => {
      beginStep(step.order === "reorg" ? toMark(status, now) : undefined)
      window.location.hash = step.toHref(situation)
    })
    const whenFollowed = waitUntilFollowed(feeds, toBlockchain(status), status.indexes[0]?.indexed ?? 0)
    const order = step.order === undefined ? begin : Effect.andThen(begin, give(step.order, key, whenFollowed))
    const refuse = ({ message }: SandboxError) =>
      Effect.sync(() => {
        resetStep(at)
        setRefused({ step: at, message })
      })
    void runtime.runFork(Effect.catch(order, refuse))
  }
  return { act, refusal: refused?.step === at ? refused.message : undefined }
}
