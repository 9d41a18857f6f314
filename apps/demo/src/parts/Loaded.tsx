import type { ReactNode } from "react"
import { setKey } from "../service/Key.ts"
import type { ShownProblem } from "../service/problem/ShownProblem.ts"
import type { Live } from "../service/useLive.ts"
import { Time } from "./time/Time.tsx"
import { StillWaiting, stillWaiting, Waiting } from "./Waiting.tsx"
import "./loaded.css"

export const Problem = ({ children }: { readonly children: ReactNode }) => (
  <p className="problem" role="status">
    {children}
  </p>
)

/** The error of a read, and a way to continue if there is one. */
export const ReadProblem = ({ problem }: { readonly problem: ShownProblem }) => (
  <Problem>
    {problem.message}{" "}
    {problem.isWrongKey ? (
      <button type="button" className="link" onClick={() => setKey(undefined)}>
        Use another key
      </button>
    ) : null}
  </Problem>
)

/** Marks the content below as stale, so that old figures are not taken for the newest ones. */
const Old = ({ readAt }: { readonly readAt: number | undefined }) =>
  readAt === undefined ? null : (
    <p className="quiet" data-old>
      What is below was read at <Time millis={readAt} />, and may be different by now.
    </p>
  )

/** That the content below is older than a read in progress which takes long. */
const Late = ({ readAt }: { readonly readAt: number | undefined }) => (
  <>
    <p className="quiet" role="status">
      {stillWaiting}
    </p>
    <Old readAt={readAt} />
  </>
)

/** The error, and that the content below is older than it. */
export const Outdated = ({
  problem,
  readAt
}: {
  readonly problem: ShownProblem
  readonly readAt: number | undefined
}) => (
  <>
    <ReadProblem problem={problem} />
    <Old readAt={readAt} />
  </>
)

/** The content once it is loaded: before that a placeholder, and above it the error since. */
export const Loaded = <A,>({
  children,
  live,
  waiting
}: {
  readonly live: Live<A>
  readonly waiting: string
  readonly children: (value: A) => ReactNode
}) => (
  <>
    {live.problem === undefined ? null : <ReadProblem problem={live.problem} />}
    {live.value === undefined ? (
      live.problem === undefined ? (
        <Waiting>{waiting}</Waiting>
      ) : null
    ) : (
      <>
        {live.problem === undefined ? null : <Old readAt={live.readAt} />}
        {live.isStale ? <StillWaiting /> : null}
        {live.isLate && !live.isStale && live.problem === undefined ? <Late readAt={live.readAt} /> : null}
        <div
          className={live.isStale ? "stale" : live.problem === undefined ? undefined : "old"}
          aria-busy={live.isStale}
        >
          {children(live.value)}
        </div>
      </>
    )}
  </>
)
