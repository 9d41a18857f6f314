import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeAbiParameters, encodePacked, getAddress, getContractAddress, keccak256 } from "viem"
import { allPresets, forks } from "../../../src/dex/presets/ForkPresets.ts"
import { defaultProtocol } from "../../../src/dex/ProtocolIds.ts"
import { toIndexConfigs } from "../../../src/program/IndexConfigs.ts"

const Artifact = Schema.fromJsonString(Schema.Struct({ bytecode: Schema.String }))

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
  "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f",
  "0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6",
  "0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9",
  "0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf",
  "0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C",
  "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
  "0x0b3e328455c4059EEb9e3f84b5543F74E24e7E1b",
  "0x1097053Fd2ea711dad45caCcc45EfF7548fCB362",
  "0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73",
  "0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E",
  "0x411b0fAcC3489691f28ad58c47006AF5E3Ab3A28",
  "0xC5396866754799B9720125B104AE01d935Ab9C7b",
  "0x36077D39cdC65E1e3FB65810430E5b2c4D5fA29E",
  "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf"
]

const [usdc, tether] = ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xdAC17F958D2ee523a2206206994597C13D831ec7"]
const ofBnb = "0x55d398326f99059fF775485246999027B3197955"
const ofArbitrum = "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
const ofBase = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"
const bridged = "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA"

/** The dollar in the stable pool of each exchange on each blockchain. */
const dollars: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "pancakeswap-v3": { ethereum: tether, bnb: ofBnb, arbitrum: ofArbitrum, base: bridged },
  "pancakeswap-v2": { ethereum: usdc, bnb: ofBnb, arbitrum: ofArbitrum, base: bridged },
  "uniswap-v2": {
    ethereum: usdc,
    arbitrum: ofArbitrum,
    optimism: "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
    base: ofBase,
    polygon: "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
    bnb: ofBnb,
    avalanche: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E"
  },
  "quickswap-v3": { polygon: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174" },
  "quickswap-v4": { base: ofBase },
  hydrex: { base: ofBase }
}

/** What creates the pools with ticks of an exchange. The hash is that of the creation code in the npm package. */
interface Creation {
  readonly deployer: `0x${string}`
  readonly codeHash: `0x${string}`
  /** Of the stable pools. Absent for Algebra, whose pools have no fee of their own. */
  readonly fee?: number
}

/** Of Algebra 1.0. */
const firstHash = "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4"

/** Of Integral 1.2.2. */
const integralHash = "0xa18736c3ee97fe3c96c9428c0cc2a9116facec18e84f95f9da30543f8238a782"

const creations: Readonly<Record<string, Creation>> = {
  "pancakeswap-v3": {
    deployer: "0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9",
    codeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
    fee: 500
  },
  "quickswap-v3": { deployer: "0x2D98E2FA9da15aa6dC9581AB097Ced7af697CB92", codeHash: firstHash },
  "quickswap-v4": { deployer: "0xE08026Fd8537d67C501199610c42D08bB34eAa75", codeHash: integralHash },
  hydrex: { deployer: "0x1595A5D101d69D2a2bAB2976839cC8eeEb13Ab94", codeHash: integralHash }
}

/** In the order of a pool. */
const sorted = (one: string, other: string) => {
  const [token0, token1] = one.toLowerCase() < other.toLowerCase() ? [one, other] : [other, one]
  return [getAddress(token0), getAddress(token1)] as const
}

const poolAddress = ({ codeHash, deployer, fee }: Creation, one: string, other: string): string => {
  const pair = sorted(one, other)
  const types = [{ type: "address" }, { type: "address" }] as const
  const encoded =
    fee === undefined
      ? encodeAbiParameters(types, pair)
      : encodeAbiParameters([...types, { type: "uint24" }], [...pair, fee])
  const salt = keccak256(encoded)
  return getContractAddress({ opcode: "CREATE2", from: deployer, salt, bytecodeHash: codeHash }).toLowerCase()
}

