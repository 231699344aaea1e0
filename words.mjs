// Gathers the words of both languages. In the sources each pair stands where it is used; in the bundle all English stands together, then
// all Chinese, and a number stands at the place of use. Alike beside alike packs smaller, a sentence said twice stands once, and the
// minifier then folds the names of the pairs away (`TEXT.title` becomes a number), which it does only where no pair is left.

/** A second word like this makes a list of two texts a pair; so does one that is the same as the first. */
const CHINESE = /[\u3000-\u9fff\uff00-\uffef]/

/** Stands between two words; no word may have it. */
const BETWEEN = '|'

/** What `src/text/language.ts` holds in the place of the gathered words. */
const PLACES = ["'%ENGLISH%'", "'%CHINESE%'"].map((text) => new RegExp(text.replaceAll("'", `['"]`)))

/** @param {unknown} node */
const isText = (node) => node?.type === 'Literal' && typeof node.value === 'string'

/** @param {any} node */
function isPair(node) {
  if (node.type !== 'ArrayExpression' || node.elements.length !== 2 || !node.elements.every(isText)) return false
  const [en, zh] = node.elements
  return CHINESE.test(zh.value) || en.value === zh.value
}

/** The pairs below a node, or below the nodes of a list. */
export function pairsIn(node, found = []) {
  if (Array.isArray(node)) for (const one of node) pairsIn(one, found)
  else if (node && typeof node.type === 'string') {
    if (isPair(node)) found.push(node)
    else for (const value of Object.values(node)) if (typeof value === 'object') pairsIn(value, found)
  }
  return found
}

/**
 * Replaces each pair of a script by its number.
 * @param {string} source a script that holds the places of the gathered words
 * @param {(source: string) => object} parse makes an ESTree
 * @throws when a word has the sign that stands between words, or the places are missing
 */
export function gatherWords(source, parse) {
  /** Number 0 stays free: code asks whether there is a pair by its truth. */
  const words = [['', '']]
  const numbers = new Map()
  let text = ''
  let end = 0
  for (const pair of pairsIn(parse(source).body).sort((a, b) => a.start - b.start)) {
    const both = pair.elements.map((element) => element.value)
    const key = both.join('\n')
    if (key.includes(BETWEEN)) throw new Error(`A word must not have ${BETWEEN}: ${both}`)
    if (!numbers.has(key)) numbers.set(key, words.push(both) - 1)
    text += source.slice(end, pair.start) + numbers.get(key)
    end = pair.end
  }
  text += source.slice(end)
  PLACES.forEach((place, language) => {
    if (!place.test(text)) throw new Error(`No place for words: ${place}`)
    text = text.replace(place, () => JSON.stringify(words.map((both) => both[language]).join(BETWEEN)))
  })
  return text
}

/** The build step; it comes before the script is made small. A script with a source map keeps its pairs, since the map knows them. */
export function words() {
  return {
    name: 'words',
    renderChunk(source, _chunk, { sourcemap }) {
      return sourcemap ? null : gatherWords(source, (text) => this.parse(text))
    }
  }
}
