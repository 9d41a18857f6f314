import type { Coverage } from "@chaintape/core"

const words = {
  complete: ["complete", "The service proves that no trade is missing between the first and the last that it gave."],
  incomplete: [
    "incomplete",
    "The service says that trades are missing: they are read again until it proves otherwise."
  ],
  unverifiable: ["not provable", "This exchange gives no means to tell whether a trade is missing."]
} as const satisfies Record<Coverage["state"], readonly [string, string]>

/** What the newest response proves about its trades. */
export const Proof = ({ coverage }: { readonly coverage: Coverage | undefined }) => {
  if (coverage === undefined) return null
  const [word, sentence] = words[coverage.state]
  return (
    <span className={`badge ${coverage.state}`} title={sentence} data-coverage={coverage.state}>
      {word}
    </span>
  )
}
