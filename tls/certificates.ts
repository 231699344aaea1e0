// The certificates of a hub or a node of the cloud: the one that it makes itself, and uploaded ones. A certificate that
// cannot be used never ends HTTPS: the one before it stays, or the own one takes its place.
import type { X509Certificate } from 'node:crypto'
import { CERTIFICATE_WARNING_DAYS, type CertificateInfo } from '../contract/web/certificate.ts'
import { logger } from '../process-log/logger.ts'
import type { Identity } from '../web-server/secure-server.ts'
import { isUploadName, TlsFolder, type UploadKind } from './folder.ts'
import { CertificateError, checkIdentity, describeChain, namesOf, readChain, readKey } from './identity.ts'
import { createOwnCertificate, OWN_CERTIFICATE, OWN_KEY, usableNames } from './self-signed.ts'
import { isChainTrusted } from './trust.ts'

const DAY = 86_400_000
const WARNING_TIME = CERTIFICATE_WARNING_DAYS * DAY
/** Milliseconds between checks whether the certificate ends soon. */
const CHECK_INTERVAL = 3_600_000

/** The names of an uploaded certificate and its key in the folder. */
export interface StoredPair {
  cert: string
  key: string
}

/** The pair that the settings name, and the one before it. */
export interface StoredPairs {
  current: StoredPair | undefined
  former: StoredPair | undefined
}

export interface CertificatesOptions {
  /** Data folder. */
  data: string
  stored(): StoredPairs
  /** Names and addresses of the hub, for its own certificate. */
  names(): readonly string[]
  /** The certificate in use has changed, or comes to its end. */
  onChange(): void
  /**
   * `created`: the hub has made a certificate. `damaged`: the chosen one cannot be used, and another one is. `missing`:
   * there is none.
   */
  onEvent(event: 'created' | 'damaged' | 'missing', detail: string): void
  /** Milliseconds since the epoch. */
  now?: () => number
  /** PEM certificates of trusted authorities instead of those of the machine; for tests. */
  authorities?: readonly string[] | undefined
}

interface Active {
  identity: Identity
  chain: X509Certificate[]
  isOwn: boolean
  isTrusted: boolean
}

export class Certificates {
  readonly #options: CertificatesOptions
  readonly #now: () => number
  readonly #folder: TlsFolder
  readonly #listeners = new Set<(identity: Identity) => void>()
  #active: Active | undefined
  #isDamaged = false
  #timer: NodeJS.Timeout | undefined
  #starting: Promise<void> | undefined
  #loading = Promise.resolve()

  constructor(options: CertificatesOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#folder = new TlsFolder(options.data)
  }

