import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createTurns } from '../../../hub/auth/fair-queue.ts'

const test = suite('turns')

/** Asks for a turn under each key, and says in which order they came. */
async function orderOf(keys: string): Promise<string> {
  const turns = createTurns(100, 100)
  let order = ''
  const work = async (key: string) => {
    order += key
  }
  await Promise.all([...keys].map((key) => turns.take(key, () => work(key))))
  return order
}

test('keys take turns, however often one of them asked before the others', async () => {
  assert.equal(await orderOf('aaaaaab'), 'abaaaaa')
  assert.equal(await orderOf('aaabbbc'), 'abcabab')
})

test('one piece of work is done at a time', async () => {
  const turns = createTurns(10, 10)
  let now = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => setImmediate(resolve))
    now--
  }
  await Promise.all(['a', 'a', 'b', 'c'].map((key) => turns.take(key, work)))
  assert.equal(most, 1)
})

test('what fails is told to who asked, and the next one has its turn', async () => {
  const turns = createTurns(10, 10)
  const bad = turns.take('a', () => Promise.reject(new Error('no')))
  const good = turns.take('a', async () => 'yes')
  await assert.rejects(bad ?? Promise.resolve(), /no/)
  assert.equal(await good, 'yes')
  assert.equal(await turns.take('a', async () => 'again'), 'again')
})

test('so many wait under one key, and so many keys, but for those that are sure of their turn', async () => {
  const turns = createTurns(2, 2)
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const first = turns.take('a', () => gate)
  const wait = (key: string, sure?: boolean) => turns.take(key, () => gate, sure)
  const waiting = [wait('a'), wait('a'), wait('b')]
  assert.ok(waiting.every(Boolean))
  assert.equal(wait('a'), undefined)
  assert.equal(wait('c'), undefined)
  const sure = wait('d', true)
  assert.ok(sure)
  open()
  await Promise.all([first, ...waiting, sure])
  assert.equal(await turns.take('c', async () => 'now'), 'now')
})

test.run()
