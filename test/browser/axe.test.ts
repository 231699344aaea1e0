// What axe-core finds wrong, on every screen, in both themes and both languages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addChannel, addChannelOutputs, setChannelInput } from '../../contract/stream/channel.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { addToken, UNLIMITED } from '../../contract/token.ts'
import { link, PLACES, type Place } from '../../src/paths.ts'
import { openStage, type Stage } from '../kit/stage.ts'

const test = suite('axe')

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let stage: Stage

test.before(async () => {
  stage = await openStage({ devices: 3 })
  const [device] = await stage.accept('Main Hall PTZ', 'Lecture 2.14')
  detail = link('deviceDetail', { sn: device?.sn ?? '', catalog: '0' })
  await stage.device('Campus News Desk')
  const { id } = await stage.hub.send(addChannel, { name: 'Sunday service' })
  channel = link('channelDetail', { channelId: String(id) })
  const config = { mode: 'listener', 'bind-port': 9001 } as const
  const output = await stage.hub.send(addOutput, { name: 'Foyer', protocol: SRT, config })
  await stage.hub.send(addChannelOutputs, { id, outputs: [output.id] })
  const url = 'srt://0.0.0.0:9100?mode=listener&latency=120'
  const input = await stage.hub.send(addInput, { name: 'Gate', config: { type: 1, url } })
  await stage.hub.send(setChannelInput, { id, input: input.id })
  await stage.hub.send(addToken, { name: 'Nightly backup', 'expired-time': UNLIMITED })
})
test.after(() => stage?.close())

/** The pages of a device and of a channel that are there. */
let detail: string
let channel: string

/** Links to look at, besides those two. Every place has to be among them. */
const SCREENS: Readonly<Record<Place, readonly string[]>> = {
  login: [],
  dashboard: [PLACES.dashboard],
  channels: [PLACES.channels],
  inputs: [PLACES.inputs],
  outputs: [PLACES.outputs],
  channelDetail: [link('channelDetail', { channelId: '7' })],
  allDevices: [PLACES.allDevices, link('allDevices', { view: 'view' })],
  pendingDevices: [PLACES.pendingDevices],
  rejectedDevices: [PLACES.rejectedDevices],
  warningDevices: [PLACES.warningDevices],
  favoriteDevices: [PLACES.favoriteDevices],
  groupDevices: [link('groupDevices', { catalog: '0' })],
  search: [link('search', { for: 'Hall' })],
  deviceDetail: [link('deviceDetail', { sn: 'none', catalog: '0' })],
  portForward: [PLACES.portForward],
  firmware: [PLACES.firmware, link('firmware', { tab: 'rollouts' })],
  upgrade: [PLACES.upgrade],
  users: [
    PLACES.users,
    link('users', { tab: 'groups' }),
    link('users', { tab: 'sessions' }),
    link('users', { tab: 'rules' })
  ],
  userGroup: [link('userGroup', { groupId: '2' }), link('userGroup', { groupId: 'new' })],
  logs: [PLACES.logs, link('logs', { tab: 'system' }), link('logs', { tab: 'device' })],
  accessTokens: [PLACES.accessTokens]
}

/** What axe finds on the page as it is, a line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations: found } = (await page.evaluate('axe.run()')) as AxeResults
  return found.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/** The room has come: something is in it, and nothing is on its way. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector('main')
    return main?.querySelector('h1') && !main.querySelector('.skeleton')
  })
}

/** Looks at the page in both themes. */
async function look(page: Page, what: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours on their way from one theme to the other would be looked at otherwise.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const line of await violations(page)) found.push(`${what}, ${colorScheme}: ${line}`)
  }
  return found
}

async function speak(page: Page, language: 'en' | 'zh'): Promise<void> {
  await page.context().addCookies([{ name: 'headend-lang', value: language, url: stage.hub.url }])
}

for (const language of ['en', 'zh'] as const) {
  test(`no screen has a violation, in ${language}`, () =>
    stage.visit({}, async (page) => {
      await speak(page, language)
      await page.reload()
      const found: string[] = []
      for (const path of [...Object.values(SCREENS).flat(), detail, channel]) {
        await page.goto(`${stage.hub.url}/#${path}`)
        await ready(page)
        found.push(...(await look(page, path)))
      }
      assert.deepEqual(found, [])
    }))
}

/** Dialogs: where, and the button that opens each. */
const DIALOGS: readonly [path: string, button: string][] = [
  [PLACES.channels, 'Add channel'],
  [PLACES.inputs, 'Add input'],
  [PLACES.outputs, 'Add output'],
  [PLACES.users, 'Add user'],
  [PLACES.accessTokens, 'Add access token'],
  [PLACES.logs, 'Clear']
]

test('no dialog has one', () =>
  stage.visit({}, async (page) => {
    const found: string[] = []
    for (const [path, button] of DIALOGS) {
      await page.goto(`${stage.hub.url}/#${path}`)
      await ready(page)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      found.push(...(await look(page, button)))
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(found, [])
  }))

test('the login page has none', () =>
  stage.visit({ stranger: true }, async (page) => {
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await look(page, 'login'), [])
  }))

test.run()
