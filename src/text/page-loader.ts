// The interface between the console and the inline script of its page (`src/loader.ts`), which runs before the
// console's own script has arrived. Tests mount the console without a page, so there is no loader.

export interface PageLoader {
  /** The languages that have a pack, as named in file names: 'en', 'zh'. */
  readonly languages: readonly string[]
  /** The language of the first load. */
  readonly language: string
  /** URL of the console's script, relative to the page. */
  readonly script: string
  /** URL of the script with the rare screens, relative to the page. */
  readonly later: string
  /**
   * The sentences of the first script in that language. Never rejects: a failure shows an error with Retry in the page.
   */
  readonly firstPack: Promise<readonly string[]>
  /**
   * Fetches the sentences of the first script in another language. Rejects after 120 s, and when the pack cannot be
   * loaded.
   */
  loadPack(language: string): Promise<readonly string[]>
  /** Fetches the further sentences of the later script, as `loadPack`. */
  loadLaterPack(language: string): Promise<readonly string[]>
  /** Whether the login form of the page was submitted before the console's script had arrived. */
  submitted: boolean
}

declare global {
  interface Window {
    pageLoader?: PageLoader
  }
}
