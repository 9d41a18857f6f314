import { assert, describe, it } from "@effect/vitest"
import { Record } from "effect"
import { poolsCall } from "../../../../src/dex/index/decode/PoolProgram.ts"
import type { PoolState } from "../../../../src/dex/index/decode/PoolState.ts"
import { protocols } from "../../../../src/dex/index/protocol/Protocols.ts"
import type { ProtocolId } from "../../../../src/dex/ProtocolIds.ts"

const concentrated =
  "0x60206100995b8038116100155750602090036020f35b602081600039600051633850c7bd60e01b60005260608360046000" +
  "845afa605f3d11161561009357916060019163f305839960e01b60005260208360046000845afa601f3d1116156100935791" +
  "60200191634614131960e01b60005260208360046000845afa601f3d11161561009357916020019150602001610005565b60" +
  "006000fd"

/** The program of each protocol. */
const programs: Readonly<Record<ProtocolId, string>> = {
  "uniswap-v3": concentrated,
  "pancakeswap-v3": concentrated,
  "uniswap-v2":
    "0x60206100755b8038116100155750602090036020f35b602081600039600051630902f1ac60e01b60005260408360046000" +
    "845afa603f3d11161561006f5791604001916318160ddd60e01b60005260208360046000845afa601f3d11161561006f5791" +
    "6020019150602001610005565b60006000fd",
  "algebra-1":
    "0x60206101515b8038116100155750602090036020f35b60208160003960005163e76c01e460e01b60005260808360046000" +
    "845afa607f3d11161561014b579160800191631a68650260e01b60005260208360046000845afa601f3d11161561014b5791" +
    "60200191636378ae4460e01b60005260208360046000845afa601f3d11161561014b57916020019163ecdecf4260e01b6000" +
    "5260208360046000845afa601f3d11161561014b579160200191630dfe168160e01b6000526020600060046000845afa601f" +
    "3d11161561014b576370a0823160e01b83528083600401526020836024816000515afa601f3d11161561014b579160200191" +
    "63d21220a760e01b6000526020600060046000845afa601f3d11161561014b576370a0823160e01b83528083600401526020" +
    "836024816000515afa601f3d11161561014b57916020019150602001610005565b60006000fd",
  "algebra-2":
    "0x60206100e15b8038116100155750602090036020f35b60208160003960005163e76c01e460e01b60005260a08360046000" +
    "845afa609f3d1116156100db579160a00191631a68650260e01b60005260208360046000845afa601f3d1116156100db5791" +
    "60200191636378ae4460e01b60005260208360046000845afa601f3d1116156100db57916020019163ecdecf4260e01b6000" +
    "5260208360046000845afa601f3d1116156100db579160200191630902f1ac60e01b60005260408360046000845afa603f3d" +
    "1116156100db57916040019150602001610005565b60006000fd",
  "algebra-integral":
    "0x60206100e15b8038116100155750602090036020f35b60208160003960005163e76c01e460e01b60005260608360046000" +
    "845afa605f3d1116156100db579160600191631a68650260e01b60005260208360046000845afa601f3d1116156100db5791" +
    "60200191636378ae4460e01b60005260208360046000845afa601f3d1116156100db57916020019163ecdecf4260e01b6000" +
    "5260208360046000845afa601f3d1116156100db579160200191630902f1ac60e01b60005260408360046000845afa603f3d" +
    "1116156100db57916040019150602001610005565b60006000fd"
}

const toCode = (state: PoolState, pools: ReadonlyArray<string> = []): string => {
  const { data } = Object(poolsCall(state, "", pools).params[0])
  return String(data)
}

interface Instruction {
  readonly offset: number
  readonly code: number
  /** What a push pushes. */
  readonly value: number
}

/** The instructions of a program: 0x60 to 0x7f push the 1 to 32 bytes that follow. */
const disassemble = (hex: string): ReadonlyArray<Instruction> => {
  const bytes = Buffer.from(hex.slice(2), "hex")
  const instructions: Array<Instruction> = []
  for (let offset = 0; offset < bytes.length;) {
    const code = bytes[offset] ?? 0
    const pushed = code >= 0x60 && code <= 0x7f ? code - 0x5f : 0
    instructions.push({ offset, code, value: pushed === 0 ? 0 : bytes.readUIntBE(offset + 1, pushed) })
    offset += 1 + pushed
  }
  return instructions
}

describe("the program that reads pools", () => {
  for (const [id, { state }] of Record.toEntries(protocols)) {
    it(`of ${id} jumps to destinations only, and reads the addresses behind its code`, () => {
      const code = toCode(state)
      const instructions = disassemble(code)
      const destinations = instructions.filter((one) => one.code === 0x5b).map(({ offset }) => offset)
      const targets = instructions.flatMap(({ code }, index) =>
        code === 0x56 || code === 0x57 ? [instructions[index - 1]?.value ?? 0] : []
      )
      assert.deepStrictEqual(
        [...new Set(targets)].sort((a, b) => a - b),
        destinations
      )
      assert.strictEqual(instructions[1]?.value, (code.length - 2) / 2)
      const pool = `0x${"ab".repeat(20)}`
      assert.strictEqual(toCode(state, [pool]), `${code}${"0".repeat(24)}${pool.slice(2)}`)
    })

    it(`of ${id} stays byte for byte as it is`, () => {
      assert.strictEqual(toCode(state), programs[id])
    })
  }
})
