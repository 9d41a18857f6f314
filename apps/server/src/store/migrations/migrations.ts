import { initial } from "./0001_initial.ts"
import { tape } from "./0004_tape.ts"
import { accounts } from "./0005_accounts.ts"
import { passwordResets } from "./0007_password_resets.ts"
import { ownership } from "./0008_ownership.ts"
import { auditAttempts } from "./0010_audit_attempts.ts"
import { tapeImports } from "./0012_tape_imports.ts"
import { usageOperations } from "./0013_usage_operations.ts"
import { tapeDifferences } from "./0014_tape_differences.ts"
import { tapeUnfillable } from "./0018_tape_unfillable.ts"
import { dexIndex } from "./dex-index/0002_dex_index.ts"
import { dexTicks } from "./dex-index/0003_dex_ticks.ts"
import { dexReads } from "./dex-index/0006_dex_reads.ts"
import { dexProofs } from "./dex-index/0009_dex_proofs.ts"
import { dexInitialPrices } from "./dex-index/0011_dex_initial_prices.ts"
import { dexPairs } from "./dex-index/0015_dex_pairs.ts"
import { dexRewinds } from "./dex-index/0016_dex_rewinds.ts"
import { dexRewindIndex } from "./dex-index/0017_dex_rewind_index.ts"

/**
 * By name, in the order of their numbers. A migration that has run anywhere is never edited. A new one takes the next
 * number, in `dex-index/` if its tables are those of the index (`dex_...`), and otherwise here.
 */
export const migrations = {
  "0001_initial": initial,
  "0002_dex_index": dexIndex,
  "0003_dex_ticks": dexTicks,
  "0004_tape": tape,
  "0005_accounts": accounts,
  "0006_dex_reads": dexReads,
  "0007_password_resets": passwordResets,
  "0008_ownership": ownership,
  "0009_dex_proofs": dexProofs,
  "0010_audit_attempts": auditAttempts,
  "0011_dex_initial_prices": dexInitialPrices,
  "0012_tape_imports": tapeImports,
  "0013_usage_operations": usageOperations,
  "0014_tape_differences": tapeDifferences,
  "0015_dex_pairs": dexPairs,
  "0016_dex_rewinds": dexRewinds,
  "0017_dex_rewind_index": dexRewindIndex,
  "0018_tape_unfillable": tapeUnfillable
}
