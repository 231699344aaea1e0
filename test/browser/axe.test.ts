// Checks every screen with axe-core, in both themes and both languages.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addToken, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { addChannel, addChannelOutputs, setChannelInput } from '../../contract/stream/channel.ts'
import { SRT } from '../../contract/stream/protocols.ts'
import { addInput, addOutput } from '../../contract/stream/source.ts'
import { addTag, setTagSecurity } from '../../contract/tag.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { checkBothThemes } from '../kit/browser/axe.ts'
import { waitForLogin } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'
import { PAGES } from '../kit/browser/pages.ts'
import { OTHER_DAYS } from '../kit/other-days.ts'

const test = suite('axe')

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment({ devices: 3 })
  const [device] = await environment.accept('Main Hall PTZ', 'Lecture 2.14')
  detail = linkTo('deviceDetail', { sn: device?.sn ?? '', catalog: '0' })
  await environment.device('Campus News Desk')
  const { id } = await environment.hub.send(addChannel, {
    name: 'Sunday service',
    config: { schedule: { zone: 'UTC', rules: [{ days: OTHER_DAYS, start: '09:00', stop: '10:00' }] } }
  })
  channel = linkTo('channelDetail', { channelId: String(id) })
  const config = { mode: 'listener', 'bind-port': 9001 } as const
  const output = await environment.hub.send(addOutput, { name: 'Foyer', protocol: SRT, config })
  await environment.hub.send(addChannelOutputs, { id, outputs: [output.id] })
  const url = 'srt://0.0.0.0:9100?mode=listener&latency=120'
  const input = await environment.hub.send(addInput, { name: 'Gate', config: { type: 1, url } })
  await environment.hub.send(setChannelInput, { id, input: input.id })
  const tag = await environment.hub.send(addTag, { name: 'Client A', color: 'teal' })
  const security = { 'group-mask': 2, 'usr-mask': 0 }
  await environment.hub.send(setTagSecurity, { id: tag.id, security })
  await environment.hub.send(addToken, { name: 'Nightly backup', 'expired-time': NEVER_EXPIRES })
})
test.after(() => environment?.close())

/** Pages of an existing device and channel. */
let detail: string
let channel: string

test('every route with parameters has a page that is checked', () => {
  assert.deepEqual(
    PAGES.filter((path) => path.includes(':')),
    []
  )
})

async function setPageLanguage(page: Page, language: 'en' | 'zh'): Promise<void> {
  await page.context().addCookies([{ name: 'headend-lang', value: language, url: environment.hub.url }])
}

for (const language of ['en', 'zh'] as const) {
  test(`no screen has a violation, in ${language}`, () =>
    environment.visit({}, async (page) => {
      await setPageLanguage(page, language)
      await page.reload()
      const faults: string[] = []
      const tabs = ['schedule', 'history', 'access', 'settings'].map((tab) => `${channel}?tab=${tab}`)
      for (const path of [...PAGES, detail, channel, ...tabs]) {
        await openRoute(page, path)
        await waitForContent(page)
        faults.push(...(await checkBothThemes(page, path)))
      }
      assert.deepEqual(faults, [])
    }))
}

test('the dialogs about guests and access by tag have no violation', () =>
  environment.visit({}, async (page) => {
    await openRoute(page, linkTo('users', { guest: '100001' }))
    await page.getByRole('group', { name: 'Channels' }).waitFor()
    const faults = await checkBothThemes(page, 'guest')
    await page.keyboard.press('Escape')
    await openRoute(page, ROUTES.channels)
    await page
      .getByRole('row', { name: /Sunday service/ })
      .getByRole('button')
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Edit tags' }).click()
    await page.getByText('Gives access').waitFor()
    faults.push(...(await checkBothThemes(page, 'tags')))
    await page.getByRole('button', { name: 'Access by tag Client A' }).click()
    await page.getByText('User groups').waitFor()
    faults.push(...(await checkBothThemes(page, 'access by tag')))
    assert.deepEqual(faults, [])
  }))

test('the charts of a channel have no violation', () =>
  environment.visit({}, async (page) => {
    await openRoute(page, `${channel}?tab=history&period=hour`)
    await page.getByRole('img', { name: 'Bit rate and state' }).waitFor()
    assert.deepEqual(await checkBothThemes(page, 'charts'), [])
  }))

test('the login page has no violation', () =>
  environment.visit({ signedOut: true }, async (page) => {
    await waitForLogin(page)
    assert.deepEqual(await checkBothThemes(page, 'login'), [])
  }))

test.run()
