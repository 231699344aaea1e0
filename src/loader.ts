// Inline script of the page. It runs before the style sheet and the console's script have arrived: chooses the language pack and requests
// it in parallel with the style sheet, requests the script, shows the login form of the page when nobody is signed in, and holds back a
// submit that comes too early. The policy of every web server allows it by its hash, so its text must not depend on file names: those are
// in its `data-` attributes.

import { CACHE_PREFIX, CHUNK_TIMEOUT } from '../contract/limits.ts'
import { LANGUAGE_COOKIE } from '../contract/text/language.ts'
import type { PageLoader } from './text/page-loader.ts'

const page = document.documentElement
/** The console's script, and the pack file of each language. */
const { script = '', ...packs } = { ...document.currentScript?.dataset }
const languages = Object.keys(packs)

function readCookie(name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=(\\w+)`).exec(document.cookie)?.[1]
}

function chooseLanguage(): string {
  const wanted = (readCookie(LANGUAGE_COOKIE) ?? navigator.language).slice(0, 2)
  return languages.includes(wanted) ? wanted : 'en'
}

async function loadPack(language: string): Promise<string[]> {
  const response = await fetch(packs[language] ?? '', { signal: AbortSignal.timeout(CHUNK_TIMEOUT) })
  if (!response.ok) throw new Error(`${response.status}`)
  const sentences = (await response.text()).split('\n')
  // Sentence 0 is empty in every pack; a sign-in page of a network in between is not a pack.
  if (sentences[0]) throw new Error('not a language pack')
  return sentences
}

/** What Retry in the error message does. */
let retry = () => {}

/** Shows the error message of the page, which is hidden by the style sheet until then. */
function showError(onRetry: () => void): void {
  page.toggleAttribute('data-failed', true)
  retry = onRetry
}

function loadFirstPack(): Promise<string[]> {
  return loadPack(language).catch(() => new Promise((resolve) => showError(() => resolve(loadFirstPack()))))
}

const language = chooseLanguage()
page.lang = language
if (!readCookie(`${CACHE_PREFIX}user`)) page.toggleAttribute('data-login', true)

const loader: PageLoader = { languages, language, loadPack, firstPack: loadFirstPack(), submitted: false }
window.pageLoader = loader

addEventListener('submit', (event) => {
  event.preventDefault()
  loader.submitted = true
})
addEventListener('click', ({ target }) => {
  if (!(target as Element).closest('.retry')) return
  page.toggleAttribute('data-failed', false)
  retry()
})
// The script is requested when the style sheet has arrived. In parallel it takes two thirds of a thin line from the style sheet, without
// which nothing is painted: at 64 kbit/s the login form can be typed into after 3.1 s then, and after 2.6 s this way. Such events do not bubble.
document.addEventListener(
  'load',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    const element = document.createElement('script')
    element.type = 'module'
    element.src = script
    document.head.append(element)
  },
  true
)
// A script or style sheet that could not be loaded.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof Element && target.matches('script, link')) showError(() => location.reload())
  },
  true
)
