import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { RecordingIncidents } from "../../../status/Incidents.ts"

const decodeRows = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ at: Schema.Int, subject: Schema.String, kind: Schema.String, detail: Schema.String }))
)

/** The events of all tapes, except that trades arrive. */
export const layer = Layer.effect(
  RecordingIncidents,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      newest: Effect.fn("RecordingIncidents.newest")((limit: number) =>
        Effect.flatMap(
          sql`select at::float8 as at, exchange || ' ' || market as subject, kind, detail
            from tape_event join tape_series on tape_series.id = tape_event.series
            where kind <> 'connected' order by tape_event.id desc limit ${limit}`,
          decodeRows
        )
      )
    }
  })
)
