// Nodes and PostgreSQL die while users work. `test/soak/cloud-deaths.test.ts` is the same with more of all.
import { withThreeNodes } from '../../kit/cloud/three-nodes.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('deaths of nodes and of PostgreSQL')

test('no call fails and no stored change is lost when a node dies, PostgreSQL five times, and its standby takes over', () =>
  withThreeNodes({ hubs: 2, clients: 200 }, async ({ postgres, killNode, untilWritten }) => {
    const { promote } = await postgres.startStandby()
    await killNode()
    for (let kill = 0; kill < 5; kill++) {
      await untilWritten()
      await postgres.kill()
      await postgres.restart()
    }
    await untilWritten()
    await postgres.kill()
    await promote()
    await untilWritten()
  }))

test.run()
