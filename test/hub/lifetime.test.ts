import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { Emitter } from '../../hub/emitter.ts'
import { Lifetime } from '../../hub/lifetime.ts'

const test = suite('lifetime')

test('parts are closed in the reverse order, each when the one before it is closed', async () => {
  const lifetime = new Lifetime()
  const closed: string[] = []
  const part = (name: string) => ({ close: () => void closed.push(name) })
  const store = lifetime.add(part('store'))
  lifetime.add({
    async close() {
      closed.push('engine begins')
      await Promise.resolve()
      closed.push('engine')
    }
  })
  lifetime.add(part('web server'))
  lifetime.onEnd(() => closed.push(lifetime.isEnding ? 'log line' : 'too early'))
  assert.equal(lifetime.isEnding, false)
  await lifetime.end()
  assert.deepEqual(closed, ['log line', 'web server', 'engine begins', 'engine', 'store'])
  assert.equal(typeof store.close, 'function')
})

test('an event calls its listeners in the order in which they were added, also as a callback', () => {
  const changed = new Emitter<[id: number]>()
  const calls: string[] = []
  changed.on((id) => calls.push(`first ${id}`))
  changed.on((id) => calls.push(`second ${id}`))
  const { emit } = changed
  emit(7)
  assert.deepEqual(calls, ['first 7', 'second 7'])
})

test.run()
