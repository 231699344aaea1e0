import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { Envelope } from '../../../contract/call.ts'
import { renameCatalog } from '../../../contract/catalog.ts'
import {
  DATA_LOSS,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  OBJECT_BUSY,
  STATE_CHANGED,
  SUCCESS,
  TARGET_TIMEOUT
} from '../../../contract/codes.ts'
import { addChannel, deleteChannels } from '../../../contract/stream/channel.ts'
import { NO_RESPONSE } from '../../../src/link/failure.ts'
import { markUnauthorized } from '../../../src/link/fetch-json.ts'
import { send } from '../../../src/link/send.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { readLoginCache } from '../../../src/state/login-cache.ts'
import { confirmAndRetry, type ForceOption, mutate, sendMutation } from '../../../src/state/mutations.ts'
import { $toasts, notify } from '../../../src/state/toasts.ts'
import { setLanguage } from '../../../src/text/language.ts'
import * as OUTCOME from '../../../src/text/outcomes.ts'
import { closeConsole, openConsole, type TestConsole } from '../../kit/console/console.ts'
import { click, fill, findByRole, queryAllByRole, waitForNone, waitForText } from '../../kit/console/page.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'

const test = suite('mutations')
const SAVED = { success: { text: OUTCOME.settingsSaved } }

let hub: TestHub

test.before.each(async () => {
  hub = await startHub()
  $toasts.set([])
})
test.after.each(async () => {
  await closeConsole()
  await hub.close()
})

const codes = () => $toasts.get().map(({ response }) => response.result)

/** A response of the hub. */
const json = (response: object) => Response.json(response)

/** Opens the channel list with the channel 'News'. */
async function openChannelList(): Promise<TestConsole & { id: number }> {
  const { id } = await hub.clientAs().send(addChannel, { name: 'News' })
  const console = await openConsole(hub, { at: ROUTES.channels })
  await findByRole('row', 'News')
  return Object.assign(console, { id })
}

const startChannel = async () => click(await findByRole('button', /^Start/, await findByRole('row', 'News')))
const isEnabled = (id: number) => hub.parts.store.channels.byId(id)?.enable === 1

/** The lines of the only failure on screen. */
async function shownFailure(): Promise<string[]> {
  const alert = await findByRole('alert')
  return [...alert.querySelectorAll('p')].map((line) => line.textContent ?? '')
}

test('a write shows its response as a toast and returns it, unless the caller shows it itself', async () => {
  const response = { result: NAME_EXISTS, field: 'name' }
  const calls: ForceOption[] = []
  const make = async (force: ForceOption) => {
    calls.push(force)
    return response
  }
  assert.equal(await mutate(make, SAVED), response)
  assert.equal(await mutate(Promise.resolve(response), SAVED), response)
  assert.deepEqual(codes(), [1003])
  $toasts.set([])
  assert.equal(await mutate(make, { ...SAVED, isShownElsewhere: ({ field }) => field === 'name' }), response)
  assert.deepEqual(codes(), [])
  assert.deepEqual(calls, [{ 'dry-run': 'if-off-air' }, { 'dry-run': 'if-off-air' }])
})

test('a second attempt replaces the failure of the first, that of another object stays', async () => {
  await openConsole(hub, { at: ROUTES.channels })
  await sendMutation(renameCatalog, { id: 900_001, name: 'Hall' }, SAVED)
  await sendMutation(renameCatalog, { id: 900_001, name: ' ' }, SAVED)
  assert.deepEqual(codes(), [7])
  await sendMutation(renameCatalog, { id: 900_002, name: 'Hall' }, SAVED)
  assert.deepEqual(codes(), [7, 16])
})

test('for a busy object the user is asked, with the names of its users, and the call is repeated with force', async () => {
  const console = await openChannelList()
  const requestBodies: object[] = []
  console.intercept = (path, body) => {
    if (!path.endsWith('/channel/enable')) return undefined
    requestBodies.push(JSON.parse(body ?? ''))
    return requestBodies.length === 1 ? json({ result: OBJECT_BUSY, 'owner-i': ['Late news', 'Sport'] }) : undefined
  }
  await startChannel()
  const question = await findByRole('dialog', 'Occupied')
  await waitForText('Everything that uses it will be interrupted. Late news, Sport', question)
  assert.equal(question.querySelector('.danger'), null)
  assert.deepEqual(codes(), [])
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForText('News started Open')
  assert.deepEqual(requestBodies, [
    { id: console.id, enable: true, 'dry-run': 'if-off-air' },
    { id: console.id, enable: true, force: true }
  ])
  assert.equal(isEnabled(console.id), true)
})

