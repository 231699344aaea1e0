// Writes functions as arrows where that is the same, which is shorter. In the sources `function` is what reads best; nobody reads the
// bundle. A function is there from the beginning of its block, an arrow only from its own line, so those stay that may be called earlier.

/** Calls `see` with each node of a tree; where that answers false, not with what is inside. */
function walk(node, see) {
  if (Array.isArray(node)) for (const one of node) walk(one, see)
  else if (node && typeof node.type === 'string' && see(node) !== false)
    for (const value of Object.values(node)) if (typeof value === 'object') walk(value, see)
}

/** Every name that a tree refers to, of variables that may be other blocks' too: more functions stay than need to. */
function namesIn(tree) {
  const names = new Set()
  walk(tree, ({ type, name, computed, object, value, shorthand }) => {
    if (type === 'Identifier') names.add(name)
    const own = { MemberExpression: object, Property: value }[type]
    if (!own || computed || shorthand) return true
    for (const one of namesIn(own)) names.add(one)
    return false
  })
  return names
}

/** Whether a function is told by its caller what only a `function` is told. */
function isTold({ params, body }) {
  let told = false
  walk([params, body], (node) => {
    told ||= ['ThisExpression', 'Super', 'MetaProperty'].includes(node.type) || node.name === 'arguments'
    return !/^Function|^Class/.test(node.type)
  })
  return told
}

/** Names of functions that are made instances of, added to, or replaced. */
function fixedNames(tree) {
  const names = new Set()
  walk(tree, ({ type, callee, object, property, left }) => {
    if (type === 'NewExpression') names.add(callee.name)
    if (type === 'MemberExpression' && property.name === 'prototype') names.add(object.name)
    if (type === 'AssignmentExpression') names.add(left.name)
  })
  return names
}

/** The functions of a block that nothing can call before their own line. */
function lateIn(statements) {
  const bodies = new Map()
  for (const one of statements)
    if (one.type === 'FunctionDeclaration') bodies.set(one.id.name, namesIn([one.params, one.body]))
  const reached = new Set()
  function reach(names) {
    for (const name of names) {
      if (reached.has(name)) continue
      reached.add(name)
      reach(bodies.get(name) ?? [])
    }
  }
  return statements.filter((one) => {
    if (one.type === 'FunctionDeclaration') return !reached.has(one.id.name)
    reach(namesIn(one))
    return false
  })
}

/**
 * @param {string} source a module
 * @param {(source: string) => object} parse makes an ESTree
 * @returns the module, with arrows
 */
export function withArrows(source, parse) {
  const tree = parse(source)
  const fixed = fixedNames(tree)
  const isFree = (node) => !node.generator && !isTold(node)

  function arrow(node) {
    const { async, params, body } = node
    const [only, second] = body.body
    const answer = !second && only?.type === 'ReturnStatement' ? only.argument : undefined
    return `${async ? 'async ' : ''}(${params.map(textOf).join()}) => ${answer ? `(${textOf(answer)})` : textOf(body)}`
  }

  /** The text of a node. */
  function textOf(node) {
    const { type, start, end, body } = node
    const late = Array.isArray(body) && /^(Program|BlockStatement)$/.test(type) ? lateIn(body) : []
    let text = ''
    let at = start
    const parts = Object.values(node)
      .flat()
      .filter((part) => typeof part?.type === 'string')
      .sort((a, b) => a.start - b.start)
    for (const part of parts) {
      // A name that is both key and value stands once.
      if (part.start < at) continue
      const turned = late.includes(part) && isFree(part) && !fixed.has(part.id.name)
      text += source.slice(at, part.start) + (turned ? `const ${part.id.name} = ${arrow(part)};` : textOf(part))
      at = part.end
    }
    return text + source.slice(at, end)
  }

  return textOf(tree)
}

/** The build step; it comes before the script is made small. A script with a source map stays as it is, since the map knows it. */
export function arrows() {
  return {
    name: 'arrows',
    renderChunk(source, _chunk, { sourcemap }) {
      return sourcemap ? null : withArrows(source, (text) => this.parse(text))
    }
  }
}
