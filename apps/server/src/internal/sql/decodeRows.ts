import { Effect, Schema } from "effect"

/**
 * A function that runs a statement and decodes its rows. The schema is compiled once, whatever client the statement is of:
 * `SqlSchema` compiles it for each client.
 */
export const decodeRows = <A>(row: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(row))
  return <E, R>(statement: Effect.Effect<unknown, E, R>) => Effect.flatMap(statement, decode)
}

/** The same for the first row: undefined if there is none. */
export const decodeFirstRow = <A>(row: Schema.ConstraintDecoder<A>) => {
  const decode = decodeRows(row)
  return <E, R>(statement: Effect.Effect<unknown, E, R>) => Effect.map(decode(statement), ([first]) => first)
}

/** The same for a statement that returns one row. */
export const decodeOnlyRow = <A>(row: Schema.ConstraintDecoder<A>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Tuple([row]))
  return <E, R>(statement: Effect.Effect<unknown, E, R>) =>
    Effect.map(Effect.flatMap(statement, decode), ([only]) => only)
}

/** Whether a statement returns a row. */
export const hasRow = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.map(statement, (rows) => rows.length > 0)
