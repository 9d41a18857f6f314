/**
 * Times that the wire encodes as digits: the unit is an annotation of the schema, so that the decoder of large
 * responses knows it.
 */
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"

/** The largest time value of a date. */
export const latestMillis = 8_640_000_000_000_000

const unixUnit = "~@chaintape/core/unixUnit"

/** The annotation of a schema of digits that count units of this many milliseconds since 1970. */
export const annotateUnit = (unit: number) => ({ [unixUnit]: unit })

export const getUnixUnit = ({ annotations }: SchemaAST.AST): number | undefined => {
  const unit = annotations?.[unixUnit]
  return Predicate.isNumber(unit) ? unit : undefined
}
