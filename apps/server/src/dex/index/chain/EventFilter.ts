import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { protocols, toProtocolId } from "../protocol/Protocols.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import type { Keccak } from "../verify/Keccak.ts"
import { toBytes } from "../verify/Rlp.ts"

const bloomBytes = 256

/** The three bits of 2048 that a value sets, as byte and mask (yellow paper, section 4.3.1). */
type Bits = ReadonlyArray<readonly [byte: number, mask: number]>

const toBits = (keccak: Keccak, hex: string): Bits => {
  const hash = keccak(toBytes(hex))
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) + (hash[at + 1] ?? 0)) & 2047
    return [bloomBytes - 1 - (bit >> 3), 1 << (bit & 7)] as const
  })
}

const maxKnown = 500_000

/** Tests blooms. Remembers the bits of values, because the same addresses are tested with every block. */
const makeBloomTest = (keccak: Keccak) => {
  const known = new Map<string, Bits>()
  const getBits = (hex: string): Bits => {
    const found = known.get(hex)
    if (found !== undefined) return found
    const bits = toBits(keccak, hex)
    if (known.size < maxKnown) known.set(hex, bits)
    return bits
  }
  /** Whether a log with this address or topic may be in the block. False proves that there is none. */
  return (bloom: Uint8Array, hex: string): boolean =>
    getBits(hex).every(([byte, mask]) => ((bloom[byte] ?? 0) & mask) !== 0)
}

/** Which logs and blocks may have events of a deployment. */
export const makeEventFilter = (config: IndexConfig, keccak: Keccak) => {
  const { factoryTopics, poolTopics } = protocols[toProtocolId(config)]
  const signatures = [...factoryTopics, ...poolTopics]
  const onlyPool = config.onlyPool?.toLowerCase()
  const mayContain = makeBloomTest(keccak)
  return {
    signatures,
    /** Whether the log may be an event of a deployment. */
    isEvent: ({ topics: [signature] }: BlockLog): boolean => signature !== undefined && signatures.includes(signature),
    /** Whether the block may have events: false proves that it has none. */
    mayHaveEvents: ({ isHashed, logsBloom, number }: BlockHeader): boolean =>
      isHashed !== true ||
      logsBloom === undefined ||
      (signatures.some((topic) => mayContain(logsBloom, topic)) &&
        (onlyPool === undefined || number === config.startBlock || mayContain(logsBloom, onlyPool)))
  }
}
