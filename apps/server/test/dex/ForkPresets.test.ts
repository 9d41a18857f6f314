import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, getAddress, getContractAddress, keccak256 } from "viem"
import { allPresets, forks } from "../../src/dex/ForkPresets.ts"
import { toIndexConfigs } from "../../src/program/IndexConfigs.ts"

/** In the letter case of the sources: a checksum that detects a wrong digit. */
const checksummed = [
  "0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865",
  "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
  "0x55d398326f99059fF775485246999027B3197955",
  "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56",
  "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
  "0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c",
  "0x2170Ed0880ac9A755fd29B2688956BD959F933F8",
  "0x0E09FaBB73Bd3Ade0a17ECC321fD13a19e81cE82",
  "0x4200000000000000000000000000000000000006",
  "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA",
  "0x2Ae3F1Ec7F1F5012CFEab0185bfc7aa3cf0DEc22",
  "0xB6fe221Fe9EeF5aBa221c348bA20A1Bf5e73624c",
  "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
  "0x417Ac0e078398C154EdFadD9Ef675d30Be60Af93",
  "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
]

const stablePools: Readonly<Record<string, { readonly token: string; readonly fee: number }>> = {
  ethereum: { token: "0xdAC17F958D2ee523a2206206994597C13D831ec7", fee: 500 },
  bnb: { token: "0x55d398326f99059fF775485246999027B3197955", fee: 500 },
  arbitrum: { token: "0xaf88d065e77c8cC2239327C5EDb3A432268e5831", fee: 500 },
  base: { token: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", fee: 500 }
}

/** The deployer of PancakeSwap V3 creates the pools; the hash is that of the creation code in the npm package. */
const deployer = "0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9"
const codeHash = "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2"

const poolAddress = (one: string, other: string, fee: number): string => {
  const [token0, token1] = one.toLowerCase() < other.toLowerCase() ? [one, other] : [other, one]
  const types = [{ type: "address" }, { type: "address" }, { type: "uint24" }] as const
  const salt = keccak256(encodeAbiParameters(types, [getAddress(token0), getAddress(token1), fee]))
  return getContractAddress({ opcode: "CREATE2", from: deployer, salt, bytecodeHash: codeHash }).toLowerCase()
}

describe("presets of forks", () => {
  it("are those of PancakeSwap V3 on four blockchains", () => {
    assert.deepStrictEqual(
      forks.map(({ blockchain, dex }) => `${dex.id}-${blockchain}`),
      ["ethereum", "bnb", "arbitrum", "base"].map((blockchain) => `pancakeswap-v3-${blockchain}`)
    )
  })

  it("have addresses whose checksums are right, in lower case", () => {
    for (const address of checksummed) assert.strictEqual(getAddress(address.toLowerCase()), address)
    const stated = forks.flatMap(({ dex }) => [dex.factory, ...(dex.whitelist ?? []), ...(dex.stablecoins ?? [])])
    assert.sameMembers(
      [...new Set(stated)],
      checksummed.map((address) => address.toLowerCase())
    )
  })

  it("take at most 30 lines, unless they have tokens of their own", () => {
    for (const { blockchain, dex } of forks) {
      const file = readFileSync(new URL(`../../presets/${dex.id}/${blockchain}.json`, import.meta.url), "utf8")
      const ofTokens = [dex.whitelist, dex.stablecoins].flatMap((list) => (list === undefined ? [] : [list.length + 2]))
      assert.isAtMost(file.trimEnd().split("\n").length - ofTokens.reduce((sum, lines) => sum + lines, 0), 30)
    }
  })

  describe.each(forks.map((fork) => [`${fork.dex.id}-${fork.blockchain}`, fork] as const))("%s", (name, fork) => {
    const { blockchain, dex, evidence } = fork
    const preset = allPresets.get(name)
    const model = allPresets.get(blockchain)

    it("has the stable pool that its deployer gives to the wrapped coin and a dollar", () => {
      const { fee, token } = stablePools[blockchain] ?? { fee: 0, token: "" }
      assert.strictEqual(dex.stablePool, poolAddress(model?.dex.referenceToken ?? "", token, fee))
    })

    it("has a source for every fact that it states", () => {
      const { id: _, name: __, protocol: ___, ...facts } = dex
      assert.deepStrictEqual(new Set<string>(evidence.flatMap((one) => one.for)), new Set(Object.keys(facts)))
    })

    it("takes the coin and the rules of its blockchain where it states none, but no pools of the other exchange", () => {
      assert.deepStrictEqual(preset?.blockchain, model?.blockchain)
      assert.strictEqual(preset?.dex.referenceToken, model?.dex.referenceToken)
      assert.strictEqual(preset?.dex.minimumNativeLocked, model?.dex.minimumNativeLocked)
      assert.deepStrictEqual(preset?.dex.whitelist, dex.whitelist ?? model?.dex.whitelist)
      assert.include(preset?.dex.whitelist ?? [], model?.dex.referenceToken)
      assert.deepStrictEqual([preset?.dex.skipPools, preset?.dex.skipSwaps, preset?.dex.seedPools], [[], [], undefined])
    })

    it("is an index of its protocol", () => {
      const [index] = toIndexConfigs({
        blockchains: [{ id: blockchain, name: blockchain, rpc: ["http://127.0.0.1:8545"] }],
        dexes: [{ id: dex.id, name: dex.name, blockchain, source: "index", preset: name }]
      })
      assert.deepInclude(index, {
        key: `pancakeswap-v3/${blockchain}`,
        protocol: "pancakeswap-v3",
        factory: dex.factory
      })
      assert.strictEqual(index?.chainId, model?.blockchain.chainId)
    })
  })
})
