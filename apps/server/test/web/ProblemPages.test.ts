import * as Contract from "@chaintape/contract"
import * as Core from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import { problemPages } from "../../src/web/ProblemPages.ts"

const isKind = (value: unknown): value is { readonly code: string } =>
  Predicate.isFunction(value) && "code" in value && Predicate.isString(value.code)

const classes = [Core, Contract].flatMap((module) => Object.values(module).filter(isKind))

describe("the pages of the problems", () => {
  it("are there for every kind of problem", () => {
    assert.isAtLeast(classes.length, 22)
    for (const { code } of classes) assert.isTrue(problemPages.has(`/problems/${code}`), code)
  })

  it("are there for every problem of every operation", () => {
    for (const { name, problems } of Contract.operations) {
      for (const { code } of problems) assert.isTrue(problemPages.has(`/problems/${code}`), `${name}: ${code}`)
    }
  })
})
