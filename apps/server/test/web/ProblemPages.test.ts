import { operations } from "@chaintape/core/api/Api"
import * as BlocksProblem from "@chaintape/core/blocks/BlocksProblem"
import * as CexProblem from "@chaintape/core/cex/CexProblem"
import * as DexProblem from "@chaintape/core/dex/DexProblem"
import * as Problem from "@chaintape/core/problem/Problem"
import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import { problemPages } from "../../src/web/ProblemPages.ts"

const isKind = (value: unknown): value is { readonly code: string } =>
  Predicate.isFunction(value) && "code" in value && Predicate.isString(value.code)

const ofCore = [Problem, CexProblem, DexProblem, BlocksProblem].flatMap((module) =>
  Object.values(module).filter(isKind)
)

describe("the pages of the problems", () => {
  it("are there for every kind of problem in core", () => {
    assert.isAtLeast(ofCore.length, 22)
    for (const { code } of ofCore) assert.isTrue(problemPages.has(`/problems/${code}`), code)
  })

  it("are there for every problem of every operation", () => {
    for (const { name, problems } of operations) {
      for (const { code } of problems) assert.isTrue(problemPages.has(`/problems/${code}`), `${name}: ${code}`)
    }
  })
})
