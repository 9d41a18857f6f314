import { Api, operations } from "@chaintape/contract"
import { SystemOperations } from "@chaintape/core/operations"
import * as BlocksOperations from "@chaintape/core/operations/blocks"
import * as CexOperations from "@chaintape/core/operations/cex"
import * as DexOperations from "@chaintape/core/operations/dex"
import { assert, describe, it } from "@effect/vitest"

const exported = [SystemOperations, CexOperations, DexOperations, BlocksOperations].flatMap((module) =>
  Object.values<unknown>(module).filter(
    (value): value is (typeof operations)[number] => typeof value === "object" && value !== null && "path" in value
  )
)

const toNames = (all: ReadonlyArray<{ readonly group: string; readonly name: string }>) =>
  all.map(({ group, name }) => `${group}.${name}`).sort()

describe("every operation of @chaintape/core", () => {
  it("is part of the contract", () => {
    assert.isAtLeast(exported.length, 19)
    assert.deepStrictEqual(toNames(operations), toNames(exported))
  })

  it("has an endpoint of the HttpApi, at the path of the operation", () => {
    const endpoints = Object.values(Api.groups).flatMap(({ endpoints, identifier }) =>
      Object.entries(endpoints).map(([name, { path }]) => `${identifier}.${name} ${path}`)
    )
    assert.deepStrictEqual(endpoints.sort(), exported.map(({ group, name, path }) => `${group}.${name} ${path}`).sort())
  })
})
