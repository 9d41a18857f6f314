import { Problem } from "./Loaded.tsx"

/** For a block in the address that is no number. */
export const NoBlock = ({ name }: { readonly name: string }) => (
  <Problem>{`“${name}” is no number of a block: write it in digits, such as 21000000.`}</Problem>
)
