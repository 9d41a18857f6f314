/** What does not hash to its commitment in a known encoding. Each completes a sentence. */
const causes = {
  header: "its header does not hash to the block's hash",
  receipts: "its receipts do not hash to the receipts root of its header",
  either: "its header or its receipts do not match their hashes"
} as const

/** A block whose logs are not proven, because its chain may have an encoding that is not known. */
export interface UnprovableBlock {
  readonly state: "unprovable"
  readonly number: number
  readonly reason: keyof typeof causes
}

/** Why a block may not match its hashes. */
export const unprovableCause = "The chain has another encoding, or a node returns false data"

/** What is not verified, why, and what the operator of the index can do. */
export const toOperatorText = ({ number, reason }: UnprovableBlock): string =>
  `Block ${number} cannot be proven: ${causes[reason]} in a known encoding. Its logs are used unverified, and the proof ends before it. ` +
  `${unprovableCause}: add a node of another operator to "rpc" of the chain.`
