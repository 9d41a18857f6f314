import type { Answer } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import { countRequests } from "../../service/Budget.ts"
import type { Packages } from "../../service/Session.tsx"
import { usePolling } from "../../service/usePolling.ts"
import type { Moment } from "./Deployment.ts"
import { at } from "./Deployment.ts"

/** Nothing is requested while the slider moves. */
const rest = "150 millis"

/**
 * Reads at a moment, which the value states: while the next one is read it is the one before. `name` identifies the
 * read. After a failure there is no value: only the problem is shown.
 */
export const useAt = <A, E>(
  moment: Moment,
  name: string,
  read: (dex: Dex["Service"]) => Effect.Effect<Answer<A>, E, Packages>
) => {
  const live = usePolling(
    `${name} ${JSON.stringify(at(moment))}`,
    Effect.flatMap(Dex, (dex) => countRequests(read(dex))).pipe(
      Effect.map((answer) => ({ ...answer, moment })),
      Effect.delay(moment.block === undefined ? 0 : rest)
    ),
    undefined,
    moment.version
  )
  return live.problem === undefined ? live : { ...live, value: undefined }
}
