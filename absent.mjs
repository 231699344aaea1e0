// Tells the minifier what packages look for and nothing here has, so that the code for it folds away: Preact asks every component for
// the methods of classes, every error whether it is a promise, and its options for hooks of add-ons; wouter asks for a server's path.

/** Names by package. A source that comes to use one of them must be taken off this list; `test/bundle/` watches over that. */
export const ABSENT = {
  preact: [
    'componentDidCatch',
    'componentDidMount',
    'componentDidUpdate',
    'componentWillMount',
    'componentWillReceiveProps',
    'componentWillUpdate',
    'contextType',
    'debounceRendering',
    'event',
    'getDerivedStateFromError',
    'getDerivedStateFromProps',
    'getSnapshotBeforeUpdate',
    'requestAnimationFrame',
    'then',
    'vnode'
  ],
  wouter: ['ssrContext', 'ssrPath', 'ssrSearch'],
  nanostores: ['setKey', 'then']
}

/** The reads of those names below a node: not where one is set. */
function readsIn(node, names, found = []) {
  if (Array.isArray(node)) for (const one of node) readsIn(one, names, found)
  else if (node && typeof node.type === 'string') {
    const { type, property, computed } = node
    if (type === 'MemberExpression' && !computed && names.includes(property.name)) found.push(node)
    const kept = type === 'AssignmentExpression' && node.left.type === 'MemberExpression' ? node.left : undefined
    for (const value of Object.values(node)) {
      if (value === kept) readsIn(kept?.object, names, found)
      else if (value && typeof value === 'object') readsIn(value, names, found)
    }
  }
  return found
}

/**
 * Replaces what is read of absent names by undefined.
 * @param {string} source
 * @param {readonly string[]} names
 * @param {(source: string) => object} parse makes an ESTree
 */
export function withoutAbsent(source, names, parse) {
  let text = ''
  let end = 0
  for (const { start, end: after } of readsIn(parse(source).body, names).sort((a, b) => a.start - b.start)) {
    if (start < end) continue
    text += `${source.slice(end, start)}(void 0)`
    end = after
  }
  return text + source.slice(end)
}

/** The build step. */
export function absent() {
  return {
    name: 'absent',
    transform(source, id) {
      const [, name] = /\/node_modules\/([^/]+)\//.exec(id) ?? []
      return name in ABSENT ? withoutAbsent(source, ABSENT[name], (text) => this.parse(text)) : null
    }
  }
}
