import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { atom } from 'nanostores'
import { suite } from 'uvu'
import { call } from '../../../contract/call.ts'
import { setDoor } from '../../../src/link/fetch-json.ts'
import { liveValue } from '../../../src/state/live-value.ts'
import { openDocument } from '../../kit/document.ts'
import { openVoice, type Voice } from './keep-alive.ts'

const test = suite('live value')

test.after(openDocument())

const readLoad = call<{ history?: number }, { cpu: number }>('GET', '/load', 'session')

let voice: Voice
let asked: number
let result: number
let stop = () => {}

test.before.each(() => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_800_000_000_000 })
  voice = openVoice()
  asked = result = 0
  setDoor({
    base: 'http://hub.test',
    socket: voice.socket.bind(voice),
    async fetch() {
      asked++
      return Response.json(result ? { result } : { result, cpu: asked })
    }
  })
})

test.after.each(async () => {
  stop()
  await pass(1000)
  await pass(1)
  mock.timers.reset()
})

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms)
  for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

function shown() {
  const $load = liveValue({ call: readLoad, request: atom({}), pace: 'slower', topic: 'status' })
  stop = $load.subscribe(() => {})
  return $load
}

test('it is asked for at its pace, whatever the feed says or does not say', async () => {
  const $load = shown()
  assert.deepEqual({ ...$load.get() }, { phase: 'loading', code: 0, at: 0 })
  await pass(0)
  assert.equal($load.get().phase, 'ready')
  assert.equal($load.get().value?.cpu, 1)
  for (let second = 0; second < 10; second++) {
    await pass(1000)
    voice.say({})
  }
  assert.equal(asked, 6)
  assert.equal($load.get().value?.cpu, 6)
})

test('a word has it asked for sooner', async () => {
  const $load = shown()
  await pass(600)
  voice.say({ changed: { status: 5 } })
  await pass(1)
  assert.equal($load.get().value?.cpu, 2)
})

test('a failure keeps the last good value', async () => {
  const $load = shown()
  await pass(0)
  result = 6
  await pass(2000)
  assert.equal($load.get().phase, 'ready')
  assert.equal($load.get().code, 6)
  assert.equal($load.get().value?.cpu, 1)
})

test('a refusal leaves no value', async () => {
  const $load = shown()
  await pass(0)
  result = 31
  await pass(2000)
  assert.equal($load.get().phase, 'denied')
  assert.equal($load.get().value, undefined)
})

test.run()
