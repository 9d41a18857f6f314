import type { ReactNode } from "react"
import { setKey } from "../service/Key.ts"
import { isWrongKey } from "../service/Sentence.ts"
import type { Live } from "../service/useLive.ts"
import { Time } from "./Time.tsx"

/** What went wrong, and the way on where there is one. */
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

/** Says of what stands below that it is not of now: nobody should take old figures for the newest ones. */
export const Old = ({ readAt }: { readonly readAt: number | undefined }) =>
  readAt === undefined ? null : (
    <p className="quiet" data-old>
      What is below was read at <Time millis={readAt} />, and may be different by now.
    </p>
  )

/** What is known, once something is: before that a sentence, and what went wrong since above it. */
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
