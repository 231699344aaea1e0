// Takes out of packages what nothing here uses. Preact is built from its sources, where things have names: told that a name is never
// there, the minifier folds away all the code for it: class components, contexts, portals, documents drawn by a server, error
// boundaries, suspension, add-ons, effects that wait for the picture. wouter asks for a server's path, nanostores for promises.

/**
 * What is never there, by package: a property (`.name`), one of a thing that is called so (`options.name`), or a variable (`name`). A
 * source that comes to use one of them must be taken off this list; `test/bundle/` watches over that.
 */
export const ABSENT = {
  preact: [
    // Class components, and state that is not a hook's.
    '.componentDidMount',
    '.componentDidUpdate',
    '.componentWillMount',
    '.componentWillReceiveProps',
    '.componentWillUnmount',
    '.componentWillUpdate',
    '.forceUpdate',
    '.getDerivedStateFromProps',
    '.getSnapshotBeforeUpdate',
    '.render',
    '._nextState',
    '._stateCallbacks',
    '.state',
    'isClassComponent',
    'oldState',
    'snapshot',
    // A component that is to be drawn is drawn: what is set to what it was does not ask for it.
    '.shouldComponentUpdate',
    'COMPONENT_FORCE',
    // Effects that wait for the picture to be shown (`src/react.ts`).
    '._passive',
    '._pendingEffects',
    // Contexts.
    '._globalContext',
    '.context',
    '.contextType',
    '.getChildContext',
    'componentContext',
    'globalContext',
    'provider',
    // Error boundaries and suspension.
    '._excess',
    '.componentDidCatch',
    '.getDerivedStateFromError',
    '.then',
    'COMPONENT_PENDING_ERROR',
    'COMPONENT_PROCESSING_EXCEPTION',
    'MODE_SUSPENDED',
    'REF_DETACHED',
    'ctor',
    'errorParent',
    'handled',
    'resumed',
    // What a server drew.
    'MODE_HYDRATE',
    'excessDomChildren',
    'isHydrating',
    // Portals, and other documents.
    '.moveBefore',
    '.ownerDocument',
    'newProps._parentDom',
    'props._parentDom',
    // Options of add-ons; the only one is the hooks, which are therefore the first.
    '._hook',
    'options._diff',
    '._hydrationMismatch',
    '._root',
    '._skipEffects',
    '.debounceRendering',
    '.event',
    '.vnode',
    'currentHook',
    'oldAfterDiff',
    'oldBeforeDiff',
    'oldBeforeRender',
    'oldBeforeUnmount',
    'oldCommit',
    'oldRoot',
    'prevDebounce',
    // Reducers: only `useState` uses one.
    '._reducer',
    'init',
    // Ids of several roots in one page.
    '._mask',
    '.defaultValue'
  ],
  nanostores: ['.then', 'batched', 'batchSeen']
}

/** Elements, attributes, their spaces and kinds of nodes, by package, that no source draws: what is compared with one is another. */
export const UNDRAWN = {
  preact: [
    'dangerouslySetInnerHTML',
    'defaultChecked',
    'defaultValue',
    'foreignObject',
    'math',
    'rowSpan',
    'template',
    // Node.COMMENT_NODE and Node.DOCUMENT_NODE
    8,
    9
  ]
}

/** Expressions by package, and what they come to here. */
export const COMES_TO = {
  preact: {
    // A component is a function of its properties; whatever has state has hooks, which only say that there is a new one.
    "typeof update == 'function'": 'false',
    'assign({}, this.state)': '0',
    'assign(s, update)': '0',
    'this._stateCallbacks.push(callback)': '0',
    'EMPTY_ARR.push.apply(c._renderCallbacks, c._stateCallbacks)': '0',
    'hookState._reducer(currentValue, action)': 'invokeOrReturn(currentValue, action)',
    'tmp = newType.contextType': '0',
    'new BaseComponent(newProps, componentContext)': 'new BaseComponent(newProps)',
    'c.constructor = newType': '0',
    '!currentComponent._hasScuFromHooks': 'false',
    'c._bits &= ~COMPONENT_FORCE': '0',
    'markAsForce(newVNode)': '0',
    'hooks._pendingEffects.some(invokeCleanup)': '0',
    'hooks._pendingEffects.some(invokeEffect)': '0',
    'c.__hooks._pendingEffects.length': '0',
    'currentComponent.__hooks = { _list: [], _pendingEffects: [] }': 'currentComponent.__hooks = { _list: [] }',
    'c.render(c.props, (c.state = c._nextState), c.context)': 'newType(newProps)',
    // References are places for elements; only what hears events is given functions.
    "typeof value == 'function'": 'false',
    'childVNode._component || newDom': 'newDom',
    "typeof ref == 'function'": 'false',
    "typeof type != 'function'": 'true',
    // Nothing is drawn twice into the same place, or into one that holds something.
    'isHydrating ? NULL : parentDom._children': 'NULL',
    'parentDom.firstChild': 'NULL',
    'r = r._excess': 'false',
    'newVNode._flags &= RESET_MODE': '0',
    // Styles are objects, pointers are not caught, links have no spaces, elements are those of HTML and SVG.
    "typeof value == 'string'": 'false',
    "typeof oldValue == 'string'": 'false',
    "name.replace(CAPTURE_REGEX, '$1')": "name.replace(/Capture$/, '')",
    "name.replace(/xlink(H|:h)/, 'h')": 'name',
    'namespace == MATH_NAMESPACE': 'false',
    'doc.createElementNS(namespace, nodeType, newProps.is ? newProps : parentDom)':
      'doc.createElementNS(namespace, nodeType)',
    'childVNode.constructor === String': 'false',
    "typeof childVNode == 'function'": 'false',
    "name != 'form'": 'true'
  },
  // There is one copy of it.
  nanostores: { 'globalThis.nanostoresGlobal ||= { epoch: 0 }': '{ epoch: 0 }' },
  // All of the console has the one router, whose location needs nothing done to it.
  wouter: {
    'createContext(defaultRouter)': '0',
    'createContext(Params0)': '0',
    'useLocationFromRouter(useRouter())': 'useBrowserLocation()'
  }
}

