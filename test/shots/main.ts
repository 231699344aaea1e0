// `make shots`: takes a picture of every screen in both languages and themes and in three widths, from a hub of its own
// with the demo fleet, and puts them on one contact sheet: `build/shots/index.html`, and as one picture
// `build/shots/contact-sheet.png`. Arguments: parts of the paths of the screens; none = all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { listDevices } from '../../contract/device/device.ts'
import { channelDashboard } from '../../contract/stream/channel.ts'
import { LANGUAGE_COOKIE } from '../../contract/text/language.ts'
import { createHubClient, sendChecked, signIn } from '../../fleet/hub-client.ts'
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
    return { url, objectPages: await findObjectPages(url), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until all channels have started, and returns the pages of the first channel and of a device that is online. */
async function findObjectPages(url: string): Promise<string[]> {
  const signal = AbortSignal.timeout(LIMIT)
  const send = createHubClient(url, signal)
  await signIn(send, signal, LIMIT)
  const channels = await until(async () => {
    const { list } = await sendChecked(send, channelDashboard, {})
    return list.some(({ health }) => health?.verdict === 'starting') ? undefined : list
  }, 'the start of all channels')
  const { list: devices } = await sendChecked(send, listDevices, { status: 'online' })
  const sn = devices[0]?.sn ?? ''
  return [linkTo('channelDetail', { channelId: String(channels[0]?.id) }), linkTo('deviceDetail', { sn, catalog: '0' })]
}

/** The screens to show: all, or those with one of the arguments in their path. */
function chooseScreens(objectPages: readonly string[]): string[] {
  const parts = process.argv.slice(2)
  // Pages of objects that exist take the place of those that do not.
  const isReplaced = (path: string) => /^\/(stream\/channel|device)\/detail\//.test(path)
  const all = [ROUTES.login, ...PAGES.filter((path) => !isReplaced(path)), ...objectPages]
  return parts.length === 0 ? all : all.filter((path) => parts.some((part) => path.includes(part)))
}

/** Takes the pictures of the screen that is open, in both themes and all widths. */
async function takePictures(page: Page, path: string, language: Variant['language']): Promise<void> {
  for (const variant of VARIANTS.filter((variant) => variant.language === language)) {
    const { theme, width, height } = variant
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height })
    const haveArrived = () => [...document.images].every((image) => image.complete)
    await page.waitForFunction(haveArrived, undefined, { timeout: PICTURES_TIMEOUT }).catch(() => {})
    await page.screenshot({ path: join(OUT, pictureFile(path, variant)) })
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

/** Takes the pictures of all screens in one language. */
async function photograph(browser: Browser, url: string, language: Variant['language'], paths: readonly string[]) {
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
  await signInToConsole(page)
  await page.getByRole('banner').getByRole('status').getByText('Connected').waitFor()
  await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url }])
  await page.reload()
  for (const path of others) {
    if (path === undefined) continue
    await openRoute(page, path)
    await waitForContent(page)
    await takePictures(page, path, language)
    console.log(`${language}  ${path}`)
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
  const paths = chooseScreens(demo.objectPages)
  await Promise.all((['en', 'zh'] as const).map((language) => photograph(browser, demo.url, language, paths)))
  await writeSheet(browser, paths)
  console.log(`${paths.length} screens in ${VARIANTS.length} variants: ${join('build/shots', 'index.html')}`)
} finally {
  await browser.close()
  await demo.close()
}
