import { useState } from "react"

/** Copies a text, and the sentence that says whether it did. */
export const useCopy = () => {
  const [said, setSaid] = useState("")
  const copy = (text: string) =>
    window.navigator.clipboard.writeText(text).then(
      () => setSaid("Copied."),
      () => setSaid("The browser does not allow it: mark the text and copy it.")
    )
  return { said, copy }
}
