import type { Recording } from "../service/Status.ts"

/** Whether consecutive ids prove that no trade is missing, and the newest ones are known. */
export const isComplete = ({
  continuity,
  gapCount,
  missing,
  state
}: Pick<Recording, "continuity" | "gapCount" | "missing" | "state">): boolean =>
  continuity === "sequence" && state === "live" && gapCount === 0 && missing === 0
