import type { Answer } from "@chaintape/core"
import * as Option from "effect/Option"
import { useEffect } from "react"
import type { Moment } from "./Deployment.ts"

type ResponseAt = Pick<Answer<unknown>, "asOf"> & { readonly moment: Moment }

/** The block of a response of the newest one; undefined for a response as of a chosen block. */
export const getNewestBlock = (answer: ResponseAt | undefined): number | undefined =>
  answer === undefined || answer.moment.block !== undefined
    ? undefined
    : Option.getOrUndefined(Option.map(answer.asOf, ({ number }) => Number(number)))

/** Reports the block of each response of a live page. */
export const useReportBlock = (answer: ResponseAt | undefined, onBlock: (block: number) => void): void => {
  const block = getNewestBlock(answer)
  useEffect(() => {
    if (block !== undefined) onBlock(block)
  }, [block, onBlock])
}
