import { useEffect, useRef } from "react"
import { getLastReorgAt } from "../blocks/ChainFeed.ts"
import { useChainFeeds } from "../blocks/ChainFeeds.tsx"
import { Problem, ReadProblem } from "../parts/Loaded.tsx"
import type { Route } from "../route/Route.ts"
import type { ShownProblem } from "../service/problem/ShownProblem.ts"
import type { Status } from "../service/Status.ts"
import { steps } from "./Steps.ts"
import { finishStep, leaveTour, nextStep, useTour } from "./TourState.ts"
import { toBlockchain, useStepAction } from "./useStepAction.ts"
import "./tour.css"

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
  const feeds = useChainFeeds()
  const { isBegun, isDone, mark, step: at } = useTour()
  const heading = useRef<HTMLHeadingElement>(null)
  const step = steps[at]
  const situation = { status, route, mark, reorgAt: getLastReorgAt(feeds, toBlockchain(status)) }
  const { act, refusal } = useStepAction(at, situation)
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
      {refusal !== undefined ? (
        <Problem>{refusal}</Problem>
      ) : problem === undefined ? null : (
        <ReadProblem problem={problem} />
      )}
      <p className="tour-acts">
        <button type="button" className={isDone ? "" : "primary"} onClick={() => act(step)}>
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
