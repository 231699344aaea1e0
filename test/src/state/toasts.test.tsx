import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { NO_RESPONSE } from '../../../src/link/failure.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { $toasts, act, dismiss, type Force, hold, insist, tell } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { closeConsole, openConsole, type TestConsole } from '../../kit/console.ts'
import { startHub, type TestHub } from '../../kit/hub.ts'
import { all, click, none, one, says, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('toasts')

let hub: TestHub

test.before.each(async () => {
  hub = await startHub()
  $toasts.set([])
})
test.after.each(async () => {
  mock.timers.reset()
  await closeConsole()
  await hub.close()
})

const codes = () => $toasts.get().map(({ answer }) => answer.result)

/** An answer of the hub. */
const json = (answer: object) => Response.json(answer)

/** The channel list with the channel 'News', and who looks at it. */
async function channelList(): Promise<TestConsole & { id: number }> {
  const { id } = await hub.enter().send(addChannel, { name: 'News' })
  const console = await openConsole(hub, { at: PLACES.channels })
  await one('row', 'News')
  return Object.assign(console, { id })
}

const start = async () => click(await one('button', /^Start/, await one('row', 'News')))
const isEnabled = (id: number) => hub.hub.store.channels.byId(id)?.enable === 1

/** What is said in the lines of the one failure there is. */
async function failure(): Promise<string[]> {
  const alert = await one('alert')
  return [...alert.querySelectorAll('p')].map((line) => line.textContent ?? '')
}

test('a success is shown for a while, a failure until it is dismissed', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  tell(0)
  tell(31)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(3999)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(1)
  assert.deepEqual(codes(), [31])
  mock.timers.tick(3_600_000)
  assert.deepEqual(codes(), [31])
  dismiss($toasts.get()[0]?.id ?? 0)
  assert.deepEqual(codes(), [])
})

test('the same result again is one toast, with what the later answer says, and shown for its full time', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  tell(0)
  mock.timers.tick(3000)
  tell(0)
  tell({ result: 1007, port: 9001 })
  tell({ result: 1007, port: 9002 })
  assert.deepEqual(
    $toasts.get().map(({ answer }) => answer),
    [{ result: 0 }, { result: 1007, port: 9002 }]
  )
  mock.timers.tick(3000)
  assert.deepEqual(codes(), [0, 1007])
  mock.timers.tick(1000)
  assert.deepEqual(codes(), [1007])
})

test('a success stays as long as it is held, and then for its full time', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  tell(0)
  mock.timers.tick(3000)
  hold(true)
  mock.timers.tick(60_000)
  tell(0)
  mock.timers.tick(60_000)
  assert.deepEqual(codes(), [0])
  hold(false)
  mock.timers.tick(3999)
  assert.deepEqual(codes(), [0])
  mock.timers.tick(1)
  assert.deepEqual(codes(), [])
})

test('too many push out the oldest', () => {
  for (const code of [1, 2, 3, 4, 5, 6]) tell(code)
  assert.deepEqual(codes(), [3, 4, 5, 6])
})

test('an action tells its answer and hands it on, unless the caller says it itself', async () => {
  const reply = { result: 1003, field: 'name' }
  const calls: Force[] = []
  const make = async (force: Force) => {
    calls.push(force)
    return reply
  }
  assert.equal(await act(make), reply)
  assert.equal(await act(Promise.resolve(reply)), reply)
  assert.deepEqual(codes(), [1003])
  $toasts.set([])
  assert.equal(await act(make, { quiet: ({ field }) => field === 'name' }), reply)
  assert.deepEqual(codes(), [])
  assert.deepEqual(calls, [{}, {}])
})

test('a busy object is asked about, with who uses it, and the call repeated with force', async () => {
  const console = await channelList()
  const sent: object[] = []
  console.instead = (path, body) => {
    if (!path.endsWith('/channel/enable')) return undefined
    sent.push(JSON.parse(body ?? ''))
    return sent.length === 1 ? json({ result: 1005, 'owner-i': ['Late news', 'Sport'] }) : undefined
  }
  await start()
  const question = await one('dialog', 'Occupied')
  await says('What uses it is interrupted. Late news, Sport', question)
  assert.equal(question.querySelector('.danger'), null)
  assert.deepEqual(codes(), [])
  await click(await one('button', 'Proceed anyway', question))
  await says('Operation succeeded')
  assert.deepEqual(sent, [
    { id: console.id, enable: true },
    { id: console.id, enable: true, force: true }
  ])
  assert.equal(isEnabled(console.id), true)
})

