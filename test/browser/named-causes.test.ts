// Channels are broken in ways that have a name: a wrong key, stream ID or certificate, a track that is lost, a codec
// that changed, a receiver that was killed or hangs. Each place of the console names it within 5 s, in both languages.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { waitUntilAllOnAir } from '../kit/fault/all-on-air.ts'
import { ConsoleLanguages, type Language } from '../kit/fault/console-languages.ts'
import { type ConsolePlaces, channelPage } from '../kit/fault/console-places.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { callWithWrongStreamId, publishWithWrongKey, showWrongCertificate } from '../kit/fault/refused-peers.ts'

const test = suite('named causes in the console')

/** Milliseconds for which a channel has to be on air before the loss of one of its tracks is noticed. */
const STEADY_TIME = 4000

/** Whether a channel is down or degraded, the cause, and what the log says, if that is something else. */
type Words = readonly [
  shape: '◆' | '▲',
  cause: Readonly<Record<Language, RegExp>>,
  log?: Readonly<Record<Language, RegExp>>
]

const LOST_OUTPUT = { en: /the peer refused the connection|no program listens/i, zh: /对端拒绝连接|没有程序监听/ }
const FAULTS: Readonly<Record<string, Words>> = {
  'wrong key': [
    '◆',
    { en: /a caller with an unknown key \(PU…\) was refused/i, zh: /已拒绝使用未知密钥（PU…）的呼叫方/ },
    { en: /no running channel uses this key/i, zh: /没有运行中的频道使用此密钥/ }
  ],
  'wrong stream ID': [
    '◆',
    { en: /a caller with the stream ID other was refused/i, zh: /已拒绝流 ID 为 other 的呼叫方/ }
  ],
  'wrong certificate': ['▲', { en: /the server certificate is for another name/i, zh: /服务器证书的名称与地址不符/ }],
  'picture lost': ['▲', { en: /no video received/i, zh: /未收到视频/ }],
  'another audio codec': [
    '▲',
    { en: /codecs changed: H.264, AAC → H.264, AC-3/i, zh: /编码已改变：H.264, AAC → H.264, AC-3/ }
  ],
  'output silent': ['▲', LOST_OUTPUT],
  // Later, when the connection has ended, the next one gets no answer.
  'SRT stalled': ['▲', { en: /the receiver is not responding|no response/i, zh: /接收端没有响应|没有响应/ }]
}
/** The log has these causes. Of a codec it has the new one alone, of a target how its connection ended first. */
const LOGGED = ['wrong key', 'wrong stream ID', 'wrong certificate', 'picture lost']

let environment: BrowserEnvironment
let certificate: Awaited<ReturnType<typeof showWrongCertificate>>
let faults: Fault[]

test.before(async () => {
  environment = await startEnvironment()
  const { hub } = environment
  await hub.signIn()
  certificate = await showWrongCertificate(hub)
  faults = [
    await publishWithWrongKey(hub),
    await callWithWrongStreamId(hub),
    certificate,
    ...(await createFaults(hub, ['picture lost', 'another audio codec', 'output silent', 'SRT stalled']))
  ]
  await waitUntilAllOnAir(hub, faults.length, STEADY_TIME)
})
test.after(async () => {
  await environment?.close()
  certificate?.close()
  await endPeers()
  await cleanUpMedia()
})

/** The page of each channel, the problems and the log say the cause. */
async function assertPages(page: Page, places: ConsolePlaces, language: Language): Promise<void> {
  const goTo = (link: string) =>
    page.evaluate((next) => {
      location.hash = next
    }, link)
  for (const { title, channel } of faults) {
    const [shape, cause] = FAULTS[title] as Words
    await goTo(channelPage(channel))
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    const verdict = page.locator('.verdict')
    await verdict.getByText(cause[language]).first().waitFor()
    assert.equal(await verdict.locator('.state').first().getAttribute('data-shape'), shape, title)
  }
  const problems = places.page('dashboard').locator('.problems .problem')
  for (const { title } of faults) await problems.filter({ hasText: title }).first().waitFor()
  await goTo(linkTo('logs', { tab: 'system' }))
  for (const title of LOGGED) {
    const [, cause, log = cause] = FAULTS[title] as Words
    await page.locator('tbody').getByText(log[language]).first().waitFor()
  }
}

test('live view, wall, list, page, problems and log name each cause, in both languages', () =>
  environment.visit({ at: linkTo('profile') }, async (visited) => {
    const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
    const languages = await ConsoleLanguages.open(visited.context(), environment.hub.url, channels)
    await languages.assertCauses(
      (name) => {
        const [shape, cause] = FAULTS[name] as Words
        return [shape, cause]
      },
      async () => {
        const causedAt = new Map<string, number>()
        for (const fault of faults) {
          causedAt.set(fault.title, Date.now())
          await fault.cause()
        }
        return causedAt
      }
    )
    for (const [language, places] of languages.places) await assertPages(places.page('detail'), places, language)
    await languages.close()
  }))

test.run()
