// Opens the pages of the console that show verdicts on channels in a browser, and records the verdicts that they show.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { linkTo } from '../../../src/paths.ts'
import { until } from '../until.ts'
import { forgetVerdicts, readVerdicts, watchPage } from './page-watch.ts'

/** A verdict as the console shows it, such as `◆ Down`, and a part of the cause. */
export type ShownVerdict = readonly [state: string, cause: RegExp]

export const PLACE_SIZE = { width: 1440, height: 900 }

const CHANNELS = linkTo('channels')

/** The choice of a browser that shows fewer preview images (`src/state/previews.ts`). */
const DATA_SAVER_KEY = `${CACHE_PREFIX}saver`

/** Places with all channels: their links, and the elements that say the verdicts. */
const PLACES: Readonly<Record<string, readonly [link: string, selector: string]>> = {
  dashboard: [linkTo('dashboard'), '.health-tile'],
  wall: [linkTo('wall'), '.health-tile'],
  list: [CHANNELS, 'tbody tr'],
  tiles: [`${CHANNELS}?view=view`, '.tile']
}

/** The link to the page of a channel. */
export const channelPage = (id: number): string => linkTo('channelDetail', { channelId: String(id) })

export class ConsolePlaces {
  /** By the place; `detail` is the page of the first channel. */
  readonly pages: ReadonlyMap<string, Page>
  readonly #names: readonly string[]

  private constructor(pages: ReadonlyMap<string, Page>, names: readonly string[]) {
    this.pages = pages
    this.#names = names
  }

  /**
   * Opens the places in a browser that is signed in.
   * @param url of the hub
   * @param channels IDs by name
   */
  static async open(
    context: BrowserContext,
    url: string,
    channels: ReadonlyMap<string, number>
  ): Promise<ConsolePlaces> {
    const names = [...channels.keys()]
    const [first = 0] = channels.values()
    const places = { ...PLACES, detail: [channelPage(first), '.verdict'] as const }
    // Verdicts do not depend on the pictures: with fewer of them a page takes half the processor time.
    await context.addInitScript((key) => localStorage.setItem(key, '1'), DATA_SAVER_KEY)
    const pages = new Map<string, Page>()
    for (const [place, [link, selector]] of Object.entries(places)) {
      const page = await context.newPage()
      await page.setViewportSize(PLACE_SIZE)
      await page.goto(`${url}/#${link}`)
      await watchPage(page, selector, names)
      pages.set(place, page)
    }
    return new ConsolePlaces(pages, names)
  }

  page(place: string): Page {
    return this.pages.get(place) as Page
  }

  /**
   * Waits until all places say the states and causes of all channels.
   * @returns when the last place did, by the name of the channel, in milliseconds since the epoch
   */
  async waitForAll(expected: (name: string) => ShownVerdict): Promise<Map<string, number>> {
    const last = new Map<string, number>()
    for (const [place, page] of this.pages)
      for (const name of this.#namesAt(place)) {
        const [state, cause] = expected(name)
        let seen = await readVerdicts(page, name)
        const find = () => seen.find((each) => each.state === state && cause.test(each.text))
        await until(
          async () => {
            seen = await readVerdicts(page, name)
            return find() !== undefined
          },
          () => `${place}: ${name}: ${JSON.stringify(seen)}`
        )
        last.set(name, Math.max(last.get(name) ?? 0, find()?.at ?? 0))
      }
    return last
  }

  /**
   * Asserts that no place has said another state than these.
   * @param before for each name the time until which it counts, in milliseconds since the epoch; without it, now
   */
  async assertNoOther(
    allowed: (name: string) => readonly string[],
    before?: ReadonlyMap<string, number>
  ): Promise<void> {
    for (const [place, page] of this.pages)
      for (const name of this.#namesAt(place)) {
        const end = before?.get(name) ?? Number.POSITIVE_INFINITY
        const states = (await readVerdicts(page, name)).filter(({ at }) => at <= end).map(({ state }) => state)
        assert.deepEqual(
          states.filter((state) => !allowed(name).includes(state)),
          [],
          `${place}: ${name}`
        )
      }
  }

  async forget(): Promise<void> {
    for (const page of this.pages.values()) await forgetVerdicts(page)
  }

  /** The page of a channel has one at a time. */
  #namesAt(place: string): readonly string[] {
    return place === 'detail' ? this.#names.slice(0, 1) : this.#names
  }
}
