import { Clock, Context, Effect, Layer } from "effect"
import { LruMap } from "../internal/LruMap.ts"
import { monotonicMillisOf } from "../internal/monotonic.ts"

/** What whoever made an answer says of it, so that it can be sent again. */
export interface Keeping {
  /** Whether the same question would be answered alike at this moment. */
  readonly isTrue: () => boolean
  /** The body, where the answer sends it in parts. */
  readonly parts?: ReadonlyArray<Uint8Array>
  /** Takes what the answer needs while it is sent, and answers how to give it back; undefined where there is none. */
  readonly enter?: () => (() => void) | undefined
}

/** An answer as it was sent, without what was said of its request. */
export interface KeptAnswer extends Keeping {
  readonly group: string
  readonly operation: string
  /** The path of its operation, `:name` in place of each parameter. */
  readonly route: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | ReadonlyArray<Uint8Array>
  readonly bytes: number
}

/** Milliseconds. What is given up beside the answer, such as old days of a tape, is gone from it by then. */
const longest = 10_000

const mostAnswers = 4096
const mostBytes = 64 * 1024 * 1024
/** Of one: 50,000 trades have less. */
const largest = mostBytes / 8

interface Kept {
  readonly answer: KeptAnswer
  readonly since: number
}

/** Answers in memory for as long as they are true. */
export class KeptAnswers extends Context.Service<
  KeptAnswers,
  {
    /** Says of the answer to a request, which is named by an object of its own, how long it is true. */
    readonly say: (request: object, keeping: Keeping) => void
    readonly saidOf: (request: object) => Keeping | undefined
    /** `place` is the question: equal places have equal answers. */
    readonly put: (place: string, answer: KeptAnswer) => void
    readonly find: (place: string) => KeptAnswer | undefined
  }
>()("@chaintape/server/answers/KeptAnswers") {
  static readonly layer = Layer.effect(
    KeptAnswers,
    Effect.map(Clock.Clock, (clock) => {
      const said = new WeakMap<object, Keeping>()
      const kept = new LruMap<string, Kept>({
        entries: mostAnswers,
        weight: { most: mostBytes, of: ({ answer }) => answer.bytes }
      })
      return KeptAnswers.of({
        say: (request, keeping) => void said.set(request, keeping),
        saidOf: (request) => said.get(request),
        put: (place, answer) => {
          if (answer.bytes > largest) kept.delete(place)
          else kept.set(place, { answer, since: monotonicMillisOf(clock) })
        },
        find: (place) => {
          const found = kept.get(place)
          if (found === undefined) return undefined
          if (monotonicMillisOf(clock) - found.since >= longest || !found.answer.isTrue()) {
            kept.delete(place)
            return undefined
          }
          return found.answer
        }
      })
    })
  )
}
