import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { useEffect, useRef, useState } from "react"
import type { ChainFeeds } from "../blocks/ChainFeed.ts"
import { getLastReorgAt, getNewestNumber } from "../blocks/ChainFeed.ts"
import { useChainFeeds } from "../blocks/ChainFeeds.tsx"
import { parseDeployment } from "../dex/moment/Deployment.ts"
import { cutUpstream, reorgDepth } from "../health/sandbox/FaultPresets.ts"
import { Problem, ReadProblem } from "../parts/Loaded.tsx"
import type { Route } from "../route/Route.ts"
import { useKey } from "../service/Key.ts"
import type { ShownProblem } from "../service/problem/ShownProblem.ts"
import type { SandboxError } from "../service/Sandbox.ts"
import { reorg, setFaults } from "../service/Sandbox.ts"
import { useRuntime } from "../service/Session.tsx"
import type { Status } from "../service/Status.ts"
import type { Order } from "./Steps.ts"
import { steps, toMark } from "./Steps.ts"
import { beginStep, finishStep, leaveTour, nextStep, resetStep, useTour } from "./TourState.ts"
import "./tour.css"

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

/** The current step: what to do, a button that does it, and what can be seen once the service reports it. */
export const TourPanel = ({
  problem,
  route,
  status
}: {
  readonly status: Status
  readonly route: Route
  readonly problem: ShownProblem | undefined
}) => {
  const key = useKey() ?? ""
  const runtime = useRuntime()
  const feeds = useChainFeeds()
  const { isBegun, isDone, mark, step: at } = useTour()
  const [refused, setRefused] = useState<{ readonly step: number; readonly message: string }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const step = steps[at]
  const { blockchain } = parseDeployment(status.indexes[0]?.key ?? "")
  const situation = { status, route, mark, reorgAt: getLastReorgAt(feeds, blockchain) }
  const isReached = step?.isDone(situation) === true
  useEffect(() => {
    if (isReached) finishStep()
  }, [isReached])
  useEffect(() => {
    // The button that led here is gone. A reader of a page that is loaded again may have gone on meanwhile.
    if (document.activeElement?.matches("body, main") === true) heading.current?.focus()
  }, [at])
  // The button that ends or leaves the tour is gone then.
  useEffect(() => () => document.getElementById("main")?.focus(), [])
  if (step === undefined) return null
  const act = () => {
    setRefused(undefined)
    const begin = Effect.map(Clock.currentTimeMillis, (now) => {
      beginStep(step.order === "reorg" ? toMark(status, now) : undefined)
      window.location.hash = step.toHref(situation)
    })
    const order =
      step.order === undefined
        ? begin
        : Effect.andThen(
            begin,
            give(step.order, key, waitUntilFollowed(feeds, blockchain, status.indexes[0]?.indexed ?? 0))
          )
    const refuse = ({ message }: SandboxError) =>
      Effect.sync(() => {
        resetStep(at)
        setRefused({ step: at, message })
      })
    void runtime.runFork(Effect.catch(order, refuse))
  }
  const isLast = at + 1 === steps.length
  return (
    <aside className="card tour" aria-labelledby="tour-title" data-step={at + 1} data-done={isDone}>
      <p className="quiet tour-count">
        Tour, step {at + 1} of {steps.length}
      </p>
      <h2 id="tour-title" ref={heading} tabIndex={-1}>
        {step.title}
      </h2>
      <p>{step.text}</p>
      <p className="tour-seen" role="status">
        {isDone ? `Done. ${step.seen}` : isBegun ? "Waiting for the service to report it." : ""}
      </p>
      {refused?.step === at ? (
        <Problem>{refused.message}</Problem>
      ) : problem === undefined ? null : (
        <ReadProblem problem={problem} />
      )}
      <p className="tour-acts">
        <button type="button" className={isDone ? "" : "primary"} onClick={act}>
          {step.action}
        </button>
        {isDone ? (
          <button type="button" className="primary" onClick={nextStep}>
            {isLast ? "End the tour" : "Next step"}
          </button>
        ) : null}
        <button type="button" className="link" onClick={leaveTour}>
          Leave the tour
        </button>
      </p>
    </aside>
  )
}
