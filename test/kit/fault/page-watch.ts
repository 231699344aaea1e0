// Records what a page of the console says about channels, with the time, so that a test finds late and false verdicts.
import type { Page } from 'playwright-core'

/** What one place says about a channel. */
export interface PageVerdict {
  /** Milliseconds since the epoch. */
  at: number
  /** Shape and word, such as `◆ Down`. */
  state: string
  /** Everything in the place: name, verdict, cause. */
  text: string
}

declare global {
  interface Window {
    /** What each place has said, by the name of the channel. */
    verdictsSeen?: Record<string, PageVerdict[]>
  }
}

/** Milliseconds between two looks at the page. */
const INTERVAL = 50

/**
 * Starts to record.
 * @param selector elements that say a verdict: tiles, rows or banners
 * @param names of the channels, as links or headings in these elements; for a page of one channel its heading
 */
export async function watchPage(page: Page, selector: string, names: readonly string[]): Promise<void> {
  await page.evaluate(
    ([places, channels, interval]) => {
      const record = () => {
        for (const place of document.querySelectorAll<HTMLElement>(places)) {
          const heading = place.matches('.verdict') ? document.querySelector('h1') : place
          const name = channels.find((channel) => heading?.textContent?.includes(channel))
          const state = place.querySelector<HTMLElement>('.state')
          if (!name || !state) continue
          window.verdictsSeen ??= {}
          window.verdictsSeen[name] ??= []
          const seen = window.verdictsSeen[name]
          const verdict = { state: `${state.dataset.shape} ${state.textContent}`, text: place.textContent }
          const last = seen.at(-1)
          const cause = (text: string) => text.replace(/\d+/g, '')
          if (last?.state === verdict.state && cause(last.text) === cause(verdict.text)) continue
          seen.push({ at: Date.now(), ...verdict })
        }
      }
      setInterval(record, interval)
    },
    [selector, names, INTERVAL] as const
  )
}

/** Forgets the recorded verdicts. */
export const forgetVerdicts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.verdictsSeen = {}
  })

/** Everything that a page has said about a channel since then, oldest first. */
export const readVerdicts = (page: Page, name: string): Promise<PageVerdict[]> =>
  page.evaluate((channel) => window.verdictsSeen?.[channel] ?? [], name)

/** The title and the icon of a page. The icon is `bad`, `warn` or `none`. */
export const readTab = (page: Page): Promise<{ title: string; icon: string }> =>
  page.evaluate(() => {
    const { href = '' } = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? {}
    return { title: document.title, icon: /d32f2f/.test(href) ? 'bad' : /e08a00/.test(href) ? 'warn' : 'none' }
  })
