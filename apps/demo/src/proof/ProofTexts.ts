import type { Answer, AsOf, Coverage } from "@chaintape/core"
import * as Option from "effect/Option"

const sources = {
  record: "Trades that this service recorded",
  ccxt: "The exchange, read for this request",
  index: "The index of this service, computed from the logs of the chain",
  subgraph: "A subgraph, which computes it elsewhere",
  rpc: "A node of the chain"
} as const

const isSource = (name: string): name is keyof typeof sources => Object.hasOwn(sources, name)

/** The sources of a response, which separates them by commas. */
export const toSourceText = (source: string): string =>
  source
    .split(",")
    .map((name) => name.trim())
    .map((name) => (isSource(name) ? `${sources[name]} (${name})` : name))
    .join("; ")

/** By what a figure as of a block is proven. */
export const toProofText = ({ proven }: AsOf): string =>
  proven
    ? "Proven. Every log up to this block was checked against the receipts root of its header, and the headers are linked."
    : "Not proven: the logs up to this block were not checked against the headers, or not all of them yet."

export const toFinalityText = ({ finalized }: AsOf): string =>
  finalized ? "Final: no reorg is expected to replace this block." : "Not final: a reorg can still replace this block."

export const coverageTexts = {
  complete: "Proven: no trade is missing in this range.",
  incomplete: "Not proven: trades are missing in this range, or may be. The exchange may never return some of them.",
  unverifiable: "Not proven: this exchange does not number its trades, or no recorded trades cover this range."
} as const satisfies Record<Coverage["state"], string>

/** Nothing is proven about the response of a node itself. */
export const isStatedOnly = ({ coverage, source }: Answer<unknown>): boolean =>
  Option.isNone(coverage) && Option.contains(source, "rpc")
