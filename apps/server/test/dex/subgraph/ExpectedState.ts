import type { ExpectedLine } from "./SubgraphData.ts"

type Fields = { readonly [field: string]: unknown }

/** The fields of the interface that the fixtures expect as of a block. */
export const expectedAt = (lines: ReadonlyArray<ExpectedLine>, block: number) => {
  const state = new Map<string, ExpectedLine>()
  for (const line of lines) if (line.block <= block) state.set(`${line.type} ${line.id}`, line)
  const rows = (type: ExpectedLine["type"]): ReadonlyArray<ExpectedLine> =>
    [...state.values()].filter((line) => line.type === type)
  const tokens = new Map(rows("token").map(({ fields, id }) => [id, fields]))
  const nested = (id: unknown): Fields => tokens.get(typeof id === "string" ? id : "") ?? {}
  return {
    factory: rows("factory")[0]?.fields,
    tokens: rows("token").map(({ fields }): Fields => fields),
    pools: rows("pool").map(({ fields }): Fields => ({
      ...fields,
      tick: fields["tick"] ?? "",
      token0: nested(fields["token0"]),
      token1: nested(fields["token1"])
    })),
    records: (kind: "mint" | "burn" | "swap") => rows(kind)
  }
}

const scale = 60
const toValue = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".")
  const size = BigInt(whole + fraction.padEnd(scale, "0"))
  return text.startsWith("-") ? -size : size
}

/** As numbers if both are numbers, otherwise by code point. */
export const compareFields = (a: string, b: string): number => {
  const decimal = /^-?\d+(\.\d+)?$/
  if (decimal.test(a) && decimal.test(b)) {
    const difference = toValue(a) - toValue(b)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** A record's id by hash, then by log index. */
export const compareRecordIds = (a: string, b: string): number => {
  const [hashA = "", indexA = ""] = a.split("#")
  const [hashB = "", indexB = ""] = b.split("#")
  return compareFields(hashA, hashB) || Number(indexA) - Number(indexB)
}
