import { run } from "./Command.ts"

/** What a check found: nothing, why it could not look, or what a person has to read. */
export type Finding =
  | { readonly passed: true; readonly skipped?: string }
  | { readonly passed: false; readonly output: string }

export interface Check {
  readonly title: string
  /** Judges the workspace in `root`, which is the repository itself or a copy of some of its files. */
  readonly judge: (root: string) => Promise<Finding>
}

export const passed: Finding = { passed: true }

/** Nothing was found out, for a reason outside of the repository. */
export const skipped = (reason: string): Finding => ({ passed: true, skipped: reason })

export const failed = (output: string): Finding => ({ passed: false, output })

/** A check that is one program: it passes when the program ends with 0 and `holds` for its output. */
export const command = (
  title: string,
  program: string,
  args: (root: string) => ReadonlyArray<string>,
  holds: (output: string) => boolean = () => true
): Check => ({
  title,
  judge: async (root) => {
    const { code, output } = await run(program, args(root), { cwd: root })
    if (code !== 0) return failed(output)
    return holds(output) ? passed : failed(`${output}"${program}" ended with 0, but it did not look at any file.\n`)
  }
})
