// Writes the folder of a release: channel files with their signatures, and the bundles that they name.
import { createPublicKey } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type ChannelFile,
  ChannelFileError,
  type ChannelRelease,
  channelFileName,
  createChannelFile,
  RELEASE_CHANNELS,
  RELEASES_MAX,
  type ReleaseChannel,
  readChannelFile
} from '../../pack/channel-file.ts'
import { PackError } from '../../pack/pack-error.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import type { Signer } from '../../pack/signature.ts'
import { type Bundle, describeBundle } from './describe-bundle.ts'

export interface ReleaseOptions {
  /** Paths of the bundles and firmware files to publish. */
  bundles: readonly string[]
  /** Folder with the notes. */
  notes: string
  /** Folder with the channel files that are published now; undefined = none. */
  published: string | undefined
  /** Time of the publication, in seconds since 1970. */
  time: number
  /** Days until the channel files expire. */
  days: number
  signer: Signer
}

export interface ReleaseFile {
  /** Name in the folder of the release. */
  path: string
  bytes: Buffer
}

const DAY = 86_400

/**
 * Creates the files of a release. The same options and files give the same bytes.
 * @throws PackError if a bundle, notes or a published channel file is missing or not valid
 */
export function createRelease(options: ReleaseOptions): ReleaseFile[] {
  const { published, signer, time } = options
  const bundles = options.bundles.map((path) => describeBundle(path, signer, time))
  const twice = bundles.find(({ path }, index) =>
    bundles.some((other, at) => at < index && isSameName(other.path, path))
  )
  if (twice) throw new PackError(`Two bundles have the name ${basename(twice.path)}.`)
  const before = published === undefined ? [] : readPublished(published, options)
  const names = [...new Set([...bundles, ...before].map(({ name }) => name))].sort()
  if (names.length === 0) throw new PackError('There is nothing to publish: BUNDLES=paths, PUBLISHED=folder.')
  const channels = names.flatMap((name) =>
    RELEASE_CHANNELS.flatMap((channel) => createChannel({ name, channel, bundles, before }, options))
  )
  return [...channels, ...bundles.map(({ path }) => ({ path: basename(path), bytes: readFileSync(path) }))]
}

interface ChannelParts {
  name: string
  channel: ReleaseChannel
  bundles: readonly Bundle[]
  /** The channel files that are published now. */
  before: readonly ChannelFile[]
}

/** A pre-release is in the file of pre-releases only. A release is in both, so that each hub needs one file. */
function createChannel({ name, channel, bundles, before }: ChannelParts, options: ReleaseOptions): ReleaseFile[] {
  const { notes, time, days, signer } = options
  const last = before.find((file) => file.name === name && file.channel === channel)
  const added = bundles
    .filter((bundle) => bundle.name === name && (channel === 'pre-release' || !bundle.release['pre-release']))
    .map((bundle) => ({ ...bundle.release, notes: readNotes(notes, bundle) }))
  const kept = (last?.releases ?? []).filter((release) => !added.some((each) => isSameRelease(each, release)))
  const path = channelFileName(name, channel)
  const content = {
    name,
    channel,
    number: (last?.number ?? 0) + 1,
    time: isoTime(time),
    expires: isoTime(time + days * DAY),
    releases: [...added, ...kept].sort(newestFirst).slice(0, RELEASES_MAX)
  }
  const { text, signature } = withFileName(path, () => createChannelFile(content, signer))
  return [
    { path, bytes: text },
    { path: `${path}.sig`, bytes: signature }
  ]
}

/** @throws PackError with the name of the channel file that is not valid */
function withFileName<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof ChannelFileError ? new PackError(`${path}: ${error.message}`) : error
  }
}

const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString()
const isSameName = (a: string, b: string) => basename(a) === basename(b)

const isSameRelease = (a: ChannelRelease, b: ChannelRelease) =>
  (['version', 'architecture', 'model', 'hardware'] as const).every((member) => a[member] === b[member])

function newestFirst(a: ChannelRelease, b: ChannelRelease): number {
  return b.time.localeCompare(a.time) || compareReleaseVersions(b.version, a.version) || (a.file < b.file ? -1 : 1)
}

/** The channel files in a folder, also those that have expired. */
function readPublished(folder: string, { signer }: ReleaseOptions): ChannelFile[] {
  if (!existsSync(folder)) throw new PackError(`PUBLISHED: there is no folder ${folder}.`)
  const trusted = [createPublicKey(signer.key)]
  return readdirSync(folder).flatMap((file) => {
    const channel = RELEASE_CHANNELS.find((each) => file.endsWith(channelFileName('', each)))
    if (!channel) return []
    const text = readFileSync(join(folder, file))
    const signature = readFileSync(join(folder, `${file}.sig`))
    const name = file.slice(0, -channelFileName('', channel).length)
    const options = { trusted, name, channel, now: 0, lastNumber: 0 }
    return [withFileName(join(folder, file), () => readChannelFile({ text, signature }, options))]
  })
}

/** @throws PackError if the notes are missing in a language */
function readNotes(folder: string, { notes }: Bundle): ChannelRelease['notes'] {
  const [en, zh] = (['en', 'zh'] as const).map((language) => {
    const path = join(folder, `${notes}.${language}.md`)
    if (!existsSync(path)) throw new PackError(`There are no notes ${path}.`)
    return readFileSync(path, 'utf8').trim()
  }) as [string, string]
  return { en, zh }
}
