import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"

const chunkBytes = 1 << 20

/** The hashes of a file in hexadecimal, one for each algorithm, from one read of it. */
export const hashFile = async (
  path: string,
  algorithms: ReadonlyArray<"md5" | "sha256">
): Promise<ReadonlyArray<string>> => {
  const hashes = algorithms.map((algorithm) => createHash(algorithm))
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }))
    for (const hash of hashes) hash.update(chunk)
  return hashes.map((hash) => hash.digest("hex"))
}
