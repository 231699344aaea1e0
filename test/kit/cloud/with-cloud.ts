// Runs a test with a cloud on one of the databases.
import { startCloud, type TestCloud } from './cloud.ts'
import type { Stores } from './stores.ts'

export type WithCloud = (run: (cloud: TestCloud) => Promise<void>, now?: () => number) => Promise<void>

export const cloudsOf =
  (stores: Stores): WithCloud =>
  async (run, now) => {
    const cloud = await startCloud({ databaseUrl: await stores.databaseUrl(), ...(now && { now }) })
    try {
      await run(cloud)
    } finally {
      await cloud.close()
    }
  }

/** The log of an organisation, the oldest line first. */
export const linesOf = (cloud: TestCloud, organisation = 'headend') =>
  cloud.store.within(organisation, async (scope) => {
    const rows = await scope.select('log_entries').selectAll().orderBy('id').execute()
    return rows.map(({ user_name, event, detail, result }) => `${user_name} ${event} ${detail} ${result}`)
  })
