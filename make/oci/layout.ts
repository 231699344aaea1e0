// Writes the folder of an OCI image: its parts are files that are named after their hash.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json'
const CONFIG = 'application/vnd.oci.image.config.v1+json'
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip'

interface Descriptor {
  mediaType: string
  digest: string
  size: number
}

export interface Layer {
  descriptor: Descriptor
  /** Hash of the archive before compression. */
  diffId: string
}

const digestOf = (hash: Hash) => `sha256:${hash.digest('hex')}`

/** Passes a stream on and hashes it. */
const hashWith = (hash: Hash) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }

export class ImageLayout {
  readonly #folder: string

  /** @param folder is empty */
  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(join(folder, 'blobs/sha256'), { recursive: true })
    this.#writeJson('oci-layout', { imageLayoutVersion: '1.0.0' })
  }

  #blob(digest: string): string {
    return join(this.#folder, 'blobs', digest.replace(':', '/'))
  }

  #writeJson(path: string, content: object): void {
    writeFileSync(join(this.#folder, path), JSON.stringify(content))
  }

  #addDocument(mediaType: string, content: object): Descriptor {
    const text = JSON.stringify(content)
    const digest = digestOf(createHash('sha256').update(text))
    writeFileSync(this.#blob(digest), text)
    return { mediaType, digest, size: Buffer.byteLength(text) }
  }

  /** Compresses an archive of tar. */
  async addLayer(archive: string): Promise<Layer> {
    const [before, after] = [createHash('sha256'), createHash('sha256')]
    const incomplete = join(this.#folder, 'layer')
    await pipeline(
      createReadStream(archive),
      hashWith(before),
      createGzip(),
      hashWith(after),
      createWriteStream(incomplete)
    )
    const { size } = statSync(incomplete)
    const digest = digestOf(after)
    renameSync(incomplete, this.#blob(digest))
    return { descriptor: { mediaType: LAYER, digest, size }, diffId: digestOf(before) }
  }

  /**
   * Completes the image.
   * @param config has the layers in the same order
   * @param name with a tag
   */
  finish(config: object, layers: readonly Layer[], architecture: string, name: string): void {
    const manifest = this.#addDocument(MANIFEST, {
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: this.#addDocument(CONFIG, config),
      layers: layers.map(({ descriptor }) => descriptor)
    })
    // Docker reads the second one.
    const annotations = {
      'org.opencontainers.image.ref.name': name,
      'io.containerd.image.name': `docker.io/library/${name}`
    }
    const entry = { ...manifest, platform: { architecture, os: 'linux' }, annotations }
    this.#writeJson('index.json', { schemaVersion: 2, manifests: [entry] })
  }
}
