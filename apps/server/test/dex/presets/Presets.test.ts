import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, getAddress, getContractAddress, keccak256 } from "viem"
import type { Address } from "viem"
import { arbitrum, avalanche, base, bsc, celo, mainnet, optimism, polygon } from "viem/chains"
import { presetFacts, presets } from "../../../src/dex/presets/Presets.ts"
import type { Preset } from "../../../src/dex/presets/Presets.ts"

const chains = { ethereum: mainnet, arbitrum, optimism, base, polygon, bnb: bsc, avalanche, celo }

type ChainId = keyof typeof chains

const chainIds = [
  "ethereum",
  "arbitrum",
  "optimism",
  "base",
  "polygon",
  "bnb",
  "avalanche",
  "celo"
] as const satisfies ReadonlyArray<ChainId>

/** The stable pool of each: its other token, as token lists spell it, and its fee. */
const stablePools: Record<ChainId, { readonly token: Address; readonly fee: number }> = {
  ethereum: { token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", fee: 3000 },
  arbitrum: { token: "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8", fee: 3000 },
  optimism: { token: "0x7F5c764cBc14f9669B88837ca1490cCa17c31607", fee: 500 },
  base: { token: "0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA", fee: 500 },
  polygon: { token: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174", fee: 500 },
  bnb: { token: "0x55d398326f99059fF775485246999027B3197955", fee: 500 },
  avalanche: { token: "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E", fee: 500 },
  celo: { token: "0x765DE816845861e75A25fCA122bb6898B8B1282a", fee: 3000 }
}

const lusd = "0x5f98805A4E8be255a32880FDeC7F6728C6568bA0"

/**
 * Every address except those of computed pools, in the letter case of the sources: a checksum that detects a wrong
 * digit.
 */
const checksummed: Record<ChainId, ReadonlyArray<string>> = {
  ethereum: [
    "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "0x6B175474E89094C44Da98b954EedeAC495271d0F",
    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    "0x0000000000085d4780B73119b644AE5ecd22b376",
    "0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599",
    "0x5d3a536E4D6DbD6114cc1Ead35777bAB948E3643",
    "0x39AA39c021dfbaE8faC545936693aC917d5E7563",
    "0x86FADb80d8D2cff3C3680819E4da99C10232Ba0F",
    "0x57Ab1ec28D129707052df4dF418D58a2D46d5f51",
    "0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2",
    "0xc00e94Cb662C3520282E6f5717214004A7f26888",
    "0x514910771AF9Ca656af840dff83E8264EcF986CA",
    "0xC011a73ee8576Fb46F5E1c5751cA3B9Fe0af2a6F",
    "0x0bc529c00C6401aEF6D220BE8C6Ea1667F6Ad93e",
    "0x111111111117dC0aa78b770fA6A738034120C302",
    "0xdF5e0e81Dff6FAF3A7e52BA697820c5e32D806A8",
    "0x956F47F50A910163D8BF957Cf5846D573E7f87CA",
    "0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0",
    "0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9",
    "0xFe2e637202056d30016725477c5da089Ab0A043A",
    "0x4dd28568D05f09b02220b09C2cb307bFd837cb95",
    "0x8Fe8D9bb8Eeba3Ed688069c3D6b556C9ca258248",
    "0xE0B7927c4aF23765Cb51314A0E0521A9645F0E2A",
    "0xEB9951021698B42e4399f9cBb6267Aa35F82D59D",
    "0xbdEB4b83251Fb146687fa19D1C660F99411eefe3",
    "0xBB9bc244D798123fDe783fCc1C72d3Bb8C189413",
    "0x38c6A68304cdEfb9BEc48BbFaABA5C5B47818bb2"
  ],
  arbitrum: [
    "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
    "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8",
    "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1",
    "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
    "0xaf88d065e77c8cC2239327C5EDb3A432268e5831"
  ],
  optimism: [
    "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    "0x4200000000000000000000000000000000000006",
    "0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1",
    "0x7F5c764cBc14f9669B88837ca1490cCa17c31607",
    "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
    "0x4200000000000000000000000000000000000042",
    "0x9e1028F5F1D5eDE59748FFceE5532509976840E0",
    "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb",
    "0x68f180fcCe6836688e9084f035309E29Bf0A2095",
    "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
    "0x282B7d6bef6C78927f394330DCA297eCa2bD18cd",
    "0x5738dE8D0B864D5ef5d65b9E05B421b71f2c2Eb4",
    "0x5500721E5A063F0396C5e025A640e8491EB89aAC",
    "0x1FfD370F9D01F75DE2cC701956886aCeC9749e80"
  ],
  base: [
    "0x33128a8fC17869897dcE68Ed026d694621f6FDfD",
    "0x4200000000000000000000000000000000000006",
    "0x1111111111166b7FE7bd91427724B487980aFc69"
  ],
  polygon: [
    "0x1F98431c8aD98523631AE4a59f267346ea31F984",
    "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
    "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619",
    "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
    "0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063",
    "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
    "0xc2132D05D31c914a87C6611C10748AEb04B58e8F"
  ],
  bnb: [
    "0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7",
    "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
    "0xe9e7CEA3DedcA5984780Bafc599bD69ADd087D56",
    "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
    "0x55d398326f99059fF775485246999027B3197955"
  ],
  avalanche: [
    "0x740b1c1de25031C31FF4fC9A62f554A55cdC1baD",
    "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7",
    "0xd586E7F844cEa2F87f50152665BCbc2C279D8d70",
    "0xbA7dEebBFC5fA1100Fb055a87773e1E99Cd3507a",
    "0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664",
    "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
    "0xc7198437980c041c805A1EDcbA50c1Ce5db95118",
    "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7",
    "0x130966628846BFd36ff31a822705796e8cb8C18D"
  ],
  celo: [
    "0xAfE208a311B21f13EF87E33A90049fC17A7acDEc",
    "0x471EcE3750Da237f93B8E339c536989b8978a438",
    "0x765DE816845861e75A25fCA122bb6898B8B1282a",
    "0xef4229c8c3250C675F21BCefa42f58EfbfF6002a",
    "0xcebA9300f2b948710d2653dD7B07f33A8B32118C",
    "0xD8763CBa276a3738E6DE85b4b3bF5FDed6D6cA73",
    "0xe8537a3d056DA446677B9E9d6c5dB704EaAb4787",
    "0x46c9757C5497c5B1f2eb73aE79b6B67D119B0B58",
    "0x17700282592D6917F6A73D0bF8AcCf4D578c131e",
    "0x66803FB87aBd4aaC3cbB3fAd7C3aa01f6F3FB207",
    "0xBAAB46E28388d2779e6E31Fd00cF0e5Ad95E327B",
    "0xD221812de1BD094f35587EE8E174B07B6167D9Af",
    "0x48065fbBE25f71C9282ddf5e1cD6D6A887483D5e"
  ]
}

const toPreset = (id: ChainId): Preset => {
  const preset = presets.get(id)
  if (preset === undefined) throw new Error(`There is no preset "${id}".`)
  return preset
}

const toAddresses = ({ dex }: Preset): ReadonlyArray<string> => [
  dex.factory,
  ...dex.whitelist,
  ...dex.stablecoins,
  ...dex.skipPools,
  ...dex.tokenOverrides.map(({ token }) => token)
]

/** The address of a pool by its factory. */
const poolAddress = (factory: string, one: string, other: string, fee: number): string => {
  const [token0, token1] = one.toLowerCase() < other.toLowerCase() ? [one, other] : [other, one]
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "uint24" }],
      [getAddress(token0), getAddress(token1), fee]
    )
  )
  return getContractAddress({
    opcode: "CREATE2",
    from: getAddress(factory),
    salt,
    bytecodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54"
  }).toLowerCase()
}