test('a no to the question leaves all as it is, and is no failure', async () => {
  const console = await channelList()
  let calls = 0
  console.instead = (path) => {
    if (!path.endsWith('/channel/enable')) return undefined
    calls++
    return json({ result: 1005 })
  }
  await start()
  const question = await one('dialog', 'Occupied')
  await says('What uses it is interrupted.', question)
  await click(await one('button', 'Cancel', question))
  await none('dialog')
  assert.equal(calls, 1)
  assert.equal(isEnabled(console.id), false)
  assert.deepEqual(codes(), [])
})

test('data that would be lost is warned of with a button for what cannot be undone', async () => {
  const console = await channelList()
  let calls = 0
  console.instead = (path, body) => {
    if (!path.endsWith('/channel/enable')) return undefined
    calls++
    return body?.includes('"force":true') ? undefined : json({ result: 1009 })
  }
  await start()
  const question = await one('dialog', 'Data would be lost')
  await says('What is lost cannot be brought back.', question)
  const proceed = await one('button', 'Proceed anyway', question)
  assert.ok(proceed.classList.contains('danger'))
  await click(proceed)
  await says('Operation succeeded')
  assert.equal(calls, 2)
})

test('an object that is busy in spite of force is a failure, not a question without end', async () => {
  const answers: Envelope[] = []
  await openConsole(hub)
  const done = act(async (force) => {
    const answer = { result: 1005 }
    answers.push({ ...answer, ...force })
    return answer
  })
  await click(await one('button', 'Proceed anyway'))
  assert.equal((await done).result, 1005)
  await none('dialog')
  assert.deepEqual(await failure(), ['Occupied', 'Try again in a moment.'])
  assert.equal(answers.length, 2)
})

test('a step that was denied is not told by the action it belongs to', async () => {
  await openConsole(hub)
  const done = act(insist(async () => ({ result: 1009 })))
  await click(await one('button', 'Cancel', await one('dialog', 'Data would be lost')))
  assert.equal((await done).result, 1009)
  assert.deepEqual(codes(), [])
})

test('that somebody else changed it is said with who and when, and the list says how it is', async () => {
  const console = await channelList()
  console.hush()
  console.instead = (path) => {
    if (!path.endsWith('/channel/enable')) return undefined
    hub.hub.store.channels.set(console.id, 'Evening news', 'a', 'b')
    return json({
      result: 1004,
      by: { name: 'anna', time: new Date(2026, 4, 17, 14, 2, 3).getTime(), event: '/channel/set', what: 'Edit channel' }
    })
  }
  await start()
  await one('row', 'Evening news')
  assert.deepEqual(await failure(), [
    'The status has been changed by another people',
    'Edit channel: anna, May 17, 2026, 14:02:03',
    'The present state is shown.'
  ])
  setLanguage('zh')
  await says('状态已被他人更改')
  await says('Edit channel：anna，2026年5月17日 14:02:03')
})

test('that somebody else deleted it is said with who and when, and the list is without it', async () => {
  const console = await channelList()
  console.hush()
  hub.hub.store.channels.remove(console.id)
  console.instead = (path) =>
    path.endsWith('/channel/enable')
      ? json({
          result: 16,
          by: {
            name: 'anna',
            time: new Date(2026, 4, 17, 14, 2, 3).getTime(),
            event: '/channel/del',
            what: 'Delete channels'
          }
        })
      : undefined
  await start()
  await says('No channels yet')
  assert.deepEqual((await failure()).slice(0, 2), [
    'This configuration has been deleted by another user.',
    'Delete channels: anna, May 17, 2026, 14:02:03'
  ])
})

