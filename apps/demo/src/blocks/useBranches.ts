import { Blocks } from "@chaintape/blocks"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { useRef } from "react"
import { countRequests } from "../service/Budget.ts"
import { usePolling } from "../service/usePolling.ts"
import { noBranches, observeBlocks } from "./Branches.ts"

export const blocksShown = 48

/** The newest blocks of a chain, polled every second, so that replaced blocks are noticed. */
export const useBranches = (blockchain: string) => {
  const known = useRef(noBranches)
  return usePolling(
    `blocks ${blockchain}`,
    Effect.gen(function* () {
      const blocks = yield* Blocks
      const answer = yield* countRequests(blocks.withResponse.blocks({ blockchain, limit: blocksShown }))
      const now = yield* Clock.currentTimeMillis
      known.current = observeBlocks(known.current, answer.value, Option.getOrUndefined(answer.asOf), now)
      return known.current
    }),
    "1 second"
  )
}
