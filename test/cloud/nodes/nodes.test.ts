import assert from 'node:assert/strict'
import { Nodes } from '../../../cloud/nodes/nodes.ts'
import { bothDatabases, type Stores } from '../../kit/cloud/stores.ts'
import { suite } from '../../kit/runner/suite.ts'

const test = suite('nodes of the cloud')

const idsOf = ({ running }: Nodes) => running.map(({ id }) => id)

function testNodes({ test, open }: Stores): void {
  test('nodes see each other, with their addresses, until one is shut down', async () => {
    const store = await open()
    const first = new Nodes({ store, address: '' })
    const second = new Nodes({ store, address: 'node2.example.com:8070' })
    assert.deepEqual(idsOf(first), [first.id])
    assert.equal(await first.beat(), false)
    assert.equal(await second.beat(), true)
    assert.equal(await first.beat(), true)
    assert.equal(await first.beat(), false)
    assert.deepEqual(idsOf(first), [first.id, second.id].sort())
    assert.equal(first.running.find(({ id }) => id === second.id)?.address, 'node2.example.com:8070')
    await second.close()
    assert.equal(await first.beat(), true)
    assert.deepEqual(idsOf(first), [first.id])
  })

  test('a node that was killed is missing after 15 s, and one that was only slow is back with its next heartbeat', async () => {
    const store = await open()
    let time = 0
    const first = new Nodes({ store, address: '', monotonic: () => time })
    const second = new Nodes({ store, address: '' })
    await second.beat()
    await first.beat()
    time = 15_000
    await first.beat()
    assert.deepEqual(idsOf(first), [first.id, second.id].sort())
    time = 15_001
    assert.equal(await first.beat(), true)
    assert.deepEqual(idsOf(first), [first.id])
    await second.beat()
    await first.beat()
    assert.deepEqual(idsOf(first), [first.id, second.id].sort())
  })

  test('a node whose database does not answer keeps the nodes that it knows', async () => {
    const store = await open()
    const broken = { ...store, withinCloud: () => Promise.reject(new Error('gone')) } as never
    const node = new Nodes({ store: broken, address: '' })
    assert.equal(await node.beat(), false)
    assert.deepEqual(idsOf(node), [node.id])
    await node.close()
  })
}

for (const stores of bothDatabases(test)) testNodes(stores)

test.run()
