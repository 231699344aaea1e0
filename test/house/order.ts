// The import order: each layer imports only from itself and from the layers before it.
import type { Import } from './sources.ts'

type Layers = readonly (readonly string[])[]

/** Layers by top-level folder. A name with an extension is a file, one without is a folder. */
const LAYERS: Readonly<Record<string, Layers>> = {
  src: [
    // `react.ts` replaces React in the build.
    ['react.ts', 'paths.ts', 'other-hubs.ts', 'text'],
    ['ui'],
    ['form'],
    ['link'],
    ['preview'],
    ['state'],
    ['parts'],
    ['screens'],
    ['frame'],
    // The pages of the cloud.
    ['cloud'],
    ['main.tsx', 'loader.ts']
  ],
  engine: [
    ['interfaces'],
    ['connection'],
    ['client'],
    ['mpegts', 'access'],
    ['process'],
    ['relay'],
    ['stats'],
    ['legs'],
    ['srt', 'rtmp', 'rtsp', 'hls', 'ndi'],
    ['watch', 'content', 'recording', 'encoders'],
    ['inputs'],
    ['outputs'],
    ['ports'],
    ['channels'],
    ['state-reporter.ts'],
    ['engine.ts'],
    ['server'],
    ['main.ts']
  ],
  cloud: [
    ['options.ts', 'store'],
    ['auth', 'signing', 'nodes', 'certificate.ts'],
    ['links', 'digests'],
    ['relay'],
    ['rollouts'],
    ['http'],
    ['handlers'],
    ['cloud.ts'],
    ['user-command.ts'],
    [
      ...['main.ts', 'replace-signing-key.ts', 'move-to-postgres.ts', 'migrate.ts'],
      ...['reset-password.ts', 'reset-second-factor.ts']
    ]
  ],
  hub: [
    ['emitter.ts', 'lifetime.ts'],
    ['data-folder'],
    ['storage-fault'],
    ['database'],
    ['store', 'messages'],
    ['data-backup'],
    ['machine', 'devices', 'preview', 'syslog', 'license', 'health'],
    ['timeline', 'history', 'online', 'cloud'],
    ['channels', 'firmware', 'ndi'],
    ['videohub', 'alerts'],
    ['upgrade'],
    ['auth'],
    ['http', 'cloud-relay'],
    ['pages', 'log-search', 'downloads', 'export'],
    ['scheduled-backups'],
    ['recordings'],
    ['handlers'],
    ['options.ts'],
    ['assemble.ts', 'start.ts'],
    ['hub.ts', 'user-command.ts'],
    ['main.ts', 'device-report.ts', 'backup-data.ts', 'restore-data.ts', 'reset-password.ts', 'reset-second-factor.ts']
  ]
}

/** Top-level folders that a top-level folder may import from, besides itself. */
const ALLOWED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  'process-log': [],
  // How programs keep files: durably, and with secrets encrypted.
  'data-files': [],
  // Rules of user accounts: passwords, sessions, second factors, and which users a user may change.
  accounts: ['contract', 'web-server'],
  // The HTTP server, for every program that serves a console.
  'web-server': ['contract', 'pack', 'process-log', 'engine'],
  // Certificates and their private keys.
  tls: ['contract', 'data-files', 'web-server', 'process-log'],
  // Both ends of a device link: hub and demo devices.
  'device-link': ['contract', 'tls', 'process-log', 'engine'],
  // The pack format, for the packer and for the hub.
  pack: [],
  src: ['contract'],
  engine: ['contract', 'process-log'],
  cloud: ['contract', 'data-files', 'tls', 'accounts', 'web-server', 'device-link', 'pack', 'process-log', 'engine'],
  // The protocol of the firewall service, which is another process.
  hub: [
    'contract',
    'data-files',
    'tls',
    'accounts',
    'web-server',
    'device-link',
    'pack',
    'license',
    'process-log',
    'engine',
    'firewall'
  ],
  // It has rights that the hub does not have, and imports nothing but Node.
  firewall: [],
  // It verifies and writes releases.
  updater: ['pack', 'data-files'],
  // Statements, for the licence server and for the hub.
  license: ['contract', 'pack'],
  fleet: ['contract', 'device-link'],
  supervisor: ['process-log'],
  // The declarations, from which it writes a document, the commit of a build, and what a release consists of.
  make: ['supervisor', 'contract', 'bundler', 'pack', 'firmware-pack'],
  // The pack format, and the build steps, to measure the bundle.
  'firmware-pack': ['contract', 'pack', 'bundler', 'engine'],
  bundler: [],
  bench: [
    ...[
      'contract',
      'src',
      'hub',
      'cloud',
      'engine',
      'fleet',
      'firmware-pack',
      'pack',
      'device-link',
      'web-server',
      'test'
    ]
  ]
}

/** Packages that a top-level folder may import; all packages if it is not listed. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  contract: /^$/,
  firewall: /^node:/,
  src: /^npm:(react|react-dom|preact|wouter|nanostores|@picocss\/pico)(\/|$)/
}

/**
 * The parts of the engine, which is another process, that the hub may import. Both have ports with limited connections,
 * listen on the same addresses and look up names that users have entered, and the hub knows which clients another allow
 * list disconnects.
 */
