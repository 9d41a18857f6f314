import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { useRef, useState } from "react"
import { Problem } from "../parts/Loaded.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import { useRuntime } from "../service/Session.tsx"
import { Code } from "./Code.tsx"
import "./code.css"

interface Raw {
  readonly head: string
  readonly body: string
}

class RawResponseError extends Data.TaggedError("RawResponseError")<{ readonly message: string }> {}

const longest = 20_000

const formatJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Not JSON: shown unchanged.
    return text
  }
}

const ask = (path: string, key: string) =>
  Effect.tryPromise({
    try: (signal) =>
      window.fetch(path, { headers: { "api-key": key }, signal }).then(async (answer): Promise<Raw> => {
        const text = await answer.text()
        const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
        return { head: [`HTTP ${answer.status}`, ...headers].join("\n"), body: text }
      }),
    catch: () => new RawResponseError({ message: "The service does not answer." })
  })

/** Characters that reorder the text around them, as JSON writes them. */
const reordering = /[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu
const escapeReordering = (text: string): string =>
  text.replace(reordering, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

const truncate = (text: string) =>
  text.length > longest ? `${text.slice(0, longest)}\n… and ${text.length - longest} characters more` : text

/** Sends the request on demand and shows the response. */
export const RawResponse = ({ apiKey, path }: { readonly apiKey: string; readonly path: string }) => {
  const runtime = useRuntime()
  const [raw, setRaw] = useState<Raw>()
  const [problem, setProblem] = useState<string>()
  const [sent, setSent] = useState(0)
  const sending = useRef<Fiber.Fiber<void>>(undefined)
  const send = () => {
    // An earlier request that is slower must not replace the response to this one.
    sending.current?.interruptUnsafe()
    setProblem(undefined)
    setRaw(undefined)
    setSent((count) => count + 1)
    sending.current = runtime.runFork(
      ask(path, apiKey).pipe(Effect.match({ onFailure: ({ message }) => setProblem(message), onSuccess: setRaw }))
    )
  }
  return (
    <>
      <div className="copy">
        <h3>Answer</h3>
        <button type="button" className="primary" onClick={send}>
          Send
        </button>
      </div>
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      {raw === undefined ? (
        sent > 0 && problem === undefined ? (
          <Waiting key={sent}>The response is being read.</Waiting>
        ) : (
          <p className="quiet">Send it to see status, headers and body as they come.</p>
        )
      ) : (
        <>
          <Code title="Headers" text={raw.head} />
          <Code title="Body" text={escapeReordering(truncate(formatJson(raw.body)))} copied={raw.body} />
        </>
      )}
    </>
  )
}
