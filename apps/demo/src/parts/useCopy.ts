import { useState } from "react"

/** Copies a text, and the sentence that says whether it did. `byHand` is how to copy it where the browser refuses. */
export const useCopy = (byHand: string) => {
  const [isCopied, setCopied] = useState<boolean>()
  // A page that came without TLS from another machine has no clipboard.
  const write = async (text: string) => window.navigator.clipboard.writeText(text)
  const copy = (text: string) =>
    write(text).then(
      () => setCopied(true),
      () => setCopied(false)
    )
  const said = isCopied === undefined ? "" : isCopied ? "Copied." : `The browser does not allow it: ${byHand}`
  return { said, copy, isRefused: isCopied === false }
}
