import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { ConfigFile } from "../src/program/Config.ts"

/** The JSON Schema of the configuration file, for editors. */
export const renderConfigSchema = (): string => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(ConfigFile, { onExcessProperty: "error" })
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of a Chaintape service",
    ...schema,
    $defs: definitions
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

if (import.meta.main) {
  const file = fileURLToPath(new URL("../chaintape.config.schema.json", import.meta.url))
  writeFileSync(file, renderConfigSchema())
}
