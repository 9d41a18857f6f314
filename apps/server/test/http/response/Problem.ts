import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { Reply } from "../../HttpCall.ts"
import { json } from "../../HttpCall.ts"

const Problem = Schema.StructWithRest(
  Schema.Struct({
    type: Schema.String,
    title: Schema.String,
    status: Schema.Int,
    detail: Schema.String,
    code: Schema.String,
    requestId: Schema.String,
    issues: Schema.optionalKey(Schema.Array(Schema.Struct({ parameter: Schema.String, message: Schema.String })))
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
export type Problem = typeof Problem.Type
const decode = Schema.decodeUnknownSync(Problem)

/** The members of every problem. */
export const toProblem = (reply: Reply): Problem => {
  assert.strictEqual(reply.headers["content-type"], "application/problem+json", reply.body.slice(0, 200))
  const problem = decode(json(reply))
  assert.strictEqual(problem.status, reply.status)
  assert.strictEqual(problem.type, `/problems/${problem.code}`)
  assert.strictEqual(problem.requestId, reply.headers["x-request-id"])
  assert.match(problem.detail, /^\S.*[.…]$/su)
  assert.notMatch(reply.body, /<!doctype|<html|\bat \S+ \(|node_modules|\.ts:\d/i)
  return problem
}

/** A problem with this status and code. */
export const assertProblem = (reply: Reply, status: number, code: string): Problem => {
  assert.strictEqual(reply.status, status, reply.body.slice(0, 300))
  const problem = toProblem(reply)
  assert.strictEqual(problem.code, code)
  return problem
}
