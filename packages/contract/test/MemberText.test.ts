import { Api, memberTexts } from "@chaintape/contract"
import { assert, describe, it } from "@effect/vitest"
import * as OpenApi from "effect/http-api/OpenApi"

const schemas = new Map(
  Object.entries(OpenApi.fromApi(Api).components.schemas).map(([name, schema]) => [
    name.replace(/Encoded$/, ""),
    schema["properties"]
  ])
)

describe("the text of the members of", () => {
  it.each(Object.entries(memberTexts))("%s stands in the document, all of it", (schema, texts) => {
    const members: unknown = schemas.get(schema)
    if (typeof members !== "object" || members === null) return assert.fail("the document has no such schema")
    for (const [name, description] of Object.entries(texts)) {
      assert.deepInclude(Object.entries(members).find(([member]) => member === name)?.[1], { description }, name)
    }
  })
})
