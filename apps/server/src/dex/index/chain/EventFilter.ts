import type { BlockLog } from "../decode/RpcLog.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { protocols, toProtocolId } from "../protocol/Protocols.ts"
import type { BlockHeader } from "../verify/BlockHeader.ts"
import { makeBloomTest } from "../verify/Bloom.ts"
import type { Keccak } from "../verify/Keccak.ts"

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
