import "./choice.css"
/** One of a few options, all of them visible. */
export const Choice = <A extends string>({
  choices,
  label,
  onChoose,
  value
}: {
  readonly label: string
  readonly choices: ReadonlyArray<A>
  readonly value: A
  readonly onChoose: (value: A) => void
}) => (
  <div className="choice" role="group" aria-label={label}>
    {choices.map((choice) => (
      <button key={choice} type="button" aria-pressed={choice === value} onClick={() => onChoose(choice)}>
        {choice}
      </button>
    ))}
  </div>
)
