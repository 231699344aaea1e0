// Inline script of the page. It runs before the style sheet and the console's script have arrived: applies the theme,
// chooses the language, requests its pack and the script, shows the login form of the page when nobody is signed in,
// and holds back a submit that comes too early. The policy of every web server allows it by its hash, so its text must
// not depend on file names: those are in its `data-` attributes.

import { CACHE_PREFIX, CHUNK_TIMEOUT, THEME_KEY } from '../contract/limits.ts'
import { LANGUAGE_COOKIE } from '../contract/text/language.ts'
import type { PageLoader } from './text/page-loader.ts'

const page = document.documentElement
/**
 * The console's script, its second script, the numbers of sentences in the two files of a pack, and these files for
 * each language.
 */
const { script = '', later = '', sentences, ...packs } = { ...document.currentScript?.dataset }
const languages = Object.keys(packs)

function readCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(document.cookie)?.[1]
}

function chooseLanguage(): string {
  const preferences = [readCookie(LANGUAGE_COOKIE), navigator.language].map((tag) => tag?.split('-')[0] ?? '')
  return preferences.find((tag) => languages.includes(tag)) ?? 'en'
}

/** @param part 0: the sentences of the first script, 1: the further ones of the later script */
async function loadSentences(language: string, part: 0 | 1): Promise<string[]> {
  const [file = '', count] = [packs[language], sentences].map((list) => list?.split(' ')[part])
  const response = await fetch(file, { signal: AbortSignal.timeout(CHUNK_TIMEOUT) })
  if (!response.ok) throw new Error(`${response.status}`)
  const pack = (await response.text()).split('\n')
  // A truncated pack, or the sign-in page of a network in between.
  if (`${pack.length}` !== count) throw new Error('not a language pack')
  return pack
}

const loadPack = (language: string) => loadSentences(language, 0)
const loadLaterPack = (language: string) => loadSentences(language, 1)

/** What Retry in the error message does. */
let retry = () => location.reload()

/** Shows the error message of the page, which is hidden by the style sheet until then. */
function showError(onRetry = retry): void {
  page.toggleAttribute('data-failed', true)
  retry = onRetry
}

function loadFirstPack(): Promise<string[]> {
  return loadPack(language).catch(() => new Promise((resolve) => showError(() => resolve(loadFirstPack()))))
}

const language = chooseLanguage()
page.lang = language
// An unknown value changes nothing.
page.style.colorScheme = localStorage.getItem(THEME_KEY) ?? ''
if (!page.dataset.hub && !readCookie(`${CACHE_PREFIX}user`)) page.toggleAttribute('data-login', true)

// The language pack and the script are requested when the style sheet has arrived. In parallel they take most of a thin
// line from the style sheet, without which nothing is painted (docs/architecture/first-load.md). Such events do not
// bubble.
const firstPack = new Promise<void>((resolve) => {
  document.addEventListener(
    'load',
    ({ target }) => {
      if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
      const element = document.createElement('script')
      element.src = script
      document.head.append(element)
      resolve()
    },
    true
  )
}).then(loadFirstPack)

const loader: PageLoader = { languages, language, script, later, loadPack, loadLaterPack, firstPack, submitted: false }
window.pageLoader = loader

addEventListener('submit', (event) => {
  event.preventDefault()
  loader.submitted = true
})
// Input after an early submit withdraws it: half a password must not be sent.
addEventListener('input', () => {
  loader.submitted = false
})
addEventListener('click', ({ target }) => {
  if (!(target as Element).closest('.retry')) return
  page.toggleAttribute('data-failed', false)
  retry()
})
// A script or style sheet that could not be loaded, or a script that failed before it replaced the page.
addEventListener(
  'error',
  ({ target }) => {
    const isFile = target instanceof Element && target.matches('script, link')
    if (isFile || (target === window && document.querySelector('.boot'))) showError()
  },
  true
)
addEventListener('unhandledrejection', () => {
  if (document.querySelector('.boot')) showError()
})
