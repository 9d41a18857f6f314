import { crc32, deflateRawSync } from "node:zlib"

const header = (signature: number, fields: ReadonlyArray<readonly [bytes: 2 | 4, value: number]>) => {
  const parts = [[4, signature] as const, ...fields].map(([bytes, value]) => {
    const part = Buffer.alloc(bytes)
    part.writeUIntLE(value, 0, bytes)
    return part
  })
  return Buffer.concat(parts)
}

/** A zip of one file, as exchanges publish them. */
export const toZip = (name: string, content: string): Buffer => {
  const [path, body] = [Buffer.from(name), Buffer.from(content)]
  const data = deflateRawSync(body, { level: 1 })
  const common = [
    [2, 20],
    [2, 0],
    [2, 8],
    [4, 0],
    [4, crc32(body)],
    [4, data.length],
    [4, body.length],
    [2, path.length],
    [2, 0]
  ] as const
  const local = Buffer.concat([header(0x04034b50, common), path, data])
  const entry = [[2, 20] as const, ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]] as const
  const central = Buffer.concat([header(0x02014b50, entry), path])
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, 1],
    [2, 1],
    [4, central.length],
    [4, local.length],
    [2, 0]
  ])
  return Buffer.concat([local, central, end])
}
