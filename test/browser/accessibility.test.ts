// Accessibility: names for screen readers, keyboard operation, narrow screens.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { addChannel } from '../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { waitForLogin } from '../kit/browser/browser.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { openRoute } from '../kit/browser/open-route.ts'

const test = suite('accessibility')

/** Roles that need an accessible name (WCAG 2.2, 4.1.2). */
const NAMED = new Set(
  'button link textbox searchbox combobox listbox checkbox switch radio menuitem menuitemradio treeitem tree img image dialog'.split(
    ' '
  )
)
/** Width in CSS pixels at which the console must stay usable (WCAG 2.2, 1.4.10), and a suitable height. */
const SMALL: [number, number] = [320, 640]

const PENDING = 'Chapel Left'
const CHANNEL = 'A channel with quite a long name that does not fit everywhere'

let environment: BrowserEnvironment

test.before(async () => {
  environment = await startEnvironment({ devices: 4 })
  await environment.accept('Main Hall PTZ', 'Lecture 2.14', 'Campus News Desk')
  await environment.device(PENDING)
  await environment.hub.send(addChannel, { name: CHANNEL })
})
test.after(() => environment?.close())

/** Screens, each with an element that must be visible before the check. */
const SCREENS: readonly [title: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['dashboard', ROUTES.dashboard, (page) => page.getByText('CPU').first().waitFor()],
  [
    'dashboard as lines, with its details open',
    linkTo('dashboard', { density: 'rows', details: 'open' }),
    (page) => page.getByRole('meter', { name: 'CPU' }).waitFor()
  ],
  ['pending devices', ROUTES.pendingDevices, (page) => page.getByRole('rowheader', { name: PENDING }).waitFor()],
  ['rejected devices', ROUTES.rejectedDevices, (page) => page.getByText('No devices').waitFor()],
  ['devices as a list', ROUTES.allDevices, (page) => page.getByRole('rowheader', { name: 'Main Hall PTZ' }).waitFor()],
  [
    'devices as pictures',
    linkTo('allDevices', { view: 'view' }),
    (page) =>
      page
        .getByRole('img', { name: /Live picture of/ })
        .first()
        .waitFor()
  ],
  ['channels as a list', linkTo('channels', { view: 'list' }), (page) => page.getByRole('rowheader').waitFor()],
  [
    'channels as pictures',
    linkTo('channels', { view: 'view' }),
    (page) => page.getByRole('main').getByRole('link', { name: CHANNEL }).waitFor()
  ],
  [
    'channels with a dialog open',
    ROUTES.channels,
    async (page) => {
      await page.getByRole('button', { name: 'Add channel' }).click()
      await page.getByRole('dialog').getByRole('option', { name: 'Main Hall PTZ' }).waitFor({ state: 'attached' })
    }
  ],
  ['an unknown page', '/no/such/page', (page) => page.getByText("Sorry, the page doesn't exist.").waitFor()]
]

/** Elements without an accessible name in the accessibility tree. */
async function nameless(page: Page): Promise<{ count: number; faults: string[] }> {
  const protocol = await page.context().newCDPSession(page)
  const { nodes } = await protocol.send('Accessibility.getFullAXTree')
  await protocol.detach()
  const controls = nodes.filter(({ ignored, role }) => !ignored && NAMED.has(String(role?.value)))
  const unnamed = controls.filter(({ name }) => !String(name?.value ?? '').trim())
  return { count: controls.length, faults: unnamed.map(({ role }) => `a ${role?.value} without a name`) }
}

/**
 * Elements that overflow horizontally. Only tables may be wider, which scroll in their own container, and the row of
 * pages.
 */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const nameOf = (element: Element) =>
      `<${element.tagName.toLowerCase()}> '${(element.textContent ?? '').slice(0, 40)}'`
    const scrollers = [...document.querySelectorAll('*')].filter((element) => {
      const scrolls = element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)
      const isWide = scrolls && element.scrollWidth > element.clientWidth
      return isWide && !element.matches('nav.entries') && !element.querySelector(':scope > table')
    })
    const outside = [...document.querySelectorAll('dialog[open] :is(button, input, select, a)')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (left < 0 || right > innerWidth)
    })
    return [
      ...scrollers.map(
        (element) => `${nameOf(element)} is ${element.scrollWidth} px wide inside ${element.clientWidth}`
      ),
      ...outside.map((element) => `${nameOf(element)} sticks out`)
    ]
  })
}