  /** Loads the certificate, or makes one. Does nothing if there is one already. */
  start(): Promise<void> {
    this.#starting ??= this.#load().then(() => {
      this.#timer = setInterval(() => void this.check(), CHECK_INTERVAL).unref()
    })
    return this.#starting
  }

  /** The certificate and the key for connections; undefined if the hub could make none. */
  identity(): Identity | undefined {
    return this.#active?.identity
  }

  describe(): CertificateInfo | undefined {
    if (!this.#active) return undefined
    const { chain, isOwn, isTrusted } = this.#active
    return describeChain(chain, { 'self-signed': isOwn, trusted: isTrusted })
  }

  /** SHA-256 of the certificate in use; undefined without one. */
  fingerprint(): string | undefined {
    return this.#active?.chain[0]?.fingerprint256
  }

  /** Whether the chain of the certificate in use leads to a trusted authority, as of its last check. */
  isTrusted(): boolean {
    return this.#active?.isTrusted === true
  }

  /** Whether the certificate that the settings name cannot be used, so that another one is in use. */
  isDamaged(): boolean {
    return this.#isDamaged
  }

  /** Milliseconds until the certificate in use ends; undefined without one. */
  remaining(): number | undefined {
    const end = this.#active?.chain[0]?.validToDate.getTime()
    return end === undefined ? undefined : end - this.#now()
  }

  /**
   * Whether browsers that trust the same authorities as this machine accept a certificate under a name.
   * @param identity by default the certificate in use
   */
  async isTrustedFor(name: string, identity = this.identity()): Promise<boolean> {
    return identity !== undefined && isChainTrusted(identity, name, this.#options.authorities)
  }

  /**
   * Whether the certificate in use is trusted, as of the last check of its chain, and valid for a name. Makes no
   * handshake.
   */
  hasTrustedName(name: string): boolean {
    const { isTrusted = false, chain: [leaf] = [] } = this.#active ?? {}
    return isTrusted && leaf?.checkHost(name, { subject: 'never' }) !== undefined
  }

  /**
   * Calls a function with each certificate that replaces another one.
   * @returns removes the listener
   */
  onReplaced(listener: (identity: Identity) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Checks and stores an uploaded file. @returns its name. @throws CertificateError */
  addUpload(kind: UploadKind, text: string): string {
    if (kind === 'cert') readChain(text)
    else readKey(text)
    const { current, former } = this.#options.stored()
    return this.#folder.addUpload(
      kind,
      text,
      [current, former].flatMap((pair) => (pair ? [pair.cert, pair.key] : []))
    )
  }

  /** Checks an uploaded pair before the settings name it. @throws CertificateError */
  checkPair({ cert, key }: StoredPair): Identity {
    const certText = isUploadName('cert', cert) ? this.#folder.read(cert) : undefined
    if (certText === undefined) throw new CertificateError('certificate', 'certificate')
    const keyText = isUploadName('key', key) ? this.#folder.read(key) : undefined
    if (keyText === undefined) throw new CertificateError('key', 'private-key')
    return checkIdentity(certText, keyText, this.#now())
  }

  /** Uses the pair that the settings name now. */
  settingChanged(): Promise<void> {
    return this.#load()
  }

  /**
   * Renews the hub's own certificate before its end and when the hub has a name that is not in it, and reports when
   * another one comes to its end. Must be called when the names or addresses of the hub have changed. Does nothing
   * before `start`.
   */
  async check(): Promise<void> {
    if (!this.#starting) return
    await this.#starting
    const active = this.#active
    if (!active || (active.isOwn && !this.#isOwnUsable(active.chain))) await this.#load()
    else await this.#updateTrust(active)
    this.#options.onChange()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#folder.close()
  }

  /** One at a time, because a new certificate is written to the same files. */
  #load(): Promise<void> {
    const loading = this.#loading.then(() => this.#loadStored())
    this.#loading = loading.catch(() => {})
    return loading
  }

  async #loadStored(): Promise<void> {
    const { current, former } = this.#options.stored()
    const chosen = current && this.#readPair(current)
    const uploaded = chosen ?? (current && former && this.#readPair(former))
    const isDamaged = current !== undefined && chosen === undefined
    if (isDamaged && !this.#isDamaged) this.#options.onEvent('damaged', current.cert)
    this.#isDamaged = isDamaged
    const identity = uploaded ?? (await this.#ownIdentity())
    if (!identity) return this.#options.onChange()
    const active = { identity, chain: readChain(identity.cert), isOwn: !uploaded, isTrusted: false }
    await this.#updateTrust(active)
    this.#active = active
    for (const listener of this.#listeners) listener(identity)
    this.#options.onChange()
  }

  /** A stored pair, also if its certificate has ended meanwhile; undefined if a file is missing or damaged. */
  #readPair({ cert, key }: StoredPair): Identity | undefined {
    const [certText, keyText] = [this.#folder.read(cert), this.#folder.read(key)]
    try {
      const chain = readChain(certText ?? '')
      const validAt = Math.min(this.#now(), ...chain.map(({ validToDate }) => validToDate.getTime() - 1))
      return checkIdentity(certText ?? '', keyText ?? '', Math.max(validAt, chain[0]?.validFromDate.getTime() ?? 0))
    } catch (error) {
      logger.warn('A stored certificate cannot be used', { file: cert, reason: (error as Error).message })
      return undefined
    }
  }

  /** The hub's own certificate: the stored one if it is valid long enough and for all names, else a new one. */
  async #ownIdentity(): Promise<Identity | undefined> {
    try {
      const [cert, key] = [this.#folder.read(OWN_CERTIFICATE) ?? '', this.#folder.read(OWN_KEY) ?? '']
      const stored = checkIdentity(cert, key, this.#now())
      if (this.#isOwnUsable(readChain(stored.cert))) return stored
    } catch {
      // There is none, or it has to be replaced.
    }
    try {
      const created = await createOwnCertificate(this.#folder, this.#options.names())
      this.#options.onEvent('created', readChain(created.cert)[0]?.fingerprint256 ?? '')
      return created
    } catch (error) {
      logger.error('The own certificate could not be made', error)
      if (!this.#active)
        this.#options.onEvent('missing', `openssl: ${(error as NodeJS.ErrnoException).code ?? 'failed'}`)
      return this.#active?.identity
    }
  }

  /** Whether the hub's own certificate is valid long enough and for all names. */
  #isOwnUsable([leaf]: readonly X509Certificate[]): boolean {
    if (!leaf || leaf.validToDate.getTime() - this.#now() < WARNING_TIME) return false
    const present = namesOf(leaf).map((name) => name.toLowerCase())
    return usableNames(this.#options.names()).every((name) => present.includes(canonicalName(name)))
  }

  /** Trust does not depend on the name, so the first one of the certificate is checked. */
  async #updateTrust(active: Active): Promise<void> {
    const [name = ''] = active.chain.slice(0, 1).flatMap(namesOf)
    active.isTrusted = !active.isOwn && (await this.isTrustedFor(name.replace(/^\*/, 'any'), active.identity))
  }
}

/** An address as certificates state it: IPv6 in full, in lower case. */
function canonicalName(name: string): string {
  if (!name.includes(':')) return name
  const full = new URL(`http://[${name}]`).hostname.slice(1, -1)
  const [head = '', tail] = full.split('::')
  const groups = head ? head.split(':') : []
  const rest = tail ? tail.split(':') : []
  if (tail !== undefined) groups.push(...Array(8 - groups.length - rest.length).fill('0'), ...rest)
  return groups.join(':')
}