test('declining the question changes nothing and is not a failure', async () => {
  const console = await openChannelList()
  let calls = 0
  console.intercept = (path) => {
    if (!path.endsWith('/channel/enable')) return undefined
    calls++
    return json({ result: OBJECT_BUSY })
  }
  await startChannel()
  const question = await findByRole('dialog', 'Occupied')
  await waitForText('Everything that uses it will be interrupted.', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog')
  assert.equal(calls, 1)
  assert.equal(isEnabled(console.id), false)
  assert.deepEqual(codes(), [])
})

test('a loss of data is confirmed with a danger button', async () => {
  const console = await openChannelList()
  let calls = 0
  console.intercept = (path, body) => {
    if (!path.endsWith('/channel/enable')) return undefined
    calls++
    return body?.includes('"force":true') ? undefined : json({ result: DATA_LOSS })
  }
  await startChannel()
  const question = await findByRole('dialog', 'Data would be lost')
  await waitForText('This cannot be undone.', question)
  const proceed = await findByRole('button', 'Proceed anyway', question)
  assert.ok(proceed.classList.contains('danger'))
  await click(proceed)
  await waitForText('News started Open')
  assert.equal(calls, 2)
})

test('an object that is busy in spite of force is a failure, not an endless question', async () => {
  const responses: Envelope[] = []
  await openConsole(hub)
  const mutation = mutate(async (force) => {
    const response = { result: OBJECT_BUSY }
    responses.push({ ...response, ...force })
    return response
  }, SAVED)
  await click(await findByRole('button', 'Proceed anyway'))
  assert.equal((await mutation).result, OBJECT_BUSY)
  await waitForNone('dialog')
  assert.deepEqual(await shownFailure(), ['Occupied', 'Try again in a moment.'])
  assert.equal(responses.length, 2)
})

test('a step that the user declined gets no toast from its action', async () => {
  await openConsole(hub)
  const mutation = mutate(
    confirmAndRetry(async () => ({ result: DATA_LOSS })),
    SAVED
  )
  await click(await findByRole('button', 'Cancel', await findByRole('dialog', 'Data would be lost')))
  assert.equal((await mutation).result, DATA_LOSS)
  assert.deepEqual(codes(), [])
})

test('a change by another user is shown with name and time, and the list is refreshed', async () => {
  const console = await openChannelList()
  console.muteFeed()
  console.intercept = (path) => {
    if (!path.endsWith('/channel/enable')) return undefined
    hub.parts.store.channels.setName(console.id, 'Evening news')
    hub.parts.store.changes.markChanged('channel', console.id)
    return json({
      result: STATE_CHANGED,
      by: { name: 'anna', time: new Date(2026, 4, 17, 14, 2, 3).getTime(), event: '/channel/set', what: 'Edit channel' }
    })
  }
  await startChannel()
  await findByRole('row', 'Evening news')
  assert.deepEqual(await shownFailure(), [
    'The status has been changed by another people',
    'Edit channel: anna, May 17, 2026, 14:02:03',
    'The current state is shown.'
  ])
  setLanguage('zh')
  await waitForText('状态已被他人更改')
  await waitForText('Edit channel：anna，2026年5月17日 14:02:03')
})

test('a deletion by another user is shown with name and time, and the list is refreshed', async () => {
  const console = await openChannelList()
  console.muteFeed()
  hub.parts.store.channels.remove(console.id)
  hub.parts.store.changes.markRemoved('channel', console.id)
  console.intercept = (path) =>
    path.endsWith('/channel/enable')
      ? json({
          result: NOT_EXIST,
          by: {
            name: 'anna',
            time: new Date(2026, 4, 17, 14, 2, 3).getTime(),
            event: '/channel/del',
            what: 'Delete channels'
          }
        })
      : undefined
  await startChannel()
  await waitForText('No channels yet')
  assert.deepEqual((await shownFailure()).slice(0, 2), [
    'This configuration has been deleted by another user.',
    'Delete channels: anna, May 17, 2026, 14:02:03'
  ])
})

test('after each write the live stores are refreshed, also after one that failed', async () => {
  const console = await openChannelList()
  console.muteFeed()
  hub.parts.store.channels.remove(console.id)
  hub.parts.store.changes.markRemoved('channel', console.id)
  await mutate(Promise.resolve({ result: SUCCESS }), SAVED)
  await waitForText('No channels yet')
  await hub.clientAs().send(addChannel, { name: 'Sport' })
  await mutate(Promise.resolve({ result: NOT_PERMITTED }), SAVED)
  await findByRole('row', 'Sport')
})

test('result 37 redirects to the login page with a return URL, from every route, without a toast', async () => {
  for (const route of [
    ROUTES.channels,
    linkTo('warningDevices', { key: 'x' }),
    ROUTES.dashboard,
    ROUTES.pendingDevices
  ]) {
    const console = await openConsole(hub, { at: route })
    notify(1007)
    await findByRole('alert')
    console.intercept = (path) => (path.endsWith('/channel/del') ? json({ result: NOT_LOGGED_IN }) : undefined)
    assert.equal((await mutate((force) => send(deleteChannels, { id: 1, ...force }), SAVED)).result, NOT_LOGGED_IN)
    await findByRole('button', 'Sign in')
    assert.equal(console.currentPath(), `/login?return_url=${encodeURIComponent(route)}`)
    assert.deepEqual(codes(), [])
    assert.equal(readLoginCache(), null, 'the login cache is cleared')
    await closeConsole()
  }
})

test('an open question is closed when the session ends', async () => {
  await openConsole(hub)
  const mutation = mutate(async () => ({ result: DATA_LOSS }), SAVED)
  await findByRole('dialog', 'Data would be lost')
  markUnauthorized()
  assert.equal((await mutation).result, DATA_LOSS)
  await findByRole('button', 'Sign in')
  await waitForNone('dialog')
})

test('an unknown code is shown with its number', async () => {
  const console = await openChannelList()
  console.intercept = (path) => (path.endsWith('/channel/enable') ? json({ result: 99999 }) : undefined)
  await startChannel()
  assert.deepEqual(await shownFailure(), ['Operation failed. Error code: 99999'])
})

test('a missing response of the hub has a sentence of its own', async () => {
  const console = await openChannelList()
  console.disconnect()
  await startChannel()
  assert.deepEqual(await shownFailure(), ['Cannot connect to server', 'Check your network connection.'])
})

test('after a timeout the message warns that the write may have succeeded', async () => {
  const console = await openChannelList()
  console.intercept = (path) => (path.endsWith('/channel/enable') ? new Response('', { status: 504 }) : undefined)
  await startChannel()
  assert.deepEqual(await shownFailure(), [
    'Network Error: Please check your network connection',
    'The operation may have completed. Check before you try again.'
  ])
})

test('a missing response of a device has a sentence of its own, and its codes are those of the device', async () => {
  await openConsole(hub)
  const responses: [Envelope, string][] = [
    [{ result: NO_RESPONSE }, 'No response from the device'],
    [{ result: TARGET_TIMEOUT }, 'No response from the device'],
    [{ result: 1, api: 'usapi', message: 'Repeated operations' }, 'Repeated operations'],
    [{ result: -14, api: 'usapi' }, 'This configuration has been deleted by another user.']
  ]
  for (const [response, text] of responses) {
    await mutate(Promise.resolve(response), SAVED)
    assert.equal((await shownFailure())[0], text)
    $toasts.set([])
    await waitForNone('alert')
  }
  await mutate(Promise.resolve<Envelope>({ result: NOT_LOGGED_IN, api: 'mwapi' }), SAVED)
  assert.deepEqual(await shownFailure(), ['Not signed in'])
  assert.equal(queryAllByRole('button', 'Sign in').length, 0)
})

test('when the hub wants the password again, it is asked for in a dialog, and the call is repeated; the form keeps its input', async () => {
  await openConsole(hub, { at: ROUTES.users })
  await click(await findByRole('button', 'Add user'))
  const form = await findByRole('dialog', 'Add user')
  await fill(await findByRole('textbox', 'User name', form), 'anna')
  for (const name of ['Password', 'Repeat password'])
    await fill(await findByRole('textbox', name, form), 'anna-password')
  hub.parts.store.database.run('UPDATE session SET authenticated = authenticated - 601000')
  await click(await findByRole('button', 'Add user', form))
  const question = await findByRole('dialog', 'Confirm your password')
  const password = await findByRole('textbox', 'Password', question)
  await fill(password, 'wrong')
  await click(await findByRole('button', 'Continue', question))
  await waitForText('Incorrect account or password', question)
  await click(await findByRole('button', 'Cancel', question))
  await waitForNone('dialog', 'Confirm your password')
  assert.deepEqual(codes(), [], 'a cancelled question needs no message')
  assert.equal((await findByRole<HTMLInputElement>('textbox', 'User name', form)).value, 'anna')
  await click(await findByRole('button', 'Add user', form))
  await fill(await findByRole('textbox', 'Password', await findByRole('dialog', 'Confirm your password')), 'Admin')
  await click(await findByRole('button', 'Continue'))
  await waitForNone('dialog')
  await findByRole('row', /anna/)
})

test('two writes at once ask for the password once', async () => {
  await openConsole(hub)
  let isProved = false
  const make = async () => ({ result: isProved ? 0 : 1100 })
  const writes = [mutate(make, SAVED), mutate(make, SAVED)]
  const question = await findByRole('dialog', 'Confirm your password')
  assert.equal(queryAllByRole('dialog').length, 1)
  await fill(await findByRole('textbox', 'Password', question), 'Admin')
  isProved = true
  await click(await findByRole('button', 'Continue', question))
  assert.deepEqual(
    (await Promise.all(writes)).map(({ result }) => result),
    [0, 0]
  )
})

test.run()
