import process from "node:process"

/** Node's compile cache, beside the data. */
export const compiledFolder = (): string => {
  const given = process.env["CHAINTAPE_DATA_DIR"]
  return `${given === undefined || given === "" ? ".chaintape" : given}/compiled`
}