/** Functions by package that here only throw on what they are given first: what is caught for them alone need not be caught. */
export const THROWS = { preact: 'options._catchError' }

const UNDEFINED = '(void 0)'

/** A tree as text, without places: alike for expressions that are alike. */
const shapeOf = (node) =>
  JSON.stringify(node, (key, value) => (key === 'start' || key === 'end' || key === 'raw' ? undefined : value))

/** The names under which a node might be in the list: of a variable, of a property. */
function namesOf(node) {
  if (node?.type === 'Identifier') return [node.name]
  if (node?.type !== 'MemberExpression' || node.computed) return []
  const { name } = node.property
  return [`.${name}`, `${node.object.property?.name ?? node.object.name}.${name}`]
}

/** What stands in the place of a node; undefined where it stays. */
function insteadOf(node, { names, texts, known, thrower }) {
  const gone = (one) => namesOf(one).some((name) => names.includes(name))
  const { type, left, right, operator } = node
  const instead = known.get(type)?.get(shapeOf(node))
  if (instead) return instead
  if (gone(node)) return UNDEFINED
  if (type === 'TryStatement' && !node.finalizer) {
    const [only, second] = node.handler.body.body
    if (!second && namesOf(only?.expression?.callee).includes(thrower)) return node.block
  }
  if (type === 'AssignmentExpression' && gone(left)) return right
  if (type === 'VariableDeclarator' && gone(node.id)) return `${node.id.name} = ${UNDEFINED}`
  // A flag that is never set.
  if (type === 'AssignmentExpression' && operator === '|=' && gone(right)) return UNDEFINED
  if (type === 'BinaryExpression' && operator === '&' && (gone(left) || gone(right))) return '0'
  if (
    type === 'BinaryExpression' &&
    /^([!=]=|in$)/.test(operator) &&
    [left, right].some(({ value }) => texts.includes(value))
  )
    return String(operator[0] === '!')
  return undefined
}

/** Which of a node's parts are not read but named. */
function isName(node, key) {
  if (key === 'property' || key === 'key') return !node.computed
  return ['params', 'label', 'id', 'specifiers'].includes(key)
}

/**
 * Replaces what is read of absent names by undefined, what is set of them by nothing but its value, comparisons with undrawn texts by
 * their answer, and expressions by what they come to. Leaves nothing caught that `thrower` would only throw on.
 * @param {string} source
 * @param {object} list
 * @param {(source: string) => object} parse makes an ESTree
 */
export function withoutAbsent(source, { names = [], texts = [], comesTo = {}, thrower = '' }, parse) {
  const known = new Map()
  for (const [text, instead] of Object.entries(comesTo)) {
    const { expression } = parse(`(${text})`).body[0]
    known.set(expression.type, (known.get(expression.type) ?? new Map()).set(shapeOf(expression), instead))
  }
  const rules = { names, texts, known, thrower }

  /** The text of a node. */
  function textOf(node) {
    const instead = insteadOf(node, rules)
    if (typeof instead === 'string') return instead
    if (instead) return node.type === 'TryStatement' ? textOf(instead) : `(${textOf(instead)})`
    let text = ''
    let end = node.start
    const parts = Object.entries(node)
      .filter(([key]) => !isName(node, key))
      .flatMap(([, value]) => value)
      .filter((part) => typeof part?.type === 'string')
      .sort((a, b) => a.start - b.start)
    for (const part of parts) {
      if (part.start < end) continue
      text += source.slice(end, part.start) + textOf(part)
      end = part.end
    }
    return text + source.slice(end, node.end)
  }

  return textOf(parse(source))
}

/** The build step. */
export function absent() {
  return {
    name: 'absent',
    transform(source, id) {
      const [, name] = /\/node_modules\/([^/]+)\//.exec(id) ?? []
      const list = { names: ABSENT[name], texts: UNDRAWN[name], comesTo: COMES_TO[name], thrower: THROWS[name] }
      return name in ABSENT || name in COMES_TO ? withoutAbsent(source, list, (text) => this.parse(text)) : null
    }
  }
}
