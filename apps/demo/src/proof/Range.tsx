import type { Coverage } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { Time } from "../parts/time/Time.tsx"

const toMillis = Option.match({ onNone: () => undefined, onSome: DateTime.toEpochMillis })

/** The range that a coverage is about. */
export const Range = ({ coverage }: { readonly coverage: Coverage }) => {
  const [from, to] = [toMillis(coverage.from), toMillis(coverage.to)]
  return from === undefined || to === undefined ? (
    "the trades of the response"
  ) : (
    <>
      <Time millis={from} withDate /> to <Time millis={to} withDate />
    </>
  )
}
