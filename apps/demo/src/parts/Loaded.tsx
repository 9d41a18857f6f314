import type { ReactNode } from "react"
import { setKey } from "../service/Key.ts"
import { isWrongKey } from "../service/Sentence.ts"
import type { Live } from "../service/useLive.ts"
import { Time } from "./time/Time.tsx"
import "./loaded.css"

/** The error, and a way to continue if there is one. */
export const Problem = ({ children }: { readonly children: string }) => (
  <p className="problem" role="status">
    {children}{" "}
    {isWrongKey(children) ? (
      <button type="button" className="link" onClick={() => setKey(undefined)}>
        Use another key
      </button>
    ) : null}
  </p>
)

/** Marks the content below as stale, so that old figures are not taken for the newest ones. */
const Old = ({ readAt }: { readonly readAt: number | undefined }) =>
  readAt === undefined ? null : (
    <p className="quiet" data-old>
      What is below was read at <Time millis={readAt} />, and may be different by now.
    </p>
  )

/** The error, and that the content below is older than it. */
export const Outdated = ({ problem, readAt }: { readonly problem: string; readonly readAt: number | undefined }) => (
  <>
    <Problem>{problem}</Problem>
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
    {live.problem === undefined ? null : <Problem>{live.problem}</Problem>}
    {live.value === undefined ? (
      live.problem === undefined ? (
        <p className="quiet waiting">{waiting}</p>
      ) : null
    ) : (
      <>
        {live.problem === undefined ? null : <Old readAt={live.readAt} />}
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
