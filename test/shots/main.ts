// `make shots`: takes a picture of every screen in both languages and themes and in three widths, from a hub of its own
// with the demo fleet, some of them also as a user who may see nothing but devices, and puts them on one contact sheet:
// `build/shots/index.html`, and as one picture `build/shots/contact-sheet.png`. Arguments: parts of the paths of the
// screens; none = all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { DEVICE_VIEW } from '../../contract/access/permissions.ts'
import { addGroup, addUser } from '../../contract/access/user.ts'
import { listDevices } from '../../contract/device/device.ts'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { DIR_INPUT } from '../../contract/stream/protocols.ts'
import { LANGUAGE_COOKIE } from '../../contract/text/language.ts'
import { createHubClient, sendChecked, signIn } from '../../fleet/hub-client.ts'
import { md5 } from '../../src/link/md5.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { openChromium, signIn as signInToConsole, waitForLogin } from '../kit/browser/browser.ts'
import { openRoute, waitForContent } from '../kit/browser/open-route.ts'
import { PAGES } from '../kit/browser/pages.ts'
import { freeTcpPort } from '../kit/net/free-port.ts'
import { LIMIT, until } from '../kit/until.ts'
import { contactSheet, pictureFile, VARIANTS, type Variant } from './contact-sheet.ts'

const OUT = resolve(import.meta.dirname, '../../build/shots')
/** Number of demo devices. */
const FLEET = '24'
/** A user who may see nothing but devices. The password is the name. */
const VIEWER = 'viewer'
/** The screens that are also shown to that user. */
const VIEWER_PAGES = [
  ROUTES.dashboard,
  ROUTES.channels,
  ROUTES.allDevices,
  ROUTES.problems,
  ROUTES.settings,
  ROUTES.users,
  ROUTES.network
]
/** Milliseconds for the pictures of a page to arrive; those of devices that are off never do. */
const PICTURES_TIMEOUT = 2000

/** The running hub, and the pages of one of its devices and one of its channels. */
interface Demo {
  url: string
  objectPages: string[]
  close(): Promise<void>
}

/** Runs `make run` on an empty data folder. It is ready when the demo set-up is done and each channel has a verdict. */
async function startDemo(): Promise<Demo> {
  const data = mkdtempSync(join(tmpdir(), 'headend-shots-'))
  const [PORT = '', LINK_PORT = '', FILES_PORT = ''] = (
    await Promise.all([freeTcpPort(), freeTcpPort(), freeTcpPort()])
  ).map(String)
  const child = spawn(process.execPath, ['make/run.ts'], {
    env: { ...process.env, PORT, LINK_PORT, FILES_PORT, HTTPS_PORT: 'off', HOST: '127.0.0.1', DATA: data, FLEET },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(data, { recursive: true, force: true })
  }
  try {
    await until(() => existsSync(join(data, 'fleet/set-up.json')), 'the demo set-up')
    const url = `http://127.0.0.1:${PORT}`
    return { url, objectPages: await prepareHub(url), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Waits until all channels have started, and adds the user who sees nothing but devices.
 * @returns the pages of the first channel and of a device that is online
 */
async function prepareHub(url: string): Promise<string[]> {
  const signal = AbortSignal.timeout(LIMIT)
  const send = createHubClient(url, signal)
  await signIn(send, signal, LIMIT)
  const channels = await until(async () => {
    const { list } = await sendChecked(send, channelDashboard, {})
    return list.some(({ health }) => health?.verdict === 'starting') ? undefined : list
  }, 'the start of all channels')
  const { list: devices } = await sendChecked(send, listDevices, { status: 'online' })
  // NDI devices have no page.
  const sn = devices.find(({ dir }) => dir === DIR_INPUT)?.sn ?? ''
  const group = await sendChecked(send, addGroup, { name: 'Viewers of devices', permissions: DEVICE_VIEW })
  await sendChecked(send, addUser, { name: VIEWER, passwd: md5(VIEWER), 'group-id': group.id })
  return [linkTo('channelDetail', { channelId: String(channels[0]?.id) }), linkTo('deviceDetail', { sn, catalog: '0' })]
}

/** The name of a screen in file names and on the sheet. */
const nameOf = (path: string, user: string) => (user === VIEWER ? `${user} ${path}` : path)

/** All screens, or those with one of the arguments in their path or name. */
function chosen(paths: readonly string[], user: string): string[] {
  const parts = process.argv.slice(2)
  return paths.filter((path) => parts.length === 0 || parts.some((part) => nameOf(path, user).includes(part)))
}

/** The screens that are shown to the administrator. */
function adminScreens(objectPages: readonly string[]): string[] {
  // Pages of objects that exist take the place of those that do not.
  const isReplaced = (path: string) => /^\/(stream\/channel|device)\/detail\//.test(path)
  return [ROUTES.login, ...PAGES.filter((path) => !isReplaced(path)), ...objectPages]
}

/** Takes the pictures of the screen that is open, in both themes and all widths. */
async function takePictures(page: Page, screen: string, language: Variant['language']): Promise<void> {
  for (const variant of VARIANTS.filter((variant) => variant.language === language)) {
    const { theme, width, height } = variant
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    const haveArrived = () => [...document.images].every((image) => image.complete)
    await page.waitForFunction(haveArrived, undefined, { timeout: PICTURES_TIMEOUT }).catch(() => {})
    await page.screenshot({ path: join(OUT, pictureFile(screen, variant)) })
  }
}

async function openConsole(browser: Browser, url: string, language: Variant['language']): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' })
  context.setDefaultTimeout(LIMIT)
  const page = await context.newPage()
  await page.goto(url)
  await waitForLogin(page)
  await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url }])
  return context
}

