import { useCombobox } from "./useCombobox.ts"
import "./picker.css"

export interface Option {
  readonly value: string
  readonly text: string
}

const max = 60

const selectMatches = (options: ReadonlyArray<Option>, text: string) => {
  const wanted = text.trim().toLowerCase()
  return options.filter((option) => `${option.text} ${option.value}`.toLowerCase().includes(wanted)).slice(0, max)
}

/** A text field with suggestions; if `accept` allows it, any text is accepted. */
export const Picker = ({
  accept,
  label,
  onPick,
  options,
  value
}: {
  readonly label: string
  readonly value: string
  readonly options: ReadonlyArray<Option>
  readonly onPick: (value: string) => void
  readonly accept?: (text: string) => string | undefined
}) => {
  const { found, id, input, isOpen, list, text, toOption } = useCombobox(
    (wanted) => selectMatches(options, wanted),
    (chosen, written) => {
      const picked = chosen?.value ?? accept?.(written)
      if (picked !== undefined && picked !== value) onPick(picked)
      return picked !== undefined
    }
  )
  const shown = options.find((option) => option.value === value)?.text ?? value
  const typed = accept?.(text ?? "")
  return (
    <div className="picker">
      <label htmlFor={id}>{label}</label>
      <input {...input} value={text ?? shown} placeholder={shown} />
      <ul {...list} aria-label={label}>
        {found.map((option, index) => (
          <li key={option.value} {...toOption(option, index)}>
            {option.text}
            {option.text.toLowerCase() === option.value.toLowerCase() ? null : <small>{option.value}</small>}
          </li>
        ))}
      </ul>
      {text === undefined || isOpen ? null : (
        <p className="none" role="status">
          Nothing matches.{typed === undefined ? "" : ` Enter opens ${typed}.`}
        </p>
      )}
    </div>
  )
}
