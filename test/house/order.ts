// The import order of style.md: each floor imports only from its own and the ones before it.
import type { Import } from './sources.ts'

type Layers = readonly (readonly string[])[]

/** A name with an ending is a file, one without a folder. */
const LAYERS: Readonly<Record<string, Layers>> = {
  src: [
    // What `react` means in the build.
    ['react.ts', 'paths.ts', 'text'],
    ['ui'],
    ['form'],
    ['link'],
    ['preview'],
    ['state'],
    ['parts'],
    ['screens'],
    ['frame'],
    ['main.tsx', 'loader.ts']
  ],
  engine: [
    ['interfaces'],
    ['mpegts', 'access'],
    ['process'],
    ['stats'],
    ['legs'],
    ['srt', 'rtmp', 'rtsp', 'hls', 'ndi'],
    ['inputs'],
    ['outputs'],
    ['ports'],
    ['channels'],
    ['engine.ts']
  ],
  hub: [
    ['store', 'messages'],
    ['machine', 'devices', 'preview'],
    ['channels', 'firmware'],
    ['upgrade'],
    ['auth'],
    ['http'],
    ['pages'],
    ['context.ts'],
    ['services', 'handlers'],
    ['hub.ts'],
    ['main.ts']
  ]
}

/** Which folders at the top a world may import from, beside itself. */
const ALLOWED_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  // What a pack is, for who makes them and who installs them.
  pack: [],
  src: ['contract'],
  engine: ['contract'],
  hub: ['contract', 'pack', 'engine'],
  fleet: ['contract'],
  make: [],
  // What a hub takes, and the steps of the build, to weigh what it makes.
  'firmware-pack': ['contract', 'pack', 'bundler'],
  bundler: [],
  bench: ['contract', 'src', 'hub', 'engine', 'fleet', 'firmware-pack', 'pack', 'test']
}

/** Packages a world may import; any where it is not listed. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  contract: /^$/,
  src: /^npm:(react|react-dom|preact|wouter|nanostores|@picocss\/pico)(\/|$)/
}

/** The files of `contract/` for the hub alone: they bring zod. */
const REQUESTS = /^contract\/requests(\.ts$|\/)/

/** The floor of a file within its world; undefined when it is on none, NaN where the world has no floors. */
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

function faultOf({ from, to }: Import): string | undefined {
  const world = from.split('/')[0] ?? ''
  const neighbours = ALLOWED_FOLDERS[world]
  if (!neighbours) return undefined
  if (/^(npm|node):/.test(to)) {
    const allowed = PACKAGES[world]?.test(to) ?? true
    return allowed || (REQUESTS.test(from) && to === 'npm:zod') ? undefined : `not for ${world}`
  }
  const target = to.split('/')[0] ?? ''
  if (world === 'src' && REQUESTS.test(to)) return 'request shapes are for the hub alone'
  if (target !== world) return neighbours.includes(target) ? undefined : `${world} does not import ${target}`
  const here = layerOf(from)
  const there = layerOf(to)
  if (here === undefined || there === undefined)
    return `${here === undefined ? from : to} is on no floor: give it one in test/house/order.ts`
  if (there > here) return 'against the order'
  if (from === 'src/paths.ts') return 'paths.ts imports nothing'
  const [ours, theirs] = [screenOf(from), screenOf(to)]
  return ours && theirs && ours !== theirs ? 'rooms do not import rooms' : undefined
}

/** The imports that break the order, a line each. */
export function importFaults(imports: readonly Import[]): string[] {
  return imports.flatMap((one) => {
    const fault = faultOf(one)
    return fault ? [`${one.from} -> ${one.to}: ${fault}`] : []
  })
}

/** The cycles among the imports, each once, as the files in their order. */
export function findCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, string[]>()
  for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to])
  const found: string[][] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    const at = path.indexOf(file)
    if (at >= 0) return void found.push([...path.slice(at), file])
    if (done.has(file)) return
    path.push(file)
    for (const next of edges.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of edges.keys()) visit(file)
  return found
}