test('every control has an accessible name', async () => {
  await environment.visit({ signedOut: true }, async (page) => {
    await waitForLogin(page)
    const { count, faults } = await nameless(page)
    assert.ok(count >= 4)
    assert.deepEqual(faults, [])
  })
  await environment.visit({}, async (page) => {
    for (const [title, path, ready] of SCREENS) {
      await openRoute(page, path)
      await ready(page)
      const { count, faults } = await nameless(page)
      assert.ok(count >= 8, `${title}: ${count} found`)
      assert.deepEqual(faults, [], title)
      await page.keyboard.press('Escape')
    }
  })
})

test('at 320 px only tables and the row of pages scroll horizontally, and every control keeps its name', async () => {
  await environment.visit({ signedOut: true, size: SMALL }, async (page) => {
    await waitForLogin(page)
    assert.deepEqual(await tooWide(page), [])
  })
  await environment.visit({ size: SMALL }, async (page) => {
    for (const [title, path, ready] of SCREENS) {
      await openRoute(page, path)
      await ready(page)
      assert.deepEqual(await tooWide(page), [], title)
      assert.deepEqual((await nameless(page)).faults, [], title)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('button', { name: 'Expand menu' }).click()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Live' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.deepEqual(await tooWide(page), [])
  })
})

/** Presses Tab until a button or link with this name has the focus. @returns the number of key presses */
async function tabTo(page: Page, name: string, limit = 40): Promise<number> {
  for (let presses = 1; presses <= limit; presses++) {
    await page.keyboard.press('Tab')
    const there = await page.evaluate(() => {
      const { activeElement: on } = document
      return on?.getAttribute('aria-label') ?? on?.textContent
    })
    if (there === name) return presses
  }
  throw new Error(`${limit} times Tab did not lead to ${name}`)
}

test('sign-in, accepting a device and sign-out work with the keyboard', () =>
  environment.visit({ signedOut: true, at: ROUTES.pendingDevices }, async (page) => {
    // The user name has the focus when the page opens.
    await page.locator('input:focus').and(page.getByLabel('User name')).waitFor()
    await page.keyboard.type('Admin')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Admin')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: PENDING }).waitFor()
    await page.locator('#content:focus').waitFor()
    await page.getByRole('button', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Accept', 30)
    const ring = await page.evaluate(() => {
      const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement as Element)
      return outlineStyle !== 'none' || boxShadow !== 'none'
    })
    assert.ok(ring, 'one can see where the focus is')
    await page.keyboard.press('Enter')
    await page.getByText('No devices').waitFor()
    await page.getByRole('button', { name: 'Admin' }).focus()
    await page.keyboard.press('Enter')
    const last = page.getByRole('menuitem', { name: 'Sign out' })
    await last.waitFor()
    // Scrolls to the end, because content above may grow.
    for (let press = 0; press < 12 && !(await last.evaluate((element) => element === document.activeElement)); press++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForLogin(page)
  }))

test('a dialog takes the focus, keeps it and restores it on Escape', () =>
  environment.visit({ at: ROUTES.channels }, async (page) => {
    await page.getByRole('rowheader').waitFor()
    await tabTo(page, 'Add channel')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add channel' })
    await dialog.waitFor()
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: on } = document
        // The focus also passes through the browser's toolbar.
        return on === document.body ? 'outside the page' : on?.closest('dialog') ? 'in the dialog' : on?.outerHTML
      })
    assert.equal(await dialog.getByLabel('Name').evaluate((field) => field === document.activeElement), true)
    for (let press = 0; press < 15; press++) {
      await page.keyboard.press('Tab')
      assert.match(String(await focused()), /^(in the dialog|outside the page)$/)
    }
    await dialog.getByLabel('Name').focus()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const button = page.getByRole('button', { name: 'Add channel' })
    assert.equal(await button.evaluate((element) => element === document.activeElement), true)
  }))

test.run()
