// Splits the console into two scripts: modules that `src/main.tsx` reaches through static imports are the first script,
// everything else is one further script, which the console loads when it is idle (docs/architecture/first-load.md).
import type { GetManualChunk } from 'rollup'

/** Name of the chunk of modules that static imports reach. */
const FIRST = 'app'

/** Name of the chunk of modules that only dynamic imports reach. */
export const LATER = 'later'

/** Returns the function that rollup asks for the chunk of each module. */
export function laterChunk(): GetManualChunk {
  const first = new Set<string>()
  return (id, { getModuleIds, getModuleInfo }) => {
    if (first.size === 0) {
      for (const entry of getModuleIds()) if (getModuleInfo(entry)?.isEntry) first.add(entry)
      // The set grows during the loop.
      for (const module of first) for (const imported of getModuleInfo(module)?.importedIds ?? []) first.add(imported)
    }
    return first.has(id) ? FIRST : LATER
  }
}
