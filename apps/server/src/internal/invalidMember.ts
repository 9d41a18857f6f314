import { Option, SchemaIssue } from "effect"
import type { Schema } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The member that a decoder rejected first. Not its value, which may be of any length. */
export const invalidMember = (error: Schema.SchemaError): Option.Option<string> =>
  Option.map(Option.fromUndefinedOr(format(error.issue).issues[0]?.path?.[0]), (segment) =>
    String(typeof segment === "object" ? segment.key : segment)
  )
