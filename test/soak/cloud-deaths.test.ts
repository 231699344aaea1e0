// Three nodes with 10 whole hubs and 3,000 links: a node is killed, PostgreSQL 50 times, and its standby takes over.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { withThreeNodes } from '../kit/cloud/three-nodes.ts'

const test = suite('deaths of nodes and of PostgreSQL at full size')

const KILLS = 50

test('all links are back within 10 s, no call fails, and no stored change is lost', () =>
  withThreeNodes({ hubs: 10, clients: 3000, fsync: true }, async ({ startStandby, killNode, killDatabase }) => {
    const replaceDatabase = await startStandby()
    const milliseconds = await killNode()
    console.log(`all links were back after ${Math.round(milliseconds)} ms`)
    assert.ok(milliseconds < 10_000, `${milliseconds} ms`)
    await killDatabase(KILLS)
    await replaceDatabase()
  }))

test.run()
