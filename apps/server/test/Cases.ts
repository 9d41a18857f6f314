/**
 * The number of cases of a test: `few` in `pnpm test`, enough to find each defect that the test is about, and `many` in
 * `pnpm test:faults`. `variable` overrides both.
 */
export const casesOf = (variable: string, { few, many }: { readonly few: number; readonly many: number }): number =>
  Number(process.env[variable] ?? (process.env["CHAINTAPE_CASES"] === "many" ? many : few))

/** Whether this run includes the slow cases. */
export const runsMany = process.env["CHAINTAPE_CASES"] === "many"
