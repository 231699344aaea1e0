// Serves the console's bundle from memory, each file in every encoding that a browser may ask for.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { inlineScriptSources } from '../../pack/inline-scripts.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { addDevelopmentBanner } from './development-banner.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html;charset=utf-8',
  '.js': 'text/javascript;charset=utf-8',
  '.css': 'text/css;charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.txt': 'text/plain;charset=utf-8',
  '.webmanifest': 'application/manifest+json'
}

/** File names with a hash of the content, which therefore never changes. */
export const HASHED = /-[\w-]{8,}\.\w+$/

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

interface Served {
  /** Headers that do not depend on the encoding. */
  headers: Record<'content-type' | 'cache-control', string> & { 'content-security-policy'?: string }
  bodies: Record<Encoding, { bytes: Uint8Array<ArrayBuffer>; etag: string }>
}

/** Responds to a request for a file of the bundle; undefined for any other path. */
export type Files = (request: Request) => Response | undefined

/** Reads the compressed copy that the build or a firmware pack wrote beside a file, or compresses it now. */
function readCompressed(path: string, extension: string, compress: () => Buffer): Buffer {
  return existsSync(path + extension) ? readFileSync(path + extension) : compress()
}

function load(path: string, isDevelopment: boolean): Served {
  const isPage = path.endsWith('.html')
  const isChanged = isPage && isDevelopment
  const file = readFileSync(path)
  const plain = isChanged ? Buffer.from(addDevelopmentBanner(file.toString())) : file
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length } }
  // The copies beside a file do not have the banner.
  const compressed = (extension: string, compress: () => Buffer) =>
    isChanged ? compress() : readCompressed(path, extension, compress)
  const bytes = {
    br: compressed('.br', () => brotliCompressSync(plain, quality)),
    gzip: compressed('.gz', () => gzipSync(plain, { level: 9 })),
    identity: plain
  }
  // Strong ETags (RFC 9110, 8.8.1): the bytes differ by encoding, so the tags must too.
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const body = (encoding: Encoding) => ({ bytes: new Uint8Array(bytes[encoding]), etag: `"${hash}-${encoding}"` })
  return {
    headers: {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isPage && {
        'content-security-policy': contentSecurityPolicy(inlineScriptSources(plain.toString()))
      })
    },
    bodies: { br: body('br'), gzip: body('gzip'), identity: body('identity') }
  }
}

function loadAll(folder: string, isDevelopment: boolean): Map<string, Served> {
  const files = new Map<string, Served>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !/\.(br|gz|map)$/.test(path))
      files.set(`/${relative(folder, path).split(sep).join('/')}`, load(path, isDevelopment))
  }
  return files
}

/**
 * The encoding to send, by the q-values of Accept-Encoding (RFC 9110, 12.5.3). Of equal weights the smallest body wins.
 * @returns undefined when the client accepts none of ours
 */
export function chooseEncoding(accept: string | null): Encoding | undefined {
  const weights = new Map<string, number>()
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (name) weights.set(name === 'x-gzip' ? 'gzip' : name, q === undefined ? 1 : Number(q) || 0)
  }
  const any = weights.get('*')
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? any ?? (encoding === 'identity' ? 0.001 : 0)
  const [best] = ENCODINGS.filter((encoding) => weightOf(encoding) > 0).sort((a, b) => weightOf(b) - weightOf(a))
  return best
}

/** Whether If-None-Match contains `etag`, by weak comparison (RFC 9110, 13.1.2). */
function matches(header: string | null, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * @param folder the built bundle
 * @param reload reads it again for each request
 * @param isDevelopment adds the development banner to its pages
 */
export function createFiles(folder: string, reload = false, isDevelopment = false): Files {
  let files = loadAll(folder, isDevelopment)
  return (request) => {
    if (reload) files = loadAll(folder, isDevelopment)
    const { pathname } = new URL(request.url)
    const file = files.get(pathname === '/' ? '/index.html' : pathname)
    if (!file) return undefined
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET, HEAD' } })
    const encoding = chooseEncoding(request.headers.get('accept-encoding')) ?? 'identity'
    const { bytes, etag } = file.bodies[encoding]
    const { 'content-type': type, ...constant } = file.headers
    const headers = { ...constant, etag, vary: 'accept-encoding' }
    if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: {
        ...headers,
        'content-type': type,
        'content-length': String(bytes.length),
        ...(encoding !== 'identity' && { 'content-encoding': encoding })
      }
    })
  }
}
