import { assert, describe, it } from "@effect/vitest"
import type { ConfigFile } from "../../src/program/Config.ts"
import { toFinality, toIndexConfigs } from "../../src/program/IndexConfigs.ts"

const rpc = ["http://127.0.0.1:8545"] as const

const getFinality = (id: string, finality?: number, dexes: ConfigFile["dexes"] = []) =>
  toFinality({ dexes }, { id, name: id, rpc, ...(finality === undefined ? {} : { finality }) })

describe("the depth of final blocks", () => {
  it("is that of the configuration, of the preset, or 32", () => {
    assert.strictEqual(getFinality("ethereum"), 65)
    assert.strictEqual(getFinality("ethereum", 100), 100)
    assert.strictEqual(getFinality("ethereum", 0), 0)
    assert.strictEqual(getFinality("base"), 32)
    assert.strictEqual(getFinality("mine"), 32)
    const entry = { id: "uniswap-v3", name: "Uniswap V3", source: "index", preset: "polygon" } as const
    const dexes = [{ ...entry, blockchain: "mine" }]
    assert.strictEqual(getFinality("mine", undefined, dexes), 200)
    assert.strictEqual(getFinality("other", undefined, dexes), 32)
    const [index] = toIndexConfigs({ blockchains: [{ id: "mine", name: "Mine", rpc }], dexes })
    assert.deepInclude(index, { key: "uniswap-v3/mine", finality: 200, chainId: 137 })
  })
})
