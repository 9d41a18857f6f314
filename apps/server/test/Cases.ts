/**
 * How many cases a test runs: `few` in `pnpm test`, which must be enough to find each defect that the test is about, and
 * `many` in `pnpm test:faults`. `variable` sets another number.
 */
export const casesOf = (variable: string, { few, many }: { readonly few: number; readonly many: number }): number =>
  Number(process.env[variable] ?? (process.env["CHAINTAPE_CASES"] === "many" ? many : few))

/** Whether this run takes the time for what few cases leave out. */
export const runsMany = process.env["CHAINTAPE_CASES"] === "many"
