// Replaces the signing key of the cloud by a successor, which hubs accept because the current key has signed it:
//   node cloud/replace-signing-key.ts
// It reads the same environment variables as the cloud (options.ts). On SQLite the cloud must be stopped; on PostgreSQL
// its nodes go on, and use the new key within a few seconds.
import { readStateOptions } from './options.ts'
import { SigningKeys } from './signing/signing-key.ts'
import { openStore } from './store/store.ts'

try {
  const options = readStateOptions(process.env)
  const store = await openStore(options)
  try {
    const keys = await SigningKeys.open({ ...options, store, now: Date.now })
    const { fingerprint } = await keys.replace()
    console.log(`The signing key of the cloud has the fingerprint ${fingerprint}`)
  } finally {
    await store.close()
  }
} catch (error) {
  console.error(`The signing key was not replaced: ${(error as Error).message}`)
  process.exitCode = 1
}
