import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createFairQueue } from '../../accounts/fair-queue.ts'

const test = suite('fair queue')

/** Enqueues a task for each key. @returns the order in which the tasks ran */
async function orderOf(keys: string): Promise<string> {
  const queue = createFairQueue(100, 100)
  let order = ''
  const task = async (key: string) => {
    order += key
  }
  await Promise.all([...keys].map((key) => queue.enqueue(key, () => task(key))))
  return order
}

test('tasks run round-robin over keys, whatever the order in which they were added', async () => {
  assert.equal(await orderOf('aaaaaab'), 'abaaaaa')
  assert.equal(await orderOf('aaabbbc'), 'abcabab')
})

test('one task runs at a time', async () => {
  const queue = createFairQueue(10, 10)
  let running = 0
  let maximum = 0
  const task = async () => {
    maximum = Math.max(maximum, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  await Promise.all(['a', 'a', 'b', 'c'].map((key) => queue.enqueue(key, task)))
  assert.equal(maximum, 1)
})

test('a task that fails rejects its promise, and the next one runs', async () => {
  const queue = createFairQueue(10, 10)
  const failingTask = queue.enqueue('a', () => Promise.reject(new Error('no')))
  const succeedingTask = queue.enqueue('a', async () => 'yes')
  await assert.rejects(failingTask ?? Promise.resolve(), /no/)
  assert.equal(await succeedingTask, 'yes')
  assert.equal(await queue.enqueue('a', async () => 'again'), 'again')
})

test('the number of waiting tasks per key and of keys is limited, except for forced tasks', async () => {
  const queue = createFairQueue(2, 2)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const first = queue.enqueue('a', () => gate)
  const wait = (key: string, force?: boolean) => queue.enqueue(key, () => gate, force)
  const waiting = [wait('a'), wait('a'), wait('b')]
  assert.ok(waiting.every(Boolean))
  assert.equal(wait('a'), undefined)
  assert.equal(wait('c'), undefined)
  const forced = wait('d', true)
  assert.ok(forced)
  open()
  await Promise.all([first, ...waiting, forced])
  assert.equal(await queue.enqueue('c', async () => 'now'), 'now')
})

test.run()