/** Hashes of the creation code of a pair: of Uniswap V2, and the two of PancakeSwap V2 (its v2-sdk). */
const pairHashes = {
  uniswap: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
  onBnb: "0x00fb7f630766e6a796048ea87d01acd3068e8ff67d078148a3fa3f4a84f69bd5",
  elsewhere: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d"
} as const

const pairHashOf = ({ blockchain, dex }: (typeof forks)[number]) => {
  if (dex.id === "uniswap-v2") return pairHashes.uniswap
  return blockchain === "bnb" ? pairHashes.onBnb : pairHashes.elsewhere
}

/** The factory of pairs creates them. */
const pairAddress = (fork: (typeof forks)[number], one: string, other: string): string => {
  const salt = keccak256(encodePacked(["address", "address"], sorted(one, other)))
  const from = getAddress(fork.dex.factory)
  return getContractAddress({ opcode: "CREATE2", from, salt, bytecodeHash: pairHashOf(fork) }).toLowerCase()
}

describe("presets of forks", () => {
  it("are those of six exchanges", () => {
    const names = Object.entries(dollars).flatMap(([id, blockchains]) =>
      Object.keys(blockchains).map((blockchain) => `${id}-${blockchain}`)
    )
    assert.deepStrictEqual(
      forks.map(({ blockchain, dex }) => `${dex.id}-${blockchain}`),
      names
    )
  })

  it("state the fee of a fork of Uniswap V2 that has another one", () => {
    assert.deepStrictEqual(
      forks.filter(({ dex }) => dex.fee !== undefined).map(({ dex }) => [dex.id, dex.protocol, dex.fee]),
      forks.filter(({ dex }) => dex.id === "pancakeswap-v2").map(({ dex }) => [dex.id, "uniswap-v2", 2500])
    )
  })

  it("know the creation code of a pair of Uniswap V2, and of a pool of Algebra 1.0, as they are published", () => {
    const { resolve } = createRequire(new URL("../../../../sandbox/package.json", import.meta.url))
    const hashOf = (path: string) => {
      const { bytecode } = Schema.decodeUnknownSync(Artifact)(readFileSync(resolve(path), "utf8"))
      return keccak256(`0x${bytecode.replace("0x", "")}`)
    }
    assert.strictEqual(hashOf("@uniswap/v2-core/build/UniswapV2Pair.json"), pairHashes.uniswap)
    assert.strictEqual(hashOf("@cryptoalgebra/v1-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json"), firstHash)
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
      const file = readFileSync(new URL(`../../../presets/${dex.id}/${blockchain}.json`, import.meta.url), "utf8")
      const ofTokens = [dex.whitelist, dex.stablecoins].flatMap((list) => (list === undefined ? [] : [list.length + 2]))
      assert.isAtMost(file.trimEnd().split("\n").length - ofTokens.reduce((sum, lines) => sum + lines, 0), 30)
    }
  })

  describe.each(forks.map((fork) => [`${fork.dex.id}-${fork.blockchain}`, fork] as const))("%s", (name, fork) => {
    const { blockchain, dex, evidence } = fork
    const preset = allPresets.get(name)
    const model = allPresets.get(blockchain)

    it("has the stable pool that its creator gives to the wrapped coin and a dollar", () => {
      const dollar = dollars[dex.id]?.[blockchain] ?? ""
      const coin = model?.dex.referenceToken ?? ""
      const creation = creations[dex.id]
      const isPair = creation === undefined
      assert.strictEqual(isPair, dex.protocol === "uniswap-v2")
      assert.strictEqual(dex.stablePool, isPair ? pairAddress(fork, coin, dollar) : poolAddress(creation, coin, dollar))
      // A preset that states no tokens has those of its blockchain.
      for (const stated of [dex.whitelist, dex.stablecoins]) {
        if (stated !== undefined) assert.include(stated, dollar.toLowerCase())
      }
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
        key: `${dex.id}/${blockchain}`,
        protocol: dex.protocol ?? defaultProtocol,
        factory: dex.factory
      })
      assert.strictEqual(index?.chainId, model?.blockchain.chainId)
    })
  })
})
