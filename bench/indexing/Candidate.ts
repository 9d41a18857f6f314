import type { SwapChain } from "./SwapChain.ts"

/** A program that indexes the chain into its embedded database. */
export interface Candidate {
  readonly name: string
  /** How it is started. `port` is free, `dataDir` does not exist yet. */
  readonly command: (
    chain: SwapChain,
    place: { readonly port: number; readonly dataDir: string }
  ) => {
    readonly cwd: string
    readonly args: ReadonlyArray<string>
    readonly env: Readonly<Record<string, string>>
  }
  /** Responds with 200 once every final block is indexed. */
  readonly readyPath: string
  /** The events that it counts. */
  readonly counts: ReadonlyArray<string>
  /** The number of these events once it is ready. */
  readonly events: (origin: string) => Promise<number>
}
