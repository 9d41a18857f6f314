import { Effect, Record } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import { protocolNames } from "../../ProtocolIds.ts"
import type { ProtocolId } from "../../ProtocolIds.ts"
import { callAt, encodeCall, readUint, selectors } from "../decode/ContractCall.ts"
import { protocols } from "../protocol/Protocols.ts"
import type { ChainReader } from "./ChainReader.ts"

/** The protocol of a factory. */
export interface FactoryProtocol {
  readonly name: string
  /** Undefined if no index can read it. */
  readonly id: ProtocolId | undefined
}

interface Candidate extends FactoryProtocol {
  /** Functions that a factory of the protocol has. */
  readonly calls: ReadonlyArray<string>
}

const algebra = encodeCall(selectors.poolByPair, 0, 0)

const candidates: ReadonlyArray<Candidate> = [
  ...Record.toEntries(protocols).map(([id, { factoryCalls }]) => ({
    id,
    name: protocolNames[id],
    calls: factoryCalls
  })),
  { id: undefined, name: "Algebra", calls: [algebra] },
  // The last one: defaultCommunityFee().
  { id: undefined, name: "Algebra 1.9", calls: [algebra, selectors.baseFeeConfiguration, "0x2f8a39dd"] },
  { id: undefined, name: "Slipstream", calls: [encodeCall("0x380dc1c2", 1)] } // tickSpacingToFee(1)
]

const calls = [...new Set(candidates.flatMap((candidate) => candidate.calls))]

/**
 * The protocol of a factory, if it is known: of those whose functions the factory has, the one with the most, because
 * a fork has the functions of its model too.
 */
export const findProtocol = (
  reader: ChainReader,
  factory: string,
  blockHash: string
): Effect.Effect<FactoryProtocol | undefined, BlockSourceError> =>
  reader.calls(
    calls.map((data): RpcCall => ({ ...callAt(blockHash, factory, data), mayFail: true })),
    (replies) =>
      Effect.sync(() => {
        const answered = new Set(calls.filter((_, index) => readUint(replies[index]) !== undefined))
        const found = candidates.filter((candidate) => candidate.calls.every((call) => answered.has(call)))
        return found.toSorted((a, b) => b.calls.length - a.calls.length)[0]
      })
  )
