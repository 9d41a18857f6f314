import type { Coverage } from "@chaintape/core"

const words = {
  complete: ["complete", "The service proves that no trade is missing between the first and the last that it gave."],
  incomplete: ["incomplete", "The service says that trades are missing: they are read again when it has them."],
  unverifiable: ["not provable", "This exchange gives no means to tell whether a trade is missing."]
} as const satisfies Record<Coverage["state"], readonly [string, string]>

/** What is proven about the trades of the tape. */
export const Proof = ({ state }: { readonly state: Coverage["state"] | undefined }) => {
  if (state === undefined) return null
  const [word, sentence] = words[state]
  return (
    <span className={`badge ${state}`} title={sentence} data-coverage={state}>
      {word}
    </span>
  )
}