interface Photographs {
  browser: Browser
  url: string
  user: string
  paths: readonly string[]
}

/** Takes the pictures of a user's screens in one language. */
async function photograph({ browser, url, user, paths }: Photographs, language: Variant['language']): Promise<void> {
  if (paths.length === 0) return
  const context = await openConsole(browser, url, language)
  const page = context.pages()[0] as Page
  const [first, ...others] = paths[0] === ROUTES.login ? paths : [undefined, ...paths]
  if (first) {
    // Nobody is signed in, so that every address shows the login page. It has its language after loading again.
    await page.reload()
    await page.locator('main:not(.boot-login) h1').waitFor()
    await takePictures(page, first, language)
  }
  await context.clearCookies({ name: LANGUAGE_COOKIE })
  await page.reload()
  await signInToConsole(page, user, user)
  await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
  await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url }])
  await page.reload()
  for (const path of others) {
    if (path === undefined) continue
    await openRoute(page, path)
    await waitForContent(page)
    await takePictures(page, nameOf(path, user), language)
    console.log(`${language}  ${nameOf(path, user)}`)
  }
  await context.close()
}

/** Writes the contact sheet, and a picture of it. */
async function writeSheet(browser: Browser, paths: readonly string[]): Promise<void> {
  const sheet = join(OUT, 'index.html')
  writeFileSync(sheet, contactSheet(paths))
  const page = await browser.newPage({ viewport: { width: 3300, height: 1000 } })
  await page.goto(`file://${sheet}`)
  await page.screenshot({ path: join(OUT, 'contact-sheet.png'), fullPage: true })
}

rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })
const demo = await startDemo()
const browser = await openChromium()
try {
  const users = [
    { user: 'Admin', paths: chosen(adminScreens(demo.objectPages), 'Admin') },
    { user: VIEWER, paths: chosen([...VIEWER_PAGES, ...demo.objectPages], VIEWER) }
  ]
  for (const { user, paths } of users)
    await Promise.all(
      (['en', 'zh'] as const).map((language) => photograph({ browser, url: demo.url, user, paths }, language))
    )
  const screens = users.flatMap(({ user, paths }) => paths.map((path) => nameOf(path, user)))
  await writeSheet(browser, screens)
  console.log(`${screens.length} screens in ${VARIANTS.length} variants: ${join('build/shots', 'index.html')}`)
} finally {
  await browser.close()
  await demo.close()
}
