// The TLS certificate of a node of the cloud: given files, which may be replaced while it runs, or one that it makes
// itself. Hubs recognize the cloud by its signing key, so each node can have a certificate of its own.
import { readFileSync, statSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { logger } from '../process-log/logger.ts'
import { Certificates } from '../tls/certificates.ts'
import { checkIdentity } from '../tls/identity.ts'
import type { Identity } from '../web-server/secure-server.ts'

/** Milliseconds between checks whether the files were replaced. */
const CHECK_INTERVAL = 60_000

/** Paths of the certificate with its issuers, and of its private key, both in PEM. */
export interface CertificateFiles {
  cert: string
  key: string
}

interface NodeCertificateOptions {
  /** Data folder, for the own certificate. */
  data: string
  /** Absent: the node makes a certificate itself. */
  files?: CertificateFiles | undefined
  /** Names under which the node is reached. */
  names: readonly string[]
  /** Milliseconds since the epoch. */
  now: () => number
}

export interface NodeCertificate {
  /** The current certificate; undefined if none could be made. */
  identity(): Identity | undefined
  /** Calls a function with each certificate that replaces another one. */
  onReplaced(listener: (identity: Identity) => void): void
  close(): void
}

/** @throws if the files cannot be used */
export async function openCertificate({ data, files, names, now }: NodeCertificateOptions): Promise<NodeCertificate> {
  if (files) return new FileCertificate(files, now)
  const own = new Certificates({
    data,
    stored: () => ({ current: undefined, former: undefined }),
    names: () => [...new Set([...names, ...namesOfMachine()])],
    onChange() {},
    onEvent: (event, detail) => logger.info('Certificate of the node', { event, detail }),
    now
  })
  await own.start()
  return own
}

/** Host name and addresses of the machine. */
function namesOfMachine(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries = []) => entries.map(({ address }) => address))
  return ['localhost', hostname(), ...addresses]
}

class FileCertificate implements NodeCertificate {
  readonly #files: CertificateFiles
  readonly #now: () => number
  readonly #listeners: ((identity: Identity) => void)[] = []
  readonly #timer: NodeJS.Timeout
  #identity: Identity
  #version: string

  constructor(files: CertificateFiles, now: () => number) {
    this.#files = files
    this.#now = now
    this.#version = this.#readVersion()
    this.#identity = this.#read()
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL).unref()
  }

  identity(): Identity {
    return this.#identity
  }

  onReplaced(listener: (identity: Identity) => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #read(): Identity {
    return checkIdentity(readFileSync(this.#files.cert, 'utf8'), readFileSync(this.#files.key, 'utf8'), this.#now())
  }

  #readVersion(): string {
    return [this.#files.cert, this.#files.key].map((path) => statSync(path).mtimeMs).join(' ')
  }

  /** Files that cannot be used, such as while they are being replaced, leave the certificate as it is. */
  #check(): void {
    try {
      const version = this.#readVersion()
      if (version === this.#version) return
      this.#identity = this.#read()
      this.#version = version
      for (const listener of this.#listeners) listener(this.#identity)
      logger.info('The certificate was replaced', { file: this.#files.cert })
    } catch (error) {
      logger.warn('The certificate was not replaced', { reason: (error as Error).message })
    }
  }
}
