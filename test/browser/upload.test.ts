// A firmware file is uploaded from a real browser despite an interrupted connection and a reload, and installed on a
// device.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { listFirmware } from '../../contract/firmware.ts'
import { MODELS } from '../../fleet/models.ts'
import { linkTo, ROUTES } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { firmwareFile } from '../kit/hub/firmware-upload.ts'
import { type CuttableProxy, startCuttableProxy } from '../kit/net/cuttable-proxy.ts'

const test = suite('upload')

/** Upload rate in bytes per second: the file takes a few seconds. */
const LINE_RATE = 1_500_000
const SIZE = 6_000_000

let environment: BrowserEnvironment
let line: CuttableProxy
let folder: string
let path: string
/** Name of the device that the file is for. */
let name: string

test.before(async () => {
  environment = await startEnvironment({ devices: 1 })
  line = await startCuttableProxy(Number(new URL(environment.hub.url).port))
  const [device] = await environment.accept('Main Hall PTZ')
  name = device?.name ?? ''
  const model = Object.keys(MODELS).find((key) => MODELS[key as keyof typeof MODELS].name === device?.['module-name'])
  const file = firmwareFile(model as keyof typeof MODELS, '9.1.2', { size: SIZE })
  folder = mkdtempSync(join(tmpdir(), 'upload-'))
  path = join(folder, file.name)
  writeFileSync(path, file.bytes)
})
test.after(async () => {
  if (folder) rmSync(folder, { recursive: true })
  await line?.close()
  await environment?.close()
})

/** Limits the upload rate of the page. */
async function slow(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: LINE_RATE
  })
}

/** Selects the file. */
async function choose(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload firmware' }).click()
  await (await chooser).setFiles(path)
}

const share = (page: Page) => page.locator('progress').evaluate((bar) => (bar as HTMLProgressElement).position)

async function reaches(page: Page, position: number): Promise<void> {
  await page.waitForFunction((least) => (document.querySelector('progress')?.position ?? 1) >= least, position)
}

/** Records the offsets of the chunks that a page sends. */
function pieces(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/upload/piece')) offsets.push(Number(searchParams.get('offset')))
  })
  return offsets
}

test('an upload resumes after an interruption and after a reload, and the file reaches the device', () =>
  environment.visit({ at: ROUTES.firmware, origin: `http://127.0.0.1:${line.port}` }, async (page, errors) => {
    errors.expectOutage()
    await slow(page)
    await choose(page)
    await reaches(page, 0.2)
    line.cut()
    await page.getByText('Connecting').waitFor()
    line.thaw()
    const before = await share(page)
    assert.ok(before > 0.1 && before < 0.9, `broken at ${before}`)
    await reaches(page, before + 0.05)

    // After a reload, selecting the file again resumes the upload.
    await page.reload()
    await slow(page)
    const offsets = pieces(page)
    await choose(page)
    await page.getByRole('cell', { name: '9.1.2', exact: true }).waitFor()
    assert.ok((offsets[0] ?? 0) > SIZE * before * 0.9, `resumed at ${offsets[0]} of ${SIZE}`)
    const { list } = await environment.hub.send(listFirmware, {})
    assert.equal(list.length, 1)

    await page.getByRole('button', { name: /^Choose devices/ }).click()
    await page.getByRole('button', { name: `Actions: ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Update firmware' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Update firmware' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`${page.url().replace(/#.*/, '')}#${linkTo('firmware', { tab: 'rollouts' })}`)
    await page.getByText('1 of 1 done').waitFor()
  }))

test.run()
