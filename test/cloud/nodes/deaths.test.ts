// Nodes and PostgreSQL die while users work. `test/soak/cloud-deaths.test.ts` is the same with more of all.
import { withThreeNodes } from '../../kit/cloud/three-nodes.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('deaths of nodes and of PostgreSQL')

test('no call fails and no stored change is lost when a node dies, PostgreSQL five times, and its standby takes over', () =>
  withThreeNodes({ hubs: 2, clients: 200 }, async ({ startStandby, killNode, killDatabase }) => {
    const replaceDatabase = await startStandby()
    await killNode()
    await killDatabase(5)
    await replaceDatabase()
  }))

test.run()
