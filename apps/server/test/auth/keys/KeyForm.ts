import { crc32 } from "node:zlib"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Whether a text has the format of a key, including its checksum, as secret scanners check it. */
export const isWellFormed = (key: string): boolean => {
  const [, text = "", checksum = ""] = /^(chaintape_[0-9A-Za-z]{36})([0-9A-Za-z]{6})$/.exec(key) ?? []
  const value = [...checksum].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)
  return text !== "" && value === crc32(text)
}
