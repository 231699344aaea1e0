// The pages of the cloud while its PostgreSQL does not run.

import { getInvitation } from '../../contract/cloud/calls.ts'
import { CLOUD_ROUTES } from '../../src/cloud/paths.ts'
import { openSignedIn } from '../kit/browser/browser.ts'
import { helloOf, startFakeHub } from '../kit/cloud/fake-hub.ts'
import { type CloudNode, withNodes } from '../kit/cloud/nodes.ts'
import { startPostgres } from '../kit/cloud/postgres.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('pages of a cloud that has lost its database')

test('the list of hubs stays, a banner says that the database does not answer, and it leaves when it does', async () => {
  const postgres = await startPostgres()
  try {
    await withNodes(postgres, { count: 1 }, async ([node]) => {
      const { cloud, linkPort, webPort } = node as CloudNode
      const { invitation } = await (await cloud.clientAs()).send(getInvitation, {})
      const hub = startFakeHub(linkPort, () => helloOf(invitation, 'HUB1'))
      await until(() => cloud.links.isOnline('headend', 'HUB1'), 'the hub is online')
      const context = await openSignedIn(`http://127.0.0.1:${webPort}/#${CLOUD_ROUTES.allHubs}`)
      try {
        const [page] = context.pages()
        if (!page) throw new Error('there is no page')
        await page.getByRole('row', { name: 'HUB1' }).waitFor()
        const banner = page.getByRole('alert').getByText('The database of the cloud does not answer.')
        await postgres.kill()
        await banner.waitFor()
        await page.getByRole('row', { name: 'HUB1' }).waitFor()
        await postgres.restart()
        await banner.waitFor({ state: 'detached' })
      } finally {
        hub.stop()
        await context.browser()?.close()
      }
    })
  } finally {
    await postgres.close()
  }
})

test.run()