test('after each change what is shown is asked for anew, also after one that failed', async () => {
  const console = await channelList()
  console.hush()
  hub.hub.store.channels.remove(console.id)
  await act(Promise.resolve({ result: 0 }))
  await says('No channels yet')
  await hub.enter().send(addChannel, { name: 'Sport' })
  await act(Promise.resolve({ result: 31 }))
  await one('row', 'Sport')
})

test('nobody signed in leads to the login page with the way back, from every place, and is no message', async () => {
  for (const at of [PLACES.channels, link('warningDevices', { key: 'x' }), PLACES.dashboard, PLACES.pendingDevices]) {
    const console = await openConsole(hub, { at })
    tell(1007)
    await one('alert')
    console.instead = (path) => (path.endsWith('/channel/del') ? json({ result: 37 }) : undefined)
    const { send } = await import('../../../src/link/send.ts')
    const { deleteChannels } = await import('../../../contract/stream/channel.ts')
    assert.equal((await act((force) => send(deleteChannels, { id: 1, ...force }))).result, 37)
    await one('button', 'Sign in')
    assert.equal(console.place(), `/login?return_url=${encodeURIComponent(at)}`)
    assert.deepEqual(codes(), [])
    assert.equal(localStorage.length, 0, 'the login cache is cleared')
    await closeConsole()
  }
})

test('a question that is open when the session ends goes with it', async () => {
  await openConsole(hub)
  const done = act(async () => ({ result: 1009 }))
  await one('dialog', 'Data would be lost')
  const { refuse } = await import('../../../src/link/fetch-json.ts')
  refuse()
  assert.equal((await done).result, 1009)
  await one('button', 'Sign in')
  await none('dialog')
})

test('a code that nobody knows is said with its number', async () => {
  const console = await channelList()
  console.instead = (path) => (path.endsWith('/channel/enable') ? json({ result: 99999 }) : undefined)
  await start()
  assert.deepEqual(await failure(), ['Operation failed. Error code: 99999'])
})

test('no answer of the hub is said as such', async () => {
  const console = await channelList()
  console.cut()
  await start()
  assert.deepEqual(await failure(), ['Cannot connect to server', 'Check your network connection.'])
})

test('when time runs out it is said that it may have been done', async () => {
  const console = await channelList()
  console.instead = (path) => (path.endsWith('/channel/enable') ? new Response('', { status: 504 }) : undefined)
  await start()
  assert.deepEqual(await failure(), [
    'Network Error: Please check your network connection',
    'It may be done all the same: look before you try again.'
  ])
})

test('no answer of a device is said as such, and its codes as its own', async () => {
  await openConsole(hub)
  const answers: [Envelope, string][] = [
    [{ result: NO_RESPONSE }, 'No response from the device'],
    [{ result: 10004 }, 'No response from the device'],
    [{ result: 1, api: 'usapi', message: 'Repeated operations' }, 'Repeated operations'],
    [{ result: -14, api: 'usapi' }, 'This configuration has been deleted by another user.']
  ]
  for (const [answer, said] of answers) {
    await act(Promise.resolve(answer))
    assert.equal((await failure())[0], said)
    $toasts.set([])
    await none('alert')
  }
  await act(Promise.resolve<Envelope>({ result: 37, api: 'mwapi' }))
  assert.deepEqual(await failure(), ['Not signed in'])
  assert.equal(all('button', 'Sign in').length, 0)
})

test('the same number with other words is another message', async () => {
  await openConsole(hub)
  tell(-10)
  tell({ result: -10, message: 'Invalid certificate\nAsk for a new one.' })
  await until(() => all('alert').length === 2, 'two messages')
  const [device = '', license = ''] = all('alert').map((alert) => words(alert))
  assert.match(device, /^Invalid request parameters/)
  assert.match(license, /^Invalid certificate/)
})

test('messages of one user are not for the next', async () => {
  const console = await openConsole(hub)
  tell(1007)
  await one('alert')
  const { refuse } = await import('../../../src/link/fetch-json.ts')
  refuse()
  await one('button', 'Sign in')
  assert.deepEqual(codes(), [])
  navigate(PLACES.dashboard)
  assert.match(console.place(), /^\/login|^\/dashboard/)
})

test.run()
