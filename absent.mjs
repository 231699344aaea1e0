// Tells the minifier what packages look for and nothing here has, so that the code for it folds away: Preact asks every component for
// the methods of classes, every error whether it is a promise, and its options for hooks of add-ons, and compares what it draws with
// elements of foreign documents; wouter asks for a server's path.

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
    'getChildContext',
    'getDerivedStateFromError',
    'getDerivedStateFromProps',
    'getSnapshotBeforeUpdate',
    'requestAnimationFrame',
    'then',
    'vnode',
    '__z',
    'defaultValue',
    'moveBefore',
    'ownerDocument'
  ],
  wouter: ['ssrContext', 'ssrPath', 'ssrSearch'],
  nanostores: ['setKey', 'then']
}

/** Elements, attributes and their spaces, by package, that no source draws: what is compared with one is another. */
export const UNDRAWN = {
  preact: [
    'dangerouslySetInnerHTML',
    'defaultChecked',
    'defaultValue',
    'foreignObject',
    'http://www.w3.org/1998/Math/MathML',
    'math',
    'template'
  ]
}

/** The reads of those names below a node, not where one is set; and what is compared with those texts. */
function readsIn(node, names, texts, found = []) {
  if (Array.isArray(node)) for (const one of node) readsIn(one, names, texts, found)
  else if (node && typeof node.type === 'string') {
    const { type, property, computed, left, right } = node
    if (type === 'MemberExpression' && !computed && names.includes(property.name)) found.push([node, '(void 0)'])
    if (
      type === 'BinaryExpression' &&
      /^([!=]=|in$)/.test(node.operator) &&
      (texts.includes(left.value) || texts.includes(right.value))
    )
      found.push([node, String(node.operator[0] === '!')])
    const kept = type === 'AssignmentExpression' && node.left.type === 'MemberExpression' ? node.left : undefined
    for (const value of Object.values(node)) {
      if (value === kept) readsIn(kept?.object, names, texts, found)
      else if (value && typeof value === 'object') readsIn(value, names, texts, found)
    }
  }
  return found
}

/**
 * Replaces what is read of absent names by undefined, and comparisons with undrawn texts by their answer.
 * @param {string} source
 * @param {readonly string[]} names
 * @param {readonly string[]} texts
 * @param {(source: string) => object} parse makes an ESTree
 */
export function withoutAbsent(source, names, texts, parse) {
  let text = ''
  let end = 0
  const found = readsIn(parse(source).body, names, texts).sort(([a], [b]) => a.start - b.start)
  for (const [node, instead] of found) {
    if (node.start < end) continue
    text += source.slice(end, node.start) + instead
    end = node.end
  }
  return text + source.slice(end)
}

/** The build step. */
export function absent() {
  return {
    name: 'absent',
    transform(source, id) {
      const [, name] = /\/node_modules\/([^/]+)\//.exec(id) ?? []
      return name in ABSENT
        ? withoutAbsent(source, ABSENT[name], UNDRAWN[name] ?? [], (text) => this.parse(text))
        : null
    }
  }
}
