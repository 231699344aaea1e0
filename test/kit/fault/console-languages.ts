// The pages of the console that show verdicts on channels, in English and Chinese at the same time.
import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
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
  return browser.newContext({ locale: 'zh-CN', viewport: PLACE_SIZE, storageState: await context.storageState() })
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
    for (const [language, each] of places) await each.waitForAll(() => [SHOWN_STATES[language]['●'], /./])
    return new ConsoleLanguages(places, chinese)
  }

  /**
   * Asserts that each place says the cause of each channel in time, and has shown no other verdict until then.
   * @param cause causes the faults, and returns when, by the name of the channel, in milliseconds since the epoch
   */
  async assertCauses(
    expected: (name: string) => ShownCause,
    cause: () => Promise<ReadonlyMap<string, number>>
  ): Promise<void> {
    for (const each of this.places.values()) await each.forget()
    let causedAt: ReadonlyMap<string, number> = new Map()
    const shown: Map<string, number>[] = []
    const wait = await waitDuring(async () => {
      causedAt = await cause()
      for (const [language, each] of this.places) shown.push(await each.waitForAll(shownIn(language, expected)))
    })
    for (const [name, at] of shown.flatMap((each) => [...each])) {
      const took = at - (causedAt.get(name) ?? 0)
      assert.ok(took < REPORT_TIME + wait, `${name}: the last place showed it after ${took} ms`)
    }
    for (const [language, each] of this.places)
      await each.assertNoOther((name) =>
        (['●', expected(name)[0]] as const).map((shape) => SHOWN_STATES[language][shape])
      )
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
