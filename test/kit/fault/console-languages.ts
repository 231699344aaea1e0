// The pages of the console that show verdicts on channels, in English and Chinese at the same time.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { WITHOUT_MOTION } from '../browser/browser.ts'
import { waitDuring } from '../within.ts'
import { ConsolePlaces, PLACE_SIZE, type ShownVerdict } from './console-places.ts'

export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

/** Verdicts on channels as the console shows them. */
export const SHOWN_STATES = {
  en: { '●': '● On air', '▲': '▲ Degraded', '◆': '◆ Down' },
  zh: { '●': '● 播出中', '▲': '▲ 异常', '◆': '◆ 中断' }
} as const
type Shape = keyof (typeof SHOWN_STATES)['en']

/** What a channel shows: its verdict, and a part of the cause in each language. */
export type ShownCause = readonly [shape: Shape, cause: Readonly<Record<Language, RegExp>>]

/** Milliseconds within which each place says a cause, besides those for which programs wait for a processor. */
const REPORT_TIME = 5000

/** A browser with the session of another one, in Chinese. */
async function openChinese(context: BrowserContext): Promise<BrowserContext> {
  const browser = context.browser()
  if (!browser) throw new Error('The browser has ended')
  const storageState = await context.storageState()
  return browser.newContext({ locale: 'zh-CN', viewport: PLACE_SIZE, storageState, ...WITHOUT_MOTION })
}

export class ConsoleLanguages {
  readonly places: ReadonlyMap<Language, ConsolePlaces>
  readonly #chinese: BrowserContext

  private constructor(places: ReadonlyMap<Language, ConsolePlaces>, chinese: BrowserContext) {
    this.places = places
    this.#chinese = chinese
  }

  /**
   * Opens the places, and waits until they show all channels on air.
   * @param context a browser that is signed in, in English
   * @param url of the hub
   * @param channels IDs by name
   */
  static async open(
    context: BrowserContext,
    url: string,
    channels: ReadonlyMap<string, number>
  ): Promise<ConsoleLanguages> {
    const chinese = await openChinese(context)
    const places = new Map<Language, ConsolePlaces>()
    for (const language of LANGUAGES)
      places.set(language, await ConsolePlaces.open(language === 'en' ? context : chinese, url, channels))
    const opened = new ConsoleLanguages(places, chinese)
    await opened.waitForAll(() => ['●', { en: /./, zh: /./ }])
    return opened
  }

  /**
   * Asserts that each place says the cause of each channel in time, and has shown no other verdict until then.
   * @param cause causes the faults, and returns when, by the name of the channel, in milliseconds since the epoch
   */
  async assertCauses(
    expected: (name: string) => ShownCause,
    cause: () => Promise<ReadonlyMap<string, number>>
  ): Promise<void> {
    await this.forget()
    let causedAt: ReadonlyMap<string, number> = new Map()
    let shownAt: ReadonlyMap<string, number> = new Map()
    const wait = await waitDuring(async () => {
      causedAt = await cause()
      shownAt = await this.waitForAll(expected)
    })
    for (const [name, at] of shownAt) {
      const took = at - (causedAt.get(name) ?? 0)
      assert.ok(took < REPORT_TIME + wait, `${name}: the last place showed it after ${took} ms`)
    }
    // Verdicts after that do not count: the hub may have ended the fault.
    await this.assertNoOther((name) => ['●', expected(name)[0]], shownAt)
  }

  /** Waits until all places say the verdicts and causes. @returns when the last one did, by name */
  async waitForAll(expected: (name: string) => ShownCause): Promise<Map<string, number>> {
    const last = new Map<string, number>()
    for (const [language, each] of this.places)
      for (const [name, at] of await each.waitForAll(shownIn(language, expected)))
        last.set(name, Math.max(last.get(name) ?? 0, at))
    return last
  }

  /** Asserts that no place has said another verdict than these. @param before as for `ConsolePlaces.assertNoOther` */
  async assertNoOther(
    allowed: (name: string) => readonly Shape[],
    before?: ReadonlyMap<string, number>
  ): Promise<void> {
    for (const [language, each] of this.places)
      await each.assertNoOther((name) => allowed(name).map((shape) => SHOWN_STATES[language][shape]), before)
  }

  /** Forgets what the places have said until now. */
  async forget(): Promise<void> {
    for (const each of this.places.values()) await each.forget()
  }

  /** All pages, in both languages. */
  all(): Page[] {
    return [...this.places.values()].flatMap((each) => [...each.pages.values()])
  }

  /** Closes the browser in Chinese; the other one is the caller's. */
  close(): Promise<void> {
    return this.#chinese.close()
  }
}

/** What a place shows in a language. */
const shownIn =
  (language: Language, expected: (name: string) => ShownCause) =>
  (name: string): ShownVerdict => {
    const [shape, cause] = expected(name)
    return [SHOWN_STATES[language][shape], cause[language]]
  }
