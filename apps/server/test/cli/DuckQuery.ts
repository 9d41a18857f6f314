import { DuckDBInstance } from "@duckdb/node-api"
import { Effect } from "effect"

/** The rows of a query of DuckDB, as JSON values. */
export const duckQuery = (sql: string) =>
  Effect.promise(async (): Promise<ReadonlyArray<ReadonlyArray<unknown>>> => {
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const rows = await connection.runAndReadAll(sql)
    connection.closeSync()
    instance.closeSync()
    return rows.getRowsJson()
  })
