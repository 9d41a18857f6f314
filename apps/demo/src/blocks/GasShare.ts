import type { Block } from "@chaintape/core"

/** The share of the gas limit that a block used. */
export const gasShare = ({ gasLimit, gasUsed }: Block): string =>
  gasLimit === 0n ? "0 %" : `${((Number(gasUsed) / Number(gasLimit)) * 100).toFixed(1)} %`
