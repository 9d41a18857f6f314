import type { FileTally, Tally } from "./Tally.ts"

/** More than these are not an unsteady machine. */
const most = 3

/**
 * The files to run a second time, by themselves: those that failed, if they are few and each of them has processes,
 * sockets or a real clock, which a busy machine can disturb. A test that has none of these fails for good.
 */
export const secondRun = ({ files, errors }: Tally): ReadonlyArray<string> => {
  const failed = files.filter((file) => file.failed.length > 0).map(({ file }) => file)
  const disturbed = failed.every((file) => file.endsWith(".integration.test.ts"))
  return errors === 0 && failed.length <= most && disturbed ? failed : []
}

/** The figures with those of a second run in the place of the first's. */
export const withSecondRun = (first: Tally, second: Tally): Tally => {
  const again = new Map(second.files.map((file): [string, FileTally] => [file.file, file]))
  return {
    files: first.files.map((file) => again.get(file.file) ?? file),
    errors: first.errors + second.errors
  }
}

/** The tests that failed first and passed then. */
export const unsteady = (first: Tally, final: Tally): ReadonlyArray<string> => {
  const failed = new Set(final.files.flatMap((file) => file.failed))
  return first.files.flatMap((file) => file.failed).filter((test) => !failed.has(test))
}
