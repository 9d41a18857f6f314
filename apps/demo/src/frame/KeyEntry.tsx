import { useEffect, useState } from "react"
import { parseRoute, toTitle, useHash } from "../route/Route.ts"
import { setKey } from "../service/Key.ts"
import "./key-entry.css"
import "./page-header.css"

/** Asks for a key if the URL has none. */
export const KeyEntry = () => {
  const [text, setText] = useState("")
  const hash = useHash()
  // The field that had the focus is gone then.
  useEffect(() => () => document.getElementById("main")?.focus(), [])
  return (
    <>
      <header className="top">
        <span className="brand">Chaintape</span>
      </header>
      <main id="main" className="entry">
        <h1>Markets, pools and blocks, with what is proven about them</h1>
        <p>
          This page shows trades, candles, pools and blocks as this service has them. A click on any figure shows its
          source, the block it is of, what proves it, and the request that returns it.
        </p>
        {hash.length <= "#/".length ? null : (
          <p>
            Your link leads to <strong>{toTitle(parseRoute(hash))}</strong>.
          </p>
        )}
        <p>Every request needs an API key. There are two ways to open the page:</p>
        <ul>
          <li>
            Open the link that the service printed as <code>demo</code> when it started. It contains the key.
          </li>
          <li>Paste your key here:</li>
        </ul>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== "") setKey(text.trim())
          }}
        >
          <label htmlFor="key">Key</label>
          <div className="line">
            <input
              id="key"
              value={text}
              autoComplete="off"
              spellCheck={false}
              autoFocus
              placeholder="chaintape_…"
              onChange={(event) => setText(event.target.value)}
            />
            <button type="submit" className="primary">
              Open
            </button>
          </div>
        </form>
        <p className="quiet">
          The key stays in the open tabs of this browser, and is sent only to this service, in a header. No key yet?{" "}
          <a href="/sign-up">Sign up</a>, and create one in the <a href="/dashboard">dashboard</a>.
        </p>
        <p>
          <a href="/about">All operations</a>, <a href="/docs">documentation</a>, <a href="/status">status</a>
        </p>
      </main>
    </>
  )
}
