// Gathers the words of both languages. In the sources each pair stands where it is used; in the bundle all English stands together, then
// all Chinese, and a number stands at the place of use. Alike beside alike packs smaller, a sentence said twice stands once, and the
// minifier then folds the names of the pairs away (`TEXT.title` becomes a number). Pairs that are the same in both languages stay.

/** A second word like this makes a list of two texts a pair. */
const CHINESE = /[\u3000-\u9fff\uff00-\uffef]/

/** Stands between two words; no word may have it. */
const BETWEEN = '|'

/** What `src/text/language.ts` holds in the place of the gathered words. */
const PLACES = ["'%ENGLISH%'", "'%CHINESE%'"].map((text) => new RegExp(text.replaceAll("'", `['"]`)))

/** @param {unknown} node */
const isText = (node) => node?.type === 'Literal' && typeof node.value === 'string'

/** @param {any} node */
function isPair(node) {
  return (
    node.type === 'ArrayExpression' &&
    node.elements.length === 2 &&
    node.elements.every(isText) &&
    CHINESE.test(node.elements[1].value)
  )
}

/** The pairs below a node, in the order of the text. */
function pairsIn(node, found = []) {
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
  for (const pair of pairsIn(parse(source).body)) {
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

/** The build step; it comes before the script is made small. */
export function words() {
  return {
    name: 'words',
    renderChunk(source) {
      return { code: gatherWords(source, (text) => this.parse(text)), map: null }
    }
  }
}