describe("presets", () => {
  it("are those of eight blockchains", () => {
    assert.deepStrictEqual([...presets.keys()], [...chainIds])
  })

  it("skip the swaps of the pool that the factory of Ethereum gives to LUSD and the wrapped coin", () => {
    const { factory, referenceToken, skipSwaps } = toPreset("ethereum").dex
    assert.deepStrictEqual(skipSwaps, [{ pool: poolAddress(factory, lusd, referenceToken, 3000) }])
  })

  describe.each(chainIds)("%s", (id) => {
    const preset = toPreset(id)
    const { blockchain, dex, evidence } = preset

    it("has the chain's own number, name and coin", () => {
      const chain = chains[id]
      const { finality: _, ...ofChain } = blockchain
      assert.deepStrictEqual(ofChain, {
        id,
        name: chain.name,
        chainId: chain.id,
        nativeCoin: chain.nativeCurrency.symbol
      })
    })

    it("has addresses whose checksums are right, in lower case", () => {
      for (const address of checksummed[id]) assert.strictEqual(getAddress(address.toLowerCase()), address)
      assert.deepStrictEqual(
        [...new Set(toAddresses(preset))].toSorted(),
        checksummed[id].map((address) => address.toLowerCase()).toSorted()
      )
    })

    it("has the stable pool that its factory gives to the wrapped coin and a dollar", () => {
      const { fee, token } = stablePools[id]
      assert.strictEqual(dex.stablePool, poolAddress(dex.factory, dex.referenceToken, token, fee))
    })

    it("counts the wrapped coin among the whitelist, and takes no pool or wrapped coin for a stablecoin", () => {
      assert.include(dex.whitelist, dex.referenceToken)
      assert.notInclude(dex.whitelist, dex.stablePool)
      assert.notInclude(dex.stablecoins, dex.stablePool)
      assert.notInclude(dex.stablecoins, dex.referenceToken)
      assert.notInclude(dex.skipPools, dex.stablePool)
    })

    it("lists nothing twice", () => {
      const skipped = dex.skipSwaps.map(({ block, pool }) => `${pool}@${block ?? "always"}`)
      const overridden = dex.tokenOverrides.map(({ token }) => token)
      for (const values of [dex.whitelist, dex.stablecoins, dex.skipPools, skipped, overridden]) {
        assert.deepStrictEqual([...new Set(values)], [...values])
      }
    })

    it("has the older pools where its factory puts them", () => {
      const seeds = dex.seedPools ?? []
      assert.strictEqual(seeds.length, id === "optimism" ? 103 : 0)
      assert.strictEqual(new Set(seeds.map(({ pool }) => pool)).size, seeds.length)
      for (const { fee, pool, token0, token1 } of seeds) {
        assert.isTrue(BigInt(token0) < BigInt(token1), pool)
        assert.strictEqual(pool, poolAddress(dex.factory, token0, token1, fee))
      }
    })

    it("has a source for every fact", () => {
      const facts = presetFacts.filter(
        (fact) =>
          (fact !== "seedPools" || dex.seedPools !== undefined) &&
          (fact !== "fee" || dex.fee !== undefined) &&
          (fact !== "finality" || blockchain.finality !== undefined)
      )
      assert.deepStrictEqual(new Set(evidence.map((one) => one.for)), new Set(facts))
    })
  })
})