const ENGINE_FOR_HUB =
  /^engine\/(client\/|interfaces\/|access\/(connection-table|ip-allow-list|listen-address|lookup-address)\.ts$)/

/** The part of the engine that all servers share: how connections are limited. */
const ENGINE_FOR_SERVERS = 'engine/access/connection-table.ts'

const FIREWALL_FOR_HUB = 'firewall/protocol.ts'

/** Files of `contract/` that the console may import for their types alone, because they import zod. */
const SCHEMAS = /^contract\/.*\.schema\.ts$/

/** The layer of a file in its top-level folder; undefined when it is in none, NaN when the folder has no layers. */
function layerOf(path: string): number | undefined {
  const [world = '', name = ''] = path.split('/')
  const floors = LAYERS[world]
  if (!floors) return Number.NaN
  const floor = floors.findIndex((names) => names.includes(name))
  return floor < 0 ? undefined : floor
}

function screenOf(path: string): string | undefined {
  return /^src\/screens\/([^/]+)\//.exec(path)?.[1]
}

function faultOf({ from, to, isTypeOnly }: Import): string | undefined {
  const world = from.split('/')[0] ?? ''
  const neighbours = ALLOWED_FOLDERS[world]
  if (!neighbours) return undefined
  if (/^(npm|node):/.test(to)) {
    const allowed = PACKAGES[world]?.test(to) ?? true
    return allowed || (SCHEMAS.test(from) && to === 'npm:zod') ? undefined : `not allowed in ${world}`
  }
  const target = to.split('/')[0] ?? ''
  if (world === 'src' && SCHEMAS.test(to) && !isTypeOnly) return 'the console imports only types of schemas'
  if (world === 'hub' && target === 'engine' && !ENGINE_FOR_HUB.test(to))
    return 'the hub imports only the client of the engine, and its interfaces'
  if (['web-server', 'device-link', 'cloud'].includes(world) && target === 'engine' && to !== ENGINE_FOR_SERVERS)
    return 'servers import only how the engine limits connections'
  if (world === 'hub' && target === 'firewall' && to !== FIREWALL_FOR_HUB)
    return 'the hub imports only the protocol of the firewall service'
  if (target !== world) return neighbours.includes(target) ? undefined : `${world} does not import ${target}`
  const fromLayer = layerOf(from)
  const toLayer = layerOf(to)
  if (fromLayer === undefined || toLayer === undefined)
    return `${fromLayer === undefined ? from : to} is in no layer. Add it in test/house/order.ts`
  if (toLayer > fromLayer) return 'against the order'
  if (from === 'src/paths.ts') return 'paths.ts imports nothing'
  const [ours, theirs] = [screenOf(from), screenOf(to)]
  return ours && theirs && ours !== theirs ? 'screens do not import screens' : undefined
}

/** Returns the imports that break the order, one line each. */
export function importFaults(imports: readonly Import[]): string[] {
  return imports.flatMap((edge) => {
    const fault = faultOf(edge)
    return fault ? [`${edge.from} -> ${edge.to}: ${fault}`] : []
  })
}

/**
 * Whether an import says only which types the schemas of a feature have. The calls take their types from the schemas,
 * and the schemas take limits and rules from the files of the calls.
 */
const isTypeOfSchema = ({ from, to, isTypeOnly }: Import) => isTypeOnly && (SCHEMAS.test(from) || SCHEMAS.test(to))

/** Returns the import cycles, each as a list of files. Types of schemas make none. */
export function findCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, string[]>()
  for (const edge of imports)
    if (!isTypeOfSchema(edge)) edges.set(edge.from, [...(edges.get(edge.from) ?? []), edge.to])
  const cycles: string[][] = []
  const visited = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const index = path.indexOf(file)
    if (index >= 0) return void cycles.push([...path.slice(index), file])
    if (visited.has(file)) return
    path.push(file)
    for (const next of edges.get(file) ?? []) visit(next)
    path.pop()
    visited.add(file)
  }
  for (const file of edges.keys()) visit(file)
  return cycles
}

/**
 * Returns the pairs of folders with the same parent that import each other, also through files below them: their
 * boundary is in the wrong place. What both need belongs to one of the two, or to a folder before both.
 */
export function findSiblingCycles(imports: readonly Import[]): string[] {
  const edges = new Set<string>()
  for (const { from, to, isTypeOnly } of imports) {
    if (/^(npm|node):/.test(to) || isTypeOfSchema({ from, to, ...(isTypeOnly && { isTypeOnly }) })) continue
    const [ours, theirs] = [from.split('/').slice(0, -1), to.split('/').slice(0, -1)]
    const depth = ours.findIndex((name, index) => name !== theirs[index])
    const [a, b] = [ours[depth], theirs[depth]]
    if (a && b) edges.add([ours.slice(0, depth).join('/'), a, b].join(':'))
  }
  return [...edges]
    .map((edge) => edge.split(':') as [parent: string, from: string, to: string])
    .filter(([parent, from, to]) => from < to && edges.has([parent, to, from].join(':')))
    .map(([parent, from, to]) => `${parent || 'top'}: ${from} <-> ${to}`)
    .sort()
}
