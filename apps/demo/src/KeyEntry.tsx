import { useState } from "react"
import { setKey } from "./service/Key.ts"

/** Asks for a key if the URL has none. */
export const KeyEntry = () => {
  const [text, setText] = useState("")
  return (
    <>
      <header className="top">
        <span className="brand">Chaintape</span>
      </header>
      <main id="main" className="entry">
        <h1>Markets, pools and blocks, with what is proven about them</h1>
        <p>
          Paste your API key, or open the link that the service printed as <code>demo</code> when it started.
        </p>
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
              placeholder="chaintape_…"
              onChange={(event) => setText(event.target.value)}
            />
            <button type="submit" className="primary">
              Open
            </button>
          </div>
        </form>
        <p className="quiet">
          It stays in this tab, and goes nowhere but to this service, in a header. No key yet?{" "}
          <a href="/sign-up">Sign up</a>, and create one in the <a href="/dashboard">dashboard</a>.
        </p>
        <p>
          <a href="/about">All operations</a>, <a href="/docs">documentation</a>, <a href="/status">status</a>
        </p>
      </main>
    </>
  )
}
