// Channels are broken in ways that have a name: a wrong key, stream ID or certificate, a track that is lost, a codec
// that changed, a receiver that was killed or hangs. Each place of the console names it within 5 s, in both languages.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { suite } from 'uvu'
import { linkTo } from '../../src/paths.ts'
import { type BrowserEnvironment, startEnvironment } from '../kit/browser/environment.ts'
import { cleanUpMedia } from '../kit/engine/media.ts'
import { waitUntilAllOnAir } from '../kit/fault/all-on-air.ts'
import { ConsolePlaces, channelPage, PLACE_SIZE } from '../kit/fault/console-places.ts'
import { createFaults, type Fault } from '../kit/fault/faults.ts'
import { endPeers } from '../kit/fault/media.ts'
import { callWithWrongStreamId, publishWithWrongKey, showWrongCertificate } from '../kit/fault/refused-peers.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('named causes in the console')

/** Milliseconds within which each place says it, besides those for which programs wait for a processor. */
const REPORT_TIME = 5000
/** Milliseconds for which a channel has to be on air before the loss of one of its tracks is noticed. */
const STEADY_TIME = 4000

type Language = 'en' | 'zh'
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
const STATES = {
  en: { '●': '● On air', '▲': '▲ Degraded', '◆': '◆ Down' },
  zh: { '●': '● 播出中', '▲': '▲ 异常', '◆': '◆ 中断' }
} as const
const LANGUAGES = ['en', 'zh'] as const

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

/** A browser with the session of another one, in Chinese. */
async function openChinese(context: BrowserContext): Promise<BrowserContext> {
  const browser = context.browser()
  if (!browser) throw new Error('The browser has ended')
  return browser.newContext({ locale: 'zh-CN', viewport: PLACE_SIZE, storageState: await context.storageState() })
}

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
    const context = visited.context()
    const contexts = { en: context, zh: await openChinese(context) }
    const channels = new Map(faults.map(({ title, channel }) => [title, channel]))
    const places = new Map<Language, ConsolePlaces>()
    for (const language of LANGUAGES)
      places.set(language, await ConsolePlaces.open(contexts[language], environment.hub.url, channels))
    for (const [language, each] of places) await each.waitForAll(() => [STATES[language]['●'], /./])
    for (const each of places.values()) await each.forget()
    const causedAt = new Map<string, number>()
    const shown: Map<string, number>[] = []
    const wait = await waitDuring(async () => {
      for (const fault of faults) {
        causedAt.set(fault.title, Date.now())
        await fault.cause()
      }
      for (const [language, each] of places)
        shown.push(
          await each.waitForAll((name) => {
            const [shape, cause] = FAULTS[name] as Words
            return [STATES[language][shape], cause[language]]
          })
        )
    })
    for (const [name, at] of shown.flatMap((each) => [...each])) {
      const took = at - (causedAt.get(name) ?? 0)
      assert.ok(took < REPORT_TIME + wait, `${name}: the last place showed it after ${took} ms`)
    }
    for (const [language, each] of places) {
      await each.assertNoOther((name) => ['●', FAULTS[name]?.[0] ?? '●'].map((shape) => STATES[language][shape as '●']))
      await assertPages(each.page('detail'), each, language)
    }
    await contexts.zh.close()
  }))

test.run()
