import { useCopy } from "../parts/useCopy.ts"
import "./code.css"

/** Text with a copy button. `copied` is the copied text, if it differs from the one shown. */
export const Code = ({
  copied,
  note,
  text,
  title
}: {
  readonly title: string
  readonly text: string
  readonly copied?: string
  readonly note?: string
}) => {
  const { copy, said } = useCopy("mark the text and copy it.")
  return (
    <>
      <div className="copy">
        <h3>{title}</h3>
        <span>
          <span className="quiet" role="status">
            {said}
          </span>{" "}
          <button
            type="button"
            className="link"
            onClick={() => void copy(copied ?? text)}
            aria-label={`Copy: ${title}`}
          >
            Copy
          </button>
        </span>
      </div>
      {note === undefined ? null : <p className="quiet note">{note}</p>}
      <pre tabIndex={0} aria-label={title}>
        <code>{text}</code>
      </pre>
    </>
  )
}
