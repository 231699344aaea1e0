// The releases on disk, and the marks that the launcher reads (deploy/debian/launch). A release appears under its name
// only when it is complete and on disk, and its mark before it, so that a power cut leaves what was started before.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, syncPath, syncTree } from '../data-files/fsync.ts'
import { VERSION_FORMAT } from '../pack/release.ts'
import { compareReleaseVersions } from '../pack/release-version.ts'
import type { InstalledRelease } from '../pack/update-service.ts'

/** Characters of a reason in a mark. */
const REASON_MAX = 500
/** Content of the mark of a release on trial from which the engine is started, too. */
const WITH_ENGINE = 'engine\n'
/** Mode of marks, which every program may read. */
const MARK_MODE = 0o644

export interface ReleaseFolders {
  /** Releases over the air. */
  downloaded: string
  /** Releases of the Debian package. */
  packaged: string
}

/** Compares two versions of releases; those of the package come after others of the same version. */
export const compareReleases = (one: InstalledRelease, other: InstalledRelease): number =>
  compareReleaseVersions(one.version, other.version) || Number(one.packaged) - Number(other.packaged)

export class ReleaseFolder {
  readonly #folders: ReleaseFolders

  constructor(folders: ReleaseFolders) {
    this.#folders = folders
  }

  /** File for an image, and folder into which it is unpacked. Hidden entries are no releases. */
  incoming(): { image: string; staging: string } {
    mkdirSync(this.#folders.downloaded, { recursive: true })
    return { image: this.#pathOf('.incoming'), staging: this.#pathOf('.new') }
  }

  /** Removes leftovers of an interrupted installation. */
  clean(): void {
    if (!existsSync(this.#folders.downloaded)) return
    for (const name of readdirSync(this.#folders.downloaded)) if (name.startsWith('.')) this.#remove(name)
  }

  /** All complete releases, the lowest version first. */
  list(): InstalledRelease[] {
    const found = [true, false].flatMap((packaged) => {
      const folder = packaged ? this.#folders.packaged : this.#folders.downloaded
      const names = existsSync(folder) ? readdirSync(folder) : []
      return names
        .filter((name) => VERSION_FORMAT.test(name) && existsSync(join(folder, name, 'bin/node')))
        .map((version): InstalledRelease => ({ version, folder: join(folder, version), packaged }))
    })
    return found.map((release) => ({ ...release, ...this.#markOf(release.version) })).sort(compareReleases)
  }

  find(version: string): InstalledRelease | undefined {
    return this.list().findLast((release) => release.version === version)
  }

  /** Makes the staging folder the release on trial. It replaces one of the same version that is not started. */
  adopt(version: string): void {
    syncTree(this.#pathOf('.new'))
    this.markTrial(version, false)
    if (existsSync(this.#pathOf(version))) renameSync(this.#pathOf(version), this.#pathOf('.old'))
    renameSync(this.#pathOf('.new'), this.#pathOf(version))
    this.#remove(`${version}.bad`)
    syncPath(this.#folders.downloaded)
    this.#remove('.old')
  }

  /** @param engine whether the engine is started from it, too */
  markTrial(version: string, engine: boolean): void {
    replaceFile(this.#pathOf(`${version}.trial`), engine ? WITH_ENGINE : '\n', MARK_MODE)
  }

  /** Makes a release the one that is started. All higher ones are marked first. */
  activate(version: string, keep: readonly string[]): void {
    const releases = this.list()
    for (const release of releases)
      if (compareReleaseVersions(release.version, version) > 0 && !release.mark)
        this.#markBad(release.version, `${version} replaces it`)
    this.#remove(`${version}.bad`, `${version}.trial`)
    syncPath(this.#folders.downloaded)
    for (const { version: other, packaged } of releases)
      if (!packaged && other !== version && !keep.includes(other)) this.#discard(other)
  }

  /** A release does not work. One of the package is marked, one over the air is removed. */
  reject(version: string, reason: string): void {
    if (this.list().some((release) => release.version === version && release.packaged)) this.#markBad(version, reason)
    this.#discard(version)
  }

  /** Free bytes. */
  async freeSpace(): Promise<number> {
    mkdirSync(this.#folders.downloaded, { recursive: true })
    const { bavail, bsize } = await statfs(this.#folders.downloaded)
    return bavail * bsize
  }

  #markOf(version: string): Pick<InstalledRelease, 'mark'> {
    const bad = this.#pathOf(`${version}.bad`)
    if (existsSync(bad)) return { mark: { kind: 'bad', reason: readFileSync(bad, 'utf8').trim() } }
    return existsSync(this.#pathOf(`${version}.trial`)) ? { mark: { kind: 'trial' } } : {}
  }

  #markBad(version: string, reason: string): void {
    replaceFile(this.#pathOf(`${version}.bad`), `${reason.slice(0, REASON_MAX)}\n`, MARK_MODE)
  }

  /** Removes a release over the air. While it is on trial, the mark goes last. */
  #discard(version: string): void {
    if (existsSync(this.#pathOf(version))) {
      this.#remove('.old')
      renameSync(this.#pathOf(version), this.#pathOf('.old'))
      syncPath(this.#folders.downloaded)
      this.#remove('.old')
    }
    this.#remove(`${version}.trial`)
  }

  #pathOf(name: string): string {
    return join(this.#folders.downloaded, name)
  }

  #remove(...names: string[]): void {
    for (const name of names) rmSync(this.#pathOf(name), { recursive: true, force: true })
  }
}
