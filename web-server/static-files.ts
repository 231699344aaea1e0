// Serves the bundle of a console from memory, each file in every encoding that a browser may ask for.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { inlineScriptSources } from '../pack/inline-scripts.ts'
import { type Encoding, preferredEncoding } from './encoding.ts'
import { type Reply, type ReplyHeaders, textReply } from './reply.ts'
import type { HubRequest } from './request.ts'
import { contentSecurityPolicy, SECURITY_HEADERS } from './security-headers.ts'

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

/** Smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity']

/** A file in one encoding, with the replies to requests for it. */
interface Variant {
  etag: string
  full: Reply
  head: Reply
  notModified: Reply
}

type Served = Readonly<Record<Encoding, Variant>>

/** Responds to a request for a file of the bundle; undefined for any other path. */
export type Files = (request: Pick<HubRequest, 'method' | 'path' | 'headers'>) => Reply | undefined

/** Changes the text of a page. */
type ChangePage = (html: string) => string

/** Reads the compressed copy that the build or a firmware pack wrote beside a file, or compresses it now. */
function readCompressed(path: string, extension: string, compress: () => Buffer): Buffer {
  return existsSync(path + extension) ? readFileSync(path + extension) : compress()
}

function load(path: string, changePage: ChangePage | undefined): Served {
  const isPage = path.endsWith('.html')
  const change = isPage ? changePage : undefined
  const file = readFileSync(path)
  const plain = change ? Buffer.from(change(file.toString())) : file
  const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: plain.length } }
  // The copies beside a page are not changed.
  const compressed = (extension: string, compress: () => Buffer) =>
    change ? compress() : readCompressed(path, extension, compress)
  const bytes = {
    br: compressed('.br', () => brotliCompressSync(plain, quality)),
    gzip: compressed('.gz', () => gzipSync(plain, { level: 9 })),
    identity: plain
  }
  // Strong ETags (RFC 9110, 8.8.1): the bytes differ by encoding, so the tags must too.
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  const headers = {
    ...SECURITY_HEADERS,
    'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(isPage && {
      'content-security-policy': contentSecurityPolicy(inlineScriptSources(plain.toString()))
    })
  }
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const variant = (encoding: Encoding) =>
    createVariant({ ...headers, etag: `"${hash}-${encoding}"` }, type, encoding, new Uint8Array(bytes[encoding]))
  return { br: variant('br'), gzip: variant('gzip'), identity: variant('identity') }
}

function createVariant(
  constant: ReplyHeaders & { etag: string },
  type: string,
  encoding: Encoding,
  body: Uint8Array<ArrayBuffer>
): Variant {
  const common = { ...constant, vary: 'accept-encoding' }
  const headers = {
    ...common,
    'content-type': type,
    'content-length': String(body.length),
    ...(encoding !== 'identity' && { 'content-encoding': encoding })
  }
  return {
    etag: constant.etag,
    full: { status: 200, headers, body },
    head: { status: 200, headers, body: null },
    notModified: { status: 304, headers: common, body: null }
  }
}

function loadAll(folder: string, changePage: ChangePage | undefined): Map<string, Served> {
  const files = new Map<string, Served>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !/\.(br|gz|map)$/.test(path))
      files.set(`/${relative(folder, path).split(sep).join('/')}`, load(path, changePage))
  }
  return files
}

/** Whether If-None-Match contains `etag`, by weak comparison (RFC 9110, 13.1.2). */
function matches(header: string, etag: string): boolean {
  return header.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

/**
 * @param folder the built bundle
 * @param reload reads it again for each request
 * @param changePage changes its pages
 */
export function createFiles(folder: string, reload = false, changePage?: ChangePage): Files {
  let files = loadAll(folder, changePage)
  return ({ method, path, headers }) => {
    if (reload) files = loadAll(folder, changePage)
    const file = files.get(path === '/' ? '/index.html' : path)
    if (!file) return undefined
    if (method !== 'GET' && method !== 'HEAD') return textReply('Method not allowed\n', 405, { allow: 'GET, HEAD' })
    const variant = file[preferredEncoding(headers.get('accept-encoding'), ENCODINGS) ?? 'identity']
    const known = headers.get('if-none-match')
    if (known !== null && matches(known, variant.etag)) return variant.notModified
    return method === 'HEAD' ? variant.head : variant.full
  }
}
