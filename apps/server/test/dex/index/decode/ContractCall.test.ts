import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { encodeAbiParameters, encodeFunctionData, parseAbi, stringToHex, toFunctionSelector, zeroAddress } from "viem"
import { RpcFault } from "../../../../src/blocks/rpc/RpcCall.ts"
import {
  encodeCall,
  isOfContract,
  readAddress,
  readDecimals,
  readPoolFacts,
  readText,
  readUint,
  selectors
} from "../../../../src/dex/index/decode/ContractCall.ts"

const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value])
const word = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value])

const signatures: Readonly<Record<string, string>> = {
  balanceOf: "balanceOf(address)",
  feeAmountTickSpacing: "feeAmountTickSpacing(uint24)",
  poolByPair: "poolByPair(address,address)"
}

describe("the calls of contracts", () => {
  it("have the selectors and arguments that viem writes", () => {
    for (const [name, selector] of Object.entries(selectors)) {
      assert.strictEqual(selector, toFunctionSelector(signatures[name] ?? `${name}()`), name)
    }
    const abi = parseAbi(["function feeAmountTickSpacing(uint24)", "function poolByPair(address, address)"])
    assert.strictEqual(
      encodeCall(selectors.feeAmountTickSpacing, 500),
      encodeFunctionData({ abi, functionName: "feeAmountTickSpacing", args: [500] })
    )
    assert.strictEqual(
      encodeCall(selectors.poolByPair, 0, 0),
      encodeFunctionData({ abi, functionName: "poolByPair", args: [zeroAddress, zeroAddress] })
    )
  })
})

describe("an error of a call", () => {
  const ofContracts = [
    "execution reverted",
    "VM execution error.",
    "EVM error StackUnderflow",
    "invalid opcode: INVALID",
    "out of gas",
    "gas uint64 overflow",
    "stack limit reached 1024 (1023)",
    "invalid jump destination",
    "return data out of bounds",
    "write protection",
    "max call depth exceeded"
  ]
  const ofNodes = ["missing trie node", "header not found", "Internal error", "request timed out", "no backend"]

  it.each(ofContracts)("is of the contract: %s", (message) => {
    assert.isTrue(isOfContract(new RpcFault({ code: -32_000, message })))
  })

  it.each(ofNodes)("is of the node: %s", (message) => {
    assert.isFalse(isOfContract(new RpcFault({ code: -32_000, message })))
  })
})

describe("the result of a contract", () => {
  it.prop("is read as viem writes it", [Schema.String, Schema.BigInt], ([name, number]) => {
    const wellFormed = name.toWellFormed()
    assert.strictEqual(readText(text(wellFormed)), wellFormed.replaceAll("\0", ""))
    const value = BigInt.asUintN(256, number)
    assert.strictEqual(readUint(word(value)), value)
    assert.strictEqual(readAddress(word(BigInt.asUintN(160, value)))?.length, 42)
  })

  it("is a name in 32 bytes, or unknown", () => {
    assert.strictEqual(readText(stringToHex("MKR", { size: 32 })), "MKR")
    assert.strictEqual(readText(text("")), "")
    assert.strictEqual(readText(text("a\0b")), "ab")
    for (const reply of ["0x", word(1n), "0x1234", null, undefined, 7, { code: 3 }, "no hex"]) {
      assert.strictEqual(readText(reply), "unknown")
    }
  })

  it("is a name of at most 256 characters, whatever a contract returns", () => {
    const name = `${"a".repeat(254)}😀`
    assert.strictEqual(readText(text(name)), name)
    assert.strictEqual(readText(text(`${name}b`)), `${"a".repeat(254)}…`)
    for (const length of [257, 1024 * 1024, 10 * 1024 * 1024]) {
      const long = `0x${32n.toString(16).padStart(64, "0")}${length.toString(16).padStart(64, "0")}${"6a".repeat(length)}`
      assert.strictEqual(readText(long), `${"j".repeat(255)}…`)
    }
  })

  it("has decimals below 255, or none", () => {
    assert.deepStrictEqual(
      [0n, 18n, 254n, 255n, 256n, 1n << 255n].map((value) => readDecimals(word(value))),
      [0, 18, 254, undefined, undefined, undefined]
    )
    assert.isUndefined(readDecimals("0x"))
    assert.isUndefined(readAddress(word(1n << 160n)))
  })

  it("holds negative ticks, and nothing where an answer is too short", () => {
    const slot0 = encodeAbiParameters(
      [{ type: "uint160" }, { type: "int24" }, { type: "uint16" }],
      [5n, -887_272, 65_535]
    )
    assert.deepStrictEqual(readPoolFacts(slot0, word(1n), word(2n)), {
      kind: "pool",
      sqrtPrice: 5n,
      tick: -887_272,
      observationIndex: 65_535,
      feeGrowthGlobal0X128: 1n,
      feeGrowthGlobal1X128: 2n
    })
    assert.isUndefined(readPoolFacts(slot0.slice(0, -64), word(1n), word(2n)))
    assert.isUndefined(readPoolFacts(slot0, "0x", word(2n)))
  })
})
