// Writes the script's own functions as arrows, `const f = (a) => …` in the place of `function f(a) { … }`: terser shortens those, and
// nothing else tells them apart as long as a function uses neither `this` nor `arguments` and is never a constructor. A function that
// were called before its place, while the script starts, would fail at once in every browser test.

/** Whether the code below a node depends on how it is called. */
function isOwn(node) {
  if (Array.isArray(node)) return node.some(isOwn)
  if (!node || typeof node.type !== 'string') return false
  if (node.type === 'ThisExpression' || node.type === 'MetaProperty') return true
  if (node.type === 'Identifier' && node.name === 'arguments') return true
  return Object.values(node).some((value) => value && typeof value === 'object' && isOwn(value))
}

/**
 * @param {string} source a script
 * @param {(source: string) => object} parse makes an ESTree
 */
export function writeArrows(source, parse) {
  const constructors = new Set([...source.matchAll(/\bnew ([\w$]+)/g)].map(([, name]) => name))
  let text = ''
  let end = 0
  for (const node of parse(source).body) {
    if (node.type !== 'FunctionDeclaration' || node.generator || constructors.has(node.id.name)) continue
    if (isOwn(node.params) || isOwn(node.body)) continue
    const parameters = node.params.length > 0 ? source.slice(node.params[0].start, node.params.at(-1).end) : ''
    const body = source.slice(node.body.start, node.body.end)
    text += `${source.slice(end, node.start)}const ${node.id.name} = ${node.async ? 'async ' : ''}(${parameters}) => ${body};`
    end = node.end
  }
  return text + source.slice(end)
}

/** The build step; it comes before the script is made small. */
export function arrows() {
  return {
    name: 'arrows',
    renderChunk(source) {
      return { code: writeArrows(source, (text) => this.parse(text)), map: null }
    }
  }
}
