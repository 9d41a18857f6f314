import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { makeDirectory } from "../../../src/internal/files/makeDirectory.ts"

describe("a directory", () => {
  it("is made with its parents, and again, but not in place of a file or of a link without its target", () => {
    const folder = mkdtempSync(join(tmpdir(), "chaintape-"))
    try {
      const path = join(folder, "one/two")
      makeDirectory(path)
      makeDirectory(path)
      assert.isTrue(statSync(path).isDirectory())
      writeFileSync(join(folder, "file"), "")
      assert.throws(() => makeDirectory(join(folder, "file")), /EEXIST/)
      assert.throws(() => makeDirectory(join(folder, "file/below")), /ENOTDIR: not a directory, mkdir/)
      symlinkSync(join(folder, "nothing"), join(folder, "link"))
      assert.throws(() => makeDirectory(join(folder, "link")), /link" is a symbolic link whose target is missing$/)
      symlinkSync(folder, join(folder, "whole"))
      makeDirectory(join(folder, "whole"))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
