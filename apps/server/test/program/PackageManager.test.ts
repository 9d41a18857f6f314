import { assert, describe, it } from "@effect/vitest"
import { findPackageManager } from "../../src/program/PackageManager.ts"

const line = (pid: number, parent: number, command: string) => ({ pid, parent, command })

const chain = [
  line(1, 0, "/sbin/init"),
  line(10, 1, "-bash"),
  line(20, 10, "npm exec pnpm@12 start"),
  line(21, 20, "sh -c 'pnpm' start"),
  line(22, 21, "pnpm start"),
  line(23, 22, "sh -c node main.ts"),
  line(24, 23, "node main.ts")
]

describe("the processes that start the service", () => {
  it("are all from its parent up to the command of a package manager, without the terminal", () => {
    assert.deepStrictEqual(findPackageManager(24, chain), [23, 22, 21, 20])
  })

  it("are none if no package manager or an unknown one runs it", () => {
    assert.deepStrictEqual(findPackageManager(11, [...chain, line(11, 10, "node main.ts")]), [])
    assert.deepStrictEqual(findPackageManager(24, []), [])
  })
})
